import Testing

@testable import Wire

@Suite struct CodecStreamTests {
  @Test(arguments: CodecProfile.allCases, FrameRate.allCases)
  func everyFrameComesBack(profile: CodecProfile, rate: FrameRate) throws {
    var scene = CodecScene(count: 60, seed: 5, changes: true)
    let encoder = StreamEncoder(CodecScene.shape(profile, rate))
    let decoder = StreamDecoder()
    for index in 0..<700 {
      let info = try decoder.decode(encoder.encode(scene))
      #expect(decoder.world == encoder.world)
      #expect(decoder.world.gravity == scene.gravity)
      #expect(decoder.isInStep)
      #expect(info == StateFrameInfo(tick: scene.tick, isKeyframe: index == 0, skipped: 0))
      scene.advance(by: rate.interval)
    }
  }

  @Test func bodiesKeepTheirNamesAndLooks() throws {
    var scene = CodecScene(count: 60, seed: 9, changes: true)
    let encoder = StreamEncoder(CodecScene.shape(.strict))
    let decoder = StreamDecoder()
    for _ in 0..<300 {
      try decoder.decode(encoder.encode(scene))
      #expect(decoder.world.bodies.count == scene.bodies.count)
      for (coded, body) in zip(decoder.world.bodies, scene.bodies) {
        #expect(coded.slot == body.slot && coded.generation == body.generation)
        #expect(coded.kind == body.kind && coded.size == body.size)
      }
      scene.advance()
    }
  }

  @Test func strictIsWithinHalfAStep() {
    var scene = CodecScene(count: 60, changes: true)
    let encoder = StreamEncoder(CodecScene.shape(.strict))
    for _ in 0..<400 {
      _ = encoder.encode(scene)
      for (coded, body) in zip(encoder.world.bodies, scene.bodies) {
        #expect(abs(Float(coded.x) / 16 - body.x) <= 1 / 32)
        #expect(abs(Float(coded.y) / 16 - body.y) <= 1 / 32)
        let turn = Double(body.angle) * (512 / .pi) - Double(coded.angle)
        #expect(abs(turn - (turn / 1024).rounded() * 1024) <= 0.5001)
      }
      scene.advance()
    }
  }

  @Test func visualIsWithinItsBounds() {
    var scene = CodecScene(count: 60, changes: true)
    let encoder = StreamEncoder(CodecScene.shape(.visual))
    var still: [Int: (body: StreamBody, ticks: Int)] = [:]
    var judged = 0
    for _ in 0..<900 {
      _ = encoder.encode(scene)
      for (coded, body) in zip(encoder.world.bodies, scene.bodies) {
        let error = max(
          abs(Float(coded.x) / 12 - body.x), abs(Float(coded.y) / 12 - body.y))
        #expect(error <= 0.5)
        let last = still[Int(body.slot)]
        let ticks = last?.body == body ? last!.ticks + 1 : 0
        still[Int(body.slot)] = (body, ticks)
        if ticks > 0 { #expect(error <= 0.75 / 12 + 0.000_1 || ticks < 4) }
        if ticks >= 31 {
          judged += 1
          #expect(error <= 0.5 / 12 + 0.000_1)
        }
      }
      scene.advance()
    }
    #expect(judged > 1000)
  }

  @Test func restTakesAFewBytesASecond() {
    var scene = CodecScene(count: 1000)
    let encoder = StreamEncoder(CodecScene.shape(.strict, slots: 1000), holdsCalm: true)
    for _ in 0..<1500 { scene.advance() }
    let start = scene.tick
    var given = 0
    for index in 0..<600 as Range<UInt32> {
      var bytes: [UInt8] = []
      encoder.encode(scene.bodies, tick: start + index, gravity: .down, into: &bytes)
      // Once it is calm, a frame of three bytes comes twice a second, and before a restart.
      if index > 100 { #expect(bytes.isEmpty || bytes.count == 3 || bytes.count == 1) }
      if index > 100 { given += bytes.isEmpty ? 0 : 1 }
    }
    #expect(given >= 16 && given <= 18)
  }

  @Test func aKeyframeOfAThousandIsSmall() {
    var scene = CodecScene(count: 1000)
    let encoder = StreamEncoder(CodecScene.shape(.strict, slots: 1000))
    for _ in 0..<60 {
      _ = encoder.encode(scene)
      scene.advance()
    }
    // Even where every body flies its own way.
    #expect(encoder.newestKeyframe.count < 8000)
    for _ in 0..<1500 { scene.advance() }
    _ = encoder.encode(scene)
    #expect(encoder.newestKeyframe.count <= 6300)
  }

  @Test func whatIsNoPlaceIsPutIntoTheWorld() throws {
    let encoder = StreamEncoder(CodecScene.shape(.strict))
    let decoder = StreamDecoder()
    let odd: [Float] = [.nan, .infinity, -.infinity, 1e30, -1e30, 0]
    for tick in 1..<20 as Range<UInt32> {
      let bodies = odd.indices.map { index in
        StreamBody(
          slot: UInt16(index), generation: 0, kind: 255, size: 0,
          x: odd[(index + Int(tick)) % 6], y: odd[index], angle: odd[(index + 3) % 6])
      }
      var bytes: [UInt8] = []
      let beyond = StreamBody(
        slot: 5000, generation: 0, kind: 0, size: 40, x: 0, y: 0, angle: 0)
      encoder.encode(bodies + [beyond], tick: tick, gravity: .down, into: &bytes)
      try decoder.decode(bytes)
      #expect(decoder.world == encoder.world)
      #expect(decoder.world.bodies.count == 6)
    }
  }

  @Test func aJumpInTimeStartsAnew() throws {
    var scene = CodecScene(count: 20)
    let encoder = StreamEncoder(CodecScene.shape(.strict))
    let decoder = StreamDecoder()
    for jump in [1, 1, 7, 1, 1] as [UInt32] {
      try decoder.decode(encoder.encode(scene))
      #expect(decoder.world == encoder.world)
      scene.advance(by: jump)
    }
  }
}
