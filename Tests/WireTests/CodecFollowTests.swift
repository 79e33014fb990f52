import Testing

@testable import Wire

/// Clients that join in the middle and skip frames.
@Suite struct CodecFollowTests {
  @Test(arguments: CodecProfile.allCases, FrameRate.allCases)
  func whoJoinsIsInStepAfterARestart(profile: CodecProfile, rate: FrameRate) throws {
    let encoder = StreamEncoder(CodecScene.shape(profile, rate))
    let phase = encoder.shape.phase
    var scene = CodecScene(count: 60, seed: 3, tick: phase, changes: true)
    for _ in 0..<77 {
      _ = encoder.encode(scene)
      scene.advance(by: rate.interval)
    }
    _ = encoder.encode(scene)
    let guest = StreamDecoder()
    try guest.decode(encoder.newestKeyframe)
    #expect(guest.world == encoder.world)
    var position = StreamPosition(tick: scene.tick, isInStep: false, isCoarse: true)
    let entry = (scene.tick / 480 + 1) * 480 + phase
    while scene.tick < entry + 100 {
      scene.advance(by: rate.interval)
      var frame = encoder.encode(scene)
      if !position.isInStep {
        frame = []
        position = try #require(encoder.catchUp(from: position, into: &frame))
      }
      try guest.decode(frame)
      #expect(guest.world == encoder.world)
      #expect(guest.isInStep == (scene.tick >= entry))
    }
  }

  /// What a tick costs is spread evenly over the ticks.
  @Test func fourStreamsAreDueAtEachTick() {
    for tick in UInt32(0)..<480 {
      let due = FrameRate.allCases.flatMap { rate in
        CodecProfile.allCases.filter { CodecScene.shape($0, rate).isDue(at: tick) }
      }
      #expect(due.count == 4, "tick \(tick)")
    }
  }

  @Test(arguments: CodecProfile.allCases) func anyOfTheLast64IsABase(profile: CodecProfile) throws {
    var scene = CodecScene(count: 60, seed: 11, changes: true)
    let encoder = StreamEncoder(CodecScene.shape(profile))
    var clients: [StreamDecoder] = []
    for _ in 0..<300 {
      let frame = encoder.encode(scene)
      let client = StreamDecoder()
      for other in clients.suffix(1) where other.isInStep { try other.decode(frame) }
      try client.decode(encoder.newestKeyframe)
      clients.append(client)
      scene.advance()
    }
    let newest = encoder.tick
    for back in 1...70 as ClosedRange<UInt32> {
      let client = clients[clients.count - 1 - Int(back)]
      let position = StreamPosition(
        tick: client.world.tick, isInStep: false, isCoarse: client.world.tick > 0)
      #expect(client.world.tick == newest - back)
      var frame: [UInt8] = []
      let next = encoder.catchUp(from: position, into: &frame)
      guard back <= 64 else {
        #expect(next == nil && frame.isEmpty)
        continue
      }
      let info = try client.decode(frame)
      #expect(info.skipped == back - 1)
      #expect(client.world == encoder.world)
    }
  }

  @Test func whoSkipsDisturbsNobody() throws {
    var scene = CodecScene(count: 60, seed: 4, changes: true)
    let shape = CodecScene.shape(.strict)
    let alone = StreamEncoder(shape)
    let shared = StreamEncoder(shape)
    for index in 0..<600 {
      let frame = shared.encode(scene)
      #expect(frame == alone.encode(scene))
      if index % 3 == 0 { _ = shared.newestKeyframe }
      var other: [UInt8] = []
      _ = shared.catchUp(
        from: StreamPosition(tick: scene.tick &- UInt32(index % 60), isInStep: true), into: &other)
      scene.advance()
    }
  }

  @Test func equalPositionsTakeEqualBytes() {
    var scene = CodecScene(count: 60, seed: 4, changes: true)
    let encoder = StreamEncoder(CodecScene.shape(.visual))
    for _ in 0..<50 {
      _ = encoder.encode(scene)
      scene.advance()
    }
    var first: [UInt8] = []
    var second: [UInt8] = []
    let position = StreamPosition(tick: encoder.tick - 9, isInStep: true)
    _ = encoder.catchUp(from: position, into: &first)
    _ = encoder.newestKeyframe
    _ = encoder.catchUp(from: position, into: &second)
    #expect(first == second && !first.isEmpty)
  }

  @Test func gapsAreTold() throws {
    var scene = CodecScene(count: 20)
    let encoder = StreamEncoder(CodecScene.shape(.strict))
    let decoder = StreamDecoder()
    #expect(throws: WireError.noKeyframe) { try decoder.decode([0xC1]) }
    #expect(throws: WireError.noKeyframe) { try decoder.decode([0x83, 1, 0, 0, 0, 1, 0]) }
    try decoder.decode(encoder.encode(scene))
    scene.advance()
    let left = encoder.encode(scene)
    scene.advance()
    let next = encoder.encode(scene)
    #expect(throws: WireError.gap(last: 0, base: 1)) { try decoder.decode(next) }
    #expect(decoder.world.tick == 0)
    // A gap changes nothing: the frame that was due still fits.
    try decoder.decode(left)
    try decoder.decode(next)
    #expect(decoder.world == encoder.world)
  }

  /// The tick that is missing is told for streams of any phase.
  @Test func gapsOfAShiftedStreamAreTold() throws {
    var scene = CodecScene(count: 20, tick: 5)
    let encoder = StreamEncoder(CodecScene.shape(.visual, .hz10))
    let decoder = StreamDecoder()
    try decoder.decode(encoder.encode(scene))
    scene.advance(by: 6)
    _ = encoder.encode(scene)
    scene.advance(by: 6)
    let next = encoder.encode(scene)
    #expect(throws: WireError.gap(last: 5, base: 11)) { try decoder.decode(next) }
  }
}
