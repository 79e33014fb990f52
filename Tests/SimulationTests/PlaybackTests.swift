import Testing
import Wire

@testable import Simulation

@Suite struct PlaybackTests {
  private static let tickLength = ServerClock.tickLength

  private static let shape = StreamShape(profile: .strict, width: 720, height: 960, slots: 8)

  private static func radians(_ steps: Int) -> Float { Float(steps) * 2 * .pi / 1024 }

  private static func frame(
    _ tick: UInt32, _ bodies: [StreamBody], _ encoder: StreamEncoder
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    encoder.encode(bodies, tick: tick, gravity: .down, into: &bytes)
    return bytes
  }

  /// A server whose only sticker moves 16 steps (1 pt) a tick, and the wire to a client.
  private struct Link {
    let encoder = StreamEncoder(PlaybackTests.shape, holdsCalm: true)
    let playback = Playback()
    var instances: [StickerInstance] = []
    var start: UInt32 = 600

    mutating func frame(_ tick: UInt32) -> [UInt8] {
      let body = StreamBody(
        slot: 0, generation: 0, kind: 2, size: 40, x: Float(tick), y: 100,
        angle: PlaybackTests.radians(Int(tick) * 100 % 1024))
      return PlaybackTests.frame(tick, [body], encoder)
    }

    mutating func receive(_ bytes: [UInt8], at now: Double) throws {
      let result: Result<StateFrameInfo, WireError> = bytes.withUnsafeBytes { raw in
        do throws(WireError) { return .success(try playback.receive(raw, now: now)) } catch {
          return .failure(error)
        }
      }
      _ = try result.get()
    }

    mutating func sample(at now: Double) -> [StickerInstance] {
      playback.sample(now: now, into: &instances)
      return instances
    }

    /// Local time at which a tick is due on the server: the clocks differ by a lot.
    func due(_ tick: UInt32) -> Double { 50_000 + Double(tick - start) * tickLength }
  }

  /// Plays `count` ticks with a delay for each frame; returns x of the sticker at every screen
  /// frame of 7 ms.
  private func play(
    _ link: inout Link, count: UInt32, delay: (UInt32) -> Double
  ) throws -> [(now: Double, x: Float)] {
    var arrivals: [(Double, [UInt8])] = []
    var last = 0.0
    for tick in link.start..<(link.start + count) {
      // TCP keeps the order.
      last = max(last, link.due(tick) + delay(tick))
      arrivals.append((last, link.frame(tick)))
    }
    var shown: [(Double, Float)] = []
    var now = link.due(link.start)
    var next = 0
    while next < arrivals.count {
      while next < arrivals.count, arrivals[next].0 <= now {
        try link.receive(arrivals[next].1, at: arrivals[next].0)
        next += 1
      }
      if let first = link.sample(at: now).first { shown.append((now, first.x)) }
      now += 7
    }
    return shown
  }

  @Test func motionIsEvenOnAnEvenLink() throws {
    var link = Link()
    let shown = try play(&link, count: 300) { _ in 20 }
    let settled = Array(shown.dropFirst(100))
    for (before, after) in zip(settled, settled.dropFirst()) {
      // 1 pt a tick are 0.42 pt in 7 ms.
      #expect(abs(after.x - before.x - 0.42) < 0.02)
    }
    // One frame and 4 ms behind the arrivals.
    let (now, x) = settled.last!
    let behind = (now - 50_000) / Self.tickLength + 600 - Double(x)
    #expect(abs(behind * Self.tickLength - (20 + Self.tickLength + 4)) < 2)
  }

