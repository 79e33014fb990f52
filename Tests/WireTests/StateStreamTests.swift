import Testing

@testable import Wire

@Suite struct StateStreamTests {
  private func encode(_ world: LatticeWorld, with encoder: inout StateEncoder) -> [UInt8] {
    var bytes: [UInt8] = []
    encoder.encode(world, into: &bytes)
    return bytes
  }

  @Test func goldenFramesDecodeToTheirWorlds() throws {
    var decoder = StateDecoder()
    for (index, frame) in Samples.frames.enumerated() {
      let info = try decoder.decode(frame.bytes)
      #expect(decoder.world == Samples.worlds[index])
      #expect(
        info
          == StateFrameInfo(
            tick: Samples.worlds[index].tick, isKeyframe: index == 0, skipped: 0))
    }
  }

  @Test(arguments: [UInt64(1), 2, 3]) func randomWorldsComeBackTickByTick(seed: UInt64) throws {
    var generator = WorldGenerator(seed: seed)
    var encoder = StateEncoder()
    var decoder = StateDecoder()
    for _ in 0..<200 {
      generator.advance()
      let info = try decoder.decode(encode(generator.world, with: &encoder))
      #expect(decoder.world == generator.world)
      #expect(info.skipped == 0)
    }
  }

  @Test func extremesComeBack() throws {
    let limit = LatticeBody.limit
    func world(_ tick: UInt32, _ sign: Int32, angle: UInt16) -> LatticeWorld {
      LatticeWorld(
        tick: tick,
        bodies: [
          LatticeBody(
            slot: 0, generation: 65_535, kind: 15, size: 255, x: sign * limit, y: -sign * limit,
            angle: angle),
          LatticeBody(
            slot: 65_535, generation: 0, kind: 0, size: 1, x: -sign * limit, y: sign * limit,
            angle: 0),
        ])
    }
    var encoder = StateEncoder()
    var decoder = StateDecoder()
    for (step, angle) in [UInt16(0), 512, 0, 511, 1023].enumerated() {
      let next = world(.max &- 1 &+ UInt32(step), step % 2 == 0 ? 1 : -1, angle: angle)
      try decoder.decode(encode(next, with: &encoder))
      #expect(decoder.world == next)
    }
  }

  @Test func bodiesBeyondTheLatticeStopAtItsEdge() {
    let body = LatticeBody(
      slot: 0, generation: 0, kind: 18, size: 1, x: .max, y: .min, angle: 1025)
    #expect(body.x == LatticeBody.limit && body.y == -LatticeBody.limit)
    #expect(body.kind == 2 && body.angle == 1)
  }

  @Test func nothingChangedCostsThirteenBytes() {
    var generator = WorldGenerator(seed: 9)
    for _ in 0..<50 { generator.advance() }
    var world = generator.world
    var encoder = StateEncoder()
    _ = encode(world, with: &encoder)
    world.tick += 1
    #expect(encode(world, with: &encoder).count == 13)
  }

  @Test func aMissingFrameIsAGapUntilAKeyframeAnnouncesIt() throws {
    var generator = WorldGenerator(seed: 4)
    var encoder = StateEncoder()
    var decoder = StateDecoder()
    generator.advance()
    try decoder.decode(encode(generator.world, with: &encoder))
    let last = generator.world
    for _ in 0..<3 {
      generator.advance()
      _ = encode(generator.world, with: &encoder)
    }
    let missed = generator.world.tick
    generator.advance()
    let delta = encode(generator.world, with: &encoder)
    #expect(throws: WireError.gap(last: last.tick, base: missed)) {
      try decoder.decode(delta)
    }
    #expect(decoder.world == last)
    var keyframe: [UInt8] = []
    encoder.keyframe(into: &keyframe)
    let info = try decoder.decode(keyframe)
    let tick = generator.world.tick
    #expect(info == StateFrameInfo(tick: tick, isKeyframe: true, skipped: tick - last.tick - 1))
    #expect(decoder.world == generator.world)
    generator.advance()
    try decoder.decode(encode(generator.world, with: &encoder))
    #expect(decoder.world == generator.world)
  }

  @Test func skippedFramesAreCountedInTheStreamsRhythm() throws {
    var encoder = StateEncoder(rate: .hz20)
    var decoder = StateDecoder()
    try decoder.decode(encode(LatticeWorld(tick: 30), with: &encoder))
    #expect(decoder.interval == 3)
    let info = try decoder.decode(encode(LatticeWorld(tick: 33), with: &encoder))
    #expect(!info.isKeyframe && info.skipped == 0)
    _ = encode(LatticeWorld(tick: 36), with: &encoder)
    _ = encode(LatticeWorld(tick: 39), with: &encoder)
    var keyframe: [UInt8] = []
    encoder.keyframe(into: &keyframe)
    #expect(try decoder.decode(keyframe).skipped == 1)
  }

  @Test func aKeyframeInTimeAnnouncesNothing() throws {
    var encoder = StateEncoder()
    var decoder = StateDecoder()
    try decoder.decode(encode(LatticeWorld(tick: 5), with: &encoder))
    _ = encode(LatticeWorld(tick: 6), with: &encoder)
    var keyframe: [UInt8] = []
    encoder.keyframe(into: &keyframe)
    #expect(try decoder.decode(keyframe).skipped == 0)
  }

  @Test func deltasNeedAKeyframeFirst() {
    var decoder = StateDecoder()
    #expect(throws: WireError.noKeyframe) { try decoder.decode(Samples.frames[1].bytes) }
  }

  @Test func oldOrDistantBasesBecomeKeyframes() {
    var encoder = StateEncoder()
    var bytes: [UInt8] = []
    #expect(encoder.encode(LatticeWorld(tick: 10), into: &bytes) == .keyframe)
    #expect(encoder.encode(LatticeWorld(tick: 10), into: &bytes) == .keyframe)
    #expect(encoder.encode(LatticeWorld(tick: 265), into: &bytes) == .state)
    #expect(encoder.encode(LatticeWorld(tick: 521), into: &bytes) == .keyframe)
    #expect(encoder.encode(LatticeWorld(tick: 3), into: &bytes) == .keyframe)
  }

  @Test func removingOrAddingWhatCannotBeIsRefused() throws {
    func delta(_ lists: (inout BitWriter) -> Void) -> [UInt8] {
      var bytes: [UInt8] = []
      BitWriter.append(to: &bytes) { writer in
        writer.write(byte: 0x83)
        writer.write(1001, bits: 32)
        writer.write(1, bits: 8)
        writer.write(0, bits: 8)
        lists(&writer)
      }
      return bytes
    }
    let removesAStranger = delta { writer in
      writer.write(1, bits: 15)
      writer.write(small: 9)
      writer.write(0, bits: 30)
    }
    let addsWhatIsThere = delta { writer in
      writer.write(0, bits: 15)
      writer.write(1, bits: 15)
      writer.write(small: 1)
      DeltaFormat.write(added: Samples.worlds[0].bodies[1], to: &writer)
      writer.write(0, bits: 15)
    }
    let changesAStranger = delta { writer in
      writer.write(0, bits: 30)
      writer.write(1, bits: 15)
      writer.write(small: 3)
      writer.write(0, bits: 4)
    }
    for bytes in [removesAStranger, addsWhatIsThere, changesAStranger] {
      var decoder = StateDecoder()
      try decoder.decode(Samples.frames[0].bytes)
      #expect(throws: WireError.outOfRange(.slot)) { try decoder.decode(bytes) }
      #expect(decoder.world == Samples.worlds[0])
    }
  }

  @Test func bodiesAreFoundBySlot() {
    let world = Samples.worlds[0]
    #expect(world.index(ofSlot: 0) == 0)
    #expect(world.index(ofSlot: 4) == 2)
    #expect(world.index(ofSlot: 3) == nil && world.index(ofSlot: 5) == nil)
    #expect(LatticeWorld().index(ofSlot: 0) == nil)
  }
}

