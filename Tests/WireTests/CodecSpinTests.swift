import SeededChance
import Testing

@testable import Wire

/// Bodies that turn nearly a whole turn a tick, now this way and now the other: of angles that are
/// equal modulo a turn the encoder chooses, and the sum of its choices must stay on the lattice.
@Suite struct CodecSpinTests {
  /// The fastest that anything turns, in radians a tick.
  private static let fastest: Float = 6

  /// Turns one body by `spin(tick)` radians a tick and lets a client follow.
  private func follow(
    _ profile: CodecProfile, _ rate: FrameRate, ticks: UInt32, spin: (UInt32) -> Float
  ) throws {
    let encoder = StreamEncoder(CodecScene.shape(profile, rate, slots: 2))
    let witness = FrameWitness()
    var body = StreamBody(slot: 0, generation: 0, kind: 1, size: 40, x: 360, y: 480, angle: 0)
    for tick in 1...ticks {
      body.angle += spin(tick)
      // As the physics does: a Float holds an angle exactly enough only for some turns.
      if abs(body.angle) > 3.2 { body.angle -= 2 * .pi * (body.angle / (2 * .pi)).rounded() }
      guard encoder.shape.isDue(at: tick) else { continue }
      var frame: [UInt8] = []
      encoder.encode([body], tick: tick, gravity: .down, into: &frame)
      let fault = witness.take(frame, leadingTo: encoder.world)
      try #require(fault == nil, "\(profile) \(rate) tick \(tick)")
    }
    #expect(encoder.restarts == 0)
  }

  /// A reversal that looks like more speed the other way: the prediction takes it for that, and
  /// from then on every change of the spin drives it further from the truth.
  @Test(arguments: CodecProfile.allCases, FrameRate.allCases)
  func reversalsDontRunAway(profile: CodecProfile, rate: FrameRate) throws {
    let period: UInt32 = 90 * rate.interval
    try follow(profile, rate, ticks: 20 * period) { tick in
      // From the fastest one way to the fastest the other, slowly, and back at once.
      Self.fastest * (2 * Float(tick % period) / Float(period) - 1)
    }
    try follow(profile, rate, ticks: 20 * period) { tick in
      Self.fastest * (1 - 2 * Float(tick % period) / Float(period))
    }
  }

  @Test(arguments: CodecProfile.allCases, FrameRate.allCases)
  func anySpinStaysOnTheLattice(profile: CodecProfile, rate: FrameRate) throws {
    var chance = Chance(seed: 5)
    var spin: Float = 0
    var change: Float = 0
    try follow(profile, rate, ticks: 6000) { tick in
      if chance.next() % 20 == 0 { spin = Float.random(in: -6...6, using: &chance) }
      if chance.next() % 30 == 0 { change = Float.random(in: -0.3...0.3, using: &chance) }
      spin = min(max(spin + change, -Self.fastest), Self.fastest)
      return spin
    }
  }

  /// Even what turns faster than anything can stays on the lattice.
  @Test(arguments: CodecProfile.allCases)
  func impossibleSpinsStayOnTheLattice(profile: CodecProfile) throws {
    for spin in [Float(6.2), 9, 40, -1000] {
      try follow(profile, .hz60, ticks: 2000) { tick in spin + Float(tick % 7) * 0.1 }
    }
  }

  /// Whatever goes wrong in an encoder, nobody is given what they would refuse.
  @Test func whatNobodyCouldReadStartsAnew() throws {
    var scene = CodecScene(count: 20, seed: 8)
    let encoder = StreamEncoder(CodecScene.shape(.strict), holdsCalm: true)
    let witness = FrameWitness()
    for index in 0..<60 {
      if index == 30 {
        // Somebody's angle ran away.
        encoder.state.axes[2] = AxisPredictor(position: 600_000, velocity: 0, isCalm: false)
      }
      var frame: [UInt8] = []
      let kind = encoder.encode(
        scene.bodies, tick: scene.tick, gravity: scene.gravity, into: &frame)
      #expect((kind == .keyframe) == (index % 30 == 0))
      #expect(encoder.restarts == (index < 30 ? 0 : 1))
      #expect(witness.take(frame, leadingTo: encoder.world) == nil)
      scene.advance()
    }
  }

  /// A turn that a Float still holds, many times over, is an angle; what is no number is 0.
  @Test func anglesThatWereWoundUpAreAngles() {
    func angle(_ radians: Float) -> UInt16 {
      StreamBody(slot: 0, generation: 0, kind: 0, size: 40, x: 0, y: 0, angle: radians)
        .onLattice(of: .strict).angle
    }
    let quarter = Float.pi / 2
    #expect(angle(quarter) == 256)
    for turns in [Float(1000), -1000, 4000, -4000] {
      let off = Int(angle(quarter + turns * 2 * .pi)) - 256
      #expect(abs(off) < 4, "\(turns) turns")
    }
    for none in [Float.infinity, -.infinity, .nan, 1e30] { #expect(angle(none) == 0) }
  }

  /// A client that comes while a body makes just half a turn a frame follows as well: half a turn
  /// is coarsely more than half a turn.
  @Test(arguments: CodecProfile.allCases)
  func halfTurnsAreFollowedFromAKeyframe(profile: CodecProfile) throws {
    let encoder = StreamEncoder(CodecScene.shape(profile, slots: 2))
    let witness = FrameWitness()
    var position: StreamPosition?
    for tick in UInt32(1)...80 {
      let body = StreamBody(
        slot: 0, generation: 0, kind: 1, size: 40, x: 360, y: 480,
        angle: tick % 2 == 0 ? 0 : .pi)
      var frame: [UInt8] = []
      encoder.encode([body], tick: tick, gravity: .down, into: &frame)
      guard tick > 20 else { continue }
      var bytes: [UInt8] = []
      if let known = position {
        guard tick % 7 < 5 else { continue }
        position = try #require(encoder.catchUp(from: known, into: &bytes))
      } else {
        position = encoder.keyframe(into: &bytes)
      }
      #expect(witness.take(bytes, leadingTo: encoder.world) == nil, "tick \(tick)")
    }
  }
}