  @Test(arguments: [UInt64(1), 2, 3]) func aJitteryLinkNeverShowsTimeRunningBackwards(
    seed: UInt64
  ) throws {
    var chance = seed
    func random() -> Double {
      chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(chance >> 40) / 16_777_216
    }
    var link = Link()
    let shown = try play(&link, count: 900) { _ in 30 + 40 * random() }
    for (before, after) in zip(shown, shown.dropFirst()) { #expect(after.x >= before.x) }
    // Once it knows the jitter, it hardly ever waits.
    let settled = shown.dropFirst(600)
    let waits = zip(settled, settled.dropFirst()).filter { $0.x == $1.x }.count
    #expect(Double(waits) < 0.02 * Double(settled.count))
    #expect(link.playback.jitter > 20 && link.playback.jitter < 45)
  }

  @Test func aPauseOfTheLinkIsCaughtUpWith() throws {
    var link = Link()
    let shown = try play(&link, count: 900) { tick in
      tick >= 800 && tick < 1000 ? Double(1000 - tick) * Self.tickLength : 10
    }
    for (before, after) in zip(shown, shown.dropFirst()) { #expect(after.x >= before.x) }
    let (now, x) = shown.last!
    let behind = (now - 50_000) / Self.tickLength + 600 - Double(x)
    #expect(behind < 5)
  }

  /// The sticker rests for two seconds, whose frames are held back, and then moves.
  @Test(arguments: [UInt32(0), 17, 29]) func motionAfterARestIsEvenFromTheFirstFrame(
    phase: UInt32
  ) throws {
    var link = Link()
    let first = 750 + phase
    var shown: [(now: Double, x: Float)] = []
    for tick in UInt32(600)..<900 {
      let x = Float(tick < first ? 0 : tick - first + 1)
      let body = StreamBody(
        slot: 0, generation: 0, kind: 2, size: 40, x: 100 + x, y: 100, angle: 0)
      let frame = Self.frame(tick, [body], link.encoder)
      let now = link.due(tick) + 20
      if !frame.isEmpty { try link.receive(frame, at: now) }
      for step in 0..<2 {
        let time = now + Double(step) * Self.tickLength / 2
        shown.append((time, link.sample(at: time)[0].x))
      }
    }
    let moving = shown.filter { $0.x > 100 }
    // A frame and 4 ms behind the arrivals, as on a link that never rests.
    let start = link.due(first) + 20
    #expect(moving[0].now - start < 2 * Self.tickLength)
    for (before, after) in zip(moving, moving.dropFirst()) {
      #expect(abs(after.x - before.x - 0.5) < 0.13, "\(after.now - start)")
    }
    #expect(link.playback.statistics.frames < 250)
  }

  @Test func anglesTurnTheShortWay() throws {
    let encoder = StreamEncoder(Self.shape)
    var link = Link()
    func world(_ tick: UInt32, angle: Int) -> [UInt8] {
      let body = StreamBody(
        slot: 0, generation: 0, kind: 1, size: 40, x: 0, y: 0, angle: Self.radians(angle))
      return Self.frame(tick, [body], encoder)
    }
    try link.receive(world(1, angle: 1000), at: 0)
    try link.receive(world(7, angle: 40), at: 100)
    for step in 0...100 {
      // Always within 64/1024 of a turn of upright: cos(24/1024 · 2π…40/1024 · 2π).
      #expect(link.sample(at: Double(step) * 4)[0].cosine > 0.96)
    }
  }

  @Test func whatWasThereIsOldAndWhatComesIsNew() throws {
    let encoder = StreamEncoder(Self.shape)
    var link = Link()
    func world(_ tick: UInt32, _ generations: [UInt16]) -> [UInt8] {
      let bodies = generations.enumerated().map { slot, generation in
        StreamBody(
          slot: UInt16(slot), generation: generation, kind: 0, size: 40, x: 0, y: 0, angle: 0)
      }
      return Self.frame(tick, bodies, encoder)
    }
    try link.receive(world(100, [0]), at: 0)
    #expect(link.sample(at: 0)[0].age > 900)
    for step in UInt32(1)...60 {
      try link.receive(world(100 + step, [0, 3]), at: Double(step) * Self.tickLength)
      _ = link.sample(at: Double(step) * Self.tickLength)
    }
    let now = link.sample(at: 60 * Self.tickLength)
    #expect(now.count == 2)
    #expect(now[0].age > 900)
    #expect(now[1].age > 0.8 && now[1].age < 1)
    // The same slot with another generation is another sticker.
    for step in UInt32(61)...70 {
      try link.receive(world(100 + step, [0, 4]), at: Double(step) * Self.tickLength)
      _ = link.sample(at: Double(step) * Self.tickLength)
    }
    #expect(link.sample(at: 70 * Self.tickLength)[1].age < 0.2)
  }

  @Test func aServerThatStartedAgainIsFollowed() throws {
    var link = Link()
    _ = try play(&link, count: 60) { _ in 10 }
    try link.receive(Self.frame(3, [], StreamEncoder(Self.shape)), at: 90_000)
    #expect(link.sample(at: 90_000).isEmpty)
    #expect(link.playback.decoder.world.tick == 3)
  }

  @Test func countsFramesKeyframesSkipsAndGaps() throws {
    var link = Link()
    try link.receive(link.frame(600), at: 0)
    try link.receive(link.frame(601), at: 16)
    _ = link.frame(602)
    #expect(throws: WireError.gap(last: 601, base: 602)) {
      try link.receive(link.frame(603), at: 50)
    }
    var keyframe: [UInt8] = []
    link.encoder.keyframe(into: &keyframe)
    try link.receive(keyframe, at: 60)
    #expect(throws: WireError.self) { try link.receive([0x82, 0], at: 70) }
    let counted = link.playback.statistics
    #expect(counted.frames == 3 && counted.keyframes == 2)
    #expect(counted.skipped == 1 && counted.gaps == 1 && counted.errors == 1)
  }

  /// What is shown, and when, does not depend on the ticks' numbers, also where they begin anew.
  @Test func aPageStaysOpenWhereTicksBeginAnew() throws {
    func shown(from start: UInt32) throws -> [StickerInstance] {
      var link = Link()
      var all: [StickerInstance] = []
      for step in 0..<300 {
        let tick = start &+ UInt32(step)
        let body = StreamBody(
          slot: 0, generation: 0, kind: 2, size: 40, x: Float(100 + step), y: 100, angle: 0)
        let now = 50_000 + Double(step) * Self.tickLength
        try link.receive(Self.frame(tick, [body], link.encoder), at: now + 20)
        if step % 60 == 0 {
          link.playback.receive(
            ClockEcho(stamp: 0, tick: tick, microseconds: 0), sent: now - 5, now: now + 5)
        }
        all += link.sample(at: now + 27)
        #expect(link.playback.delay < 60)
      }
      #expect(link.playback.statistics.frames == 300)
      return all
    }
    // A multiple of the stream's epoch before the end, and so are both: 480 and 2³² − 256 − 480.
    let (young, old) = (try shown(from: 600), try shown(from: .max - 135))
    #expect(young.count == old.count && old.last!.x > 390)
    for (a, b) in zip(young, old) { #expect(abs(a.x - b.x) < 0.2 && abs(a.age - b.age) < 0.01) }
  }

  @Test func theQuickestEchoDecidesTheClock() {
    var clock = ServerClock()
    #expect(clock.tick(at: 5) == nil)
    // The true origin is 1000 ms; slow echoes are lopsided by half their round trip.
    for (roundTrip, share) in [(80.0, 0.9), (10.0, 0.6), (200.0, 0.1)] {
      let sent = 5000.0
      let asked = sent + roundTrip * share
      let serverTime = asked - 1000
      let tick = UInt32(serverTime / Self.tickLength)
      let rest = serverTime - Double(tick) * Self.tickLength
      clock.receive(
        tick: tick, microseconds: UInt32(rest * 1000), sent: sent, now: sent + roundTrip)
    }
    #expect(abs(clock.origin! - 1000) < 1.1)
    #expect(clock.roundTrip == 200)
    // An answer before its question is no answer.
    clock.receive(tick: 0, microseconds: 0, sent: 10, now: 5)
    #expect(clock.roundTrip == 200)
  }

  @Test func impossibleTimesDoNoHarm() throws {
    var link = Link()
    try link.receive(link.frame(600), at: .nan)
    for now in [Double.nan, .infinity, -.infinity, -1, 1e300, 100] {
      #expect(link.sample(at: now).count == 1)
      link.playback.receive(
        ClockEcho(stamp: 0, tick: .max, microseconds: .max), sent: now, now: now)
    }
    try link.receive(link.frame(601), at: 116)
    #expect(link.sample(at: 300)[0].x >= 600)
  }

  @Test func aPointIsOnAStickerAsFarAsItsCornersAreRound() {
    var sticker = StickerInstance(
      x: 360, y: 50, cosine: 1, sine: 0, width: 40, height: 40, kind: 0, age: 1, slot: 0,
      holder: -1)
    #expect(sticker.contains(x: 360, y: 50) && sticker.contains(x: 379.9, y: 50))
    #expect(!sticker.contains(x: 380.1, y: 50) && !sticker.contains(x: .nan, y: 50))
    #expect(!sticker.contains(x: 375, y: 65), "a disc has no corners")
    // A box, whose corners have a radius of 4 pt.
    sticker.kind = 1
    #expect(sticker.contains(x: 375, y: 65) && !sticker.contains(x: 379.9, y: 69.9))
    // Turned by 45 degrees its corner points down.
    let half = Float(0.5).squareRoot()
    (sticker.cosine, sticker.sine) = (half, half)
    #expect(sticker.contains(x: 360, y: 76) && !sticker.contains(x: 375, y: 65))
  }
}