/// A world in which bodies come, go, move a little, jump and rest, by chance.
struct WorldGenerator {
  private(set) var world = LatticeWorld(tick: 100)
  private var chance: Chance
  private var generations = [UInt16](repeating: 0, count: 300)

  init(seed: UInt64) { chance = Chance(state: seed) }

  mutating func advance() {
    world.tick += Bool.random(using: &chance) ? 6 : 1
    if Bool.random(using: &chance) {
      world.gravity = QuantizedGravity(
        x: .random(in: -16_384...16_384, using: &chance),
        y: .random(in: -16_384...16_384, using: &chance))
    }
    var fate = chance
    world.bodies.removeAll { _ in Int.random(in: 0..<40, using: &fate) == 0 }
    chance = fate
    for index in world.bodies.indices {
      var body = world.bodies[index]
      move(&body)
      world.bodies[index] = body
    }
    for _ in 0..<Int.random(in: 0..<8, using: &chance) { add() }
  }

  private mutating func move(_ body: inout LatticeBody) {
    let reach: Int32 = [0, 3, 15, 127, 4000].randomElement(using: &chance)!
    body.x += .random(in: -reach...reach, using: &chance)
    body.y += .random(in: -reach...reach, using: &chance)
    body.angle = (body.angle &+ .random(in: 0...1023, using: &chance)) & 1023
  }

  private mutating func add() {
    let slot = UInt16.random(in: 0..<300, using: &chance)
    guard world.index(ofSlot: slot) == nil else { return }
    generations[Int(slot)] += 1
    let body = LatticeBody(
      slot: slot, generation: generations[Int(slot)], kind: .random(in: 0...15, using: &chance),
      size: .random(in: 8...80, using: &chance), x: .random(in: 0...12_000, using: &chance),
      y: .random(in: 0...16_000, using: &chance), angle: .random(in: 0...1023, using: &chance))
    let index = world.bodies.firstIndex { $0.slot > slot } ?? world.bodies.count
    world.bodies.insert(body, at: index)
  }
}
