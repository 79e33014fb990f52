import Foundation
import Physics
import Testing

@Suite struct JointTests {
  /// Times of upward crossings of `level`, in ticks, by linear interpolation.
  private func crossings(_ samples: [Float], level: Float) -> [Double] {
    var times: [Double] = []
    for i in 1..<samples.count where samples[i - 1] < level && samples[i] >= level {
      times.append(
        Double(i - 1) + Double((level - samples[i - 1]) / (samples[i] - samples[i - 1])))
    }
    return times
  }

  @Test func aPendulumSwingsAtItsPeriod() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let length: Float = 200
    let amplitude: Float = 0.2
    let start = Vector2(
      length * DeterministicMath.sine(amplitude), length * DeterministicMath.cosine(amplitude))
    let shape = try BodyShape.circle(radius: 10)
    let id = try world.addBody(BodyDefinition(shape: shape, position: start))
    try world.addJoint(JointDefinition(.distance(length: nil), a: id, anchorB: .zero))
    var samples: [Float] = []
    for _ in 0..<1200 {
      world.step()
      samples.append(world.body(id)!.position.x)
      #expect(abs(world.body(id)!.position.length - length) < 0.5)
    }
    let times = crossings(samples, level: 0)
    let period = (times.last! - times.first!) / Double(times.count - 1) / 60
    // A rod held at the centre leaves the disc free to turn: a mathematical pendulum, with the
    // first correction for its amplitude.
    let expected = 2 * Double.pi * (0.2).squareRoot() * (1 + 0.04 / 16)
    #expect(abs(period / expected - 1) < 0.005)
  }

  @Test(arguments: [(1.0, 0.05), (4.0, 0.1), (10.0, 0.02)])
  func aSpringHasItsFrequencyAndDecay(frequency: Double, ratio: Double) throws {
    var world = try Worlds.empty()
    let id = try world.addBody(
      BodyDefinition(shape: try .circle(radius: 20), position: Vector2(150, 0)))
    try world.addJoint(
      JointDefinition(
        .distance(length: 100, frequency: Float(frequency), dampingRatio: Float(ratio)), a: id,
        anchorB: .zero))
    let omega = 2 * Double.pi * frequency
    let damped = omega * (1 - ratio * ratio).squareRoot()
    // From rest at 50: x = 50·e^(−ζωt)·(cos + ζω/ω_d·sin).
    for tick in 1...Int(90 / frequency) {
      world.step()
      let t = Double(tick) / 60
      let x =
        50 * exp(-ratio * omega * t)
        * (cos(damped * t) + ratio * omega / damped * sin(damped * t))
      #expect(abs(Double(world.body(id)!.position.x) - 100 - x) < 0.02)
    }
  }

  @Test(arguments: [(1.0, 0.05), (4.0, 0.1)])
  func aSpringKeepsTime(frequency: Double, ratio: Double) throws {
    var world = try Worlds.empty()
    let id = try world.addBody(
      BodyDefinition(shape: try .circle(radius: 20), position: Vector2(150, 0)))
    try world.addJoint(
      JointDefinition(
        .distance(length: 100, frequency: Float(frequency), dampingRatio: Float(ratio)), a: id,
        anchorB: .zero))
    var samples: [Float] = []
    for _ in 0..<Int(360 / frequency) {
      world.step()
      samples.append(world.body(id)!.position.x - 100)
    }
    let times = crossings(samples, level: 0)
    let period = (times.last! - times.first!) / Double(times.count - 1) / 60
    let damped = frequency * (1 - ratio * ratio).squareRoot()
    #expect(abs(period * damped - 1) < 0.01)
    let peaks = (1..<(samples.count - 1)).filter {
      samples[$0] > samples[$0 - 1] && samples[$0] >= samples[$0 + 1] && samples[$0] > 0
    }
    // Between the samples: the peak of the parabola through three of them.
    let tops = peaks.map { k -> (time: Double, height: Double) in
      let (a, b, c) = (Double(samples[k - 1]), Double(samples[k]), Double(samples[k + 1]))
      let shift = (a - c) / (2 * (a - 2 * b + c))
      return ((Double(k) + shift) / 60, b - (a - c) * shift / 4)
    }
    let decay =
      log(tops.first!.height / tops.last!.height) / (tops.last!.time - tops.first!.time)
    #expect(abs(decay / (ratio * 2 * Double.pi * frequency) - 1) < 0.01)
  }

  @Test func aWeldSpringBringsABodyHome() throws {
    var world = try Worlds.empty()
    let id = try world.addBody(
      BodyDefinition(
        shape: try .box(width: 60, height: 40), position: Vector2(300, 200), angle: 2))
    try world.addJoint(
      JointDefinition(
        .weld(angle: 0, frequency: 4, dampingRatio: 0.5), a: id, anchorB: Vector2(50, 60)))
    for _ in 0..<180 { world.step() }
    #expect((world.body(id)!.position - Vector2(50, 60)).length < 0.05)
    #expect(abs(world.body(id)!.angle) < 0.001)
  }

  @Test func aRopeOnlyPulls() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let id = try world.addBody(
      BodyDefinition(shape: try .circle(radius: 10), position: Vector2(0, 20)))
    try world.addJoint(JointDefinition(.rope(length: 120), a: id, anchorB: .zero))
    var farthest: Float = 0
    for tick in 0..<300 {
      world.step()
      if tick == 5 { #expect(world.body(id)!.velocity.y > 90) }
      farthest = max(farthest, world.body(id)!.position.length)
    }
    #expect(farthest < 122)
    #expect(abs(world.body(id)!.position.y - 120) < 1)
  }

  @Test func aHingeKeepsItsLimits() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let id = try world.addBody(
      BodyDefinition(shape: try .box(width: 100, height: 20), position: Vector2(50, 0)))
    try world.addJoint(
      JointDefinition(
        .revolute(limits: -0.5...0.5), a: id, anchorA: Vector2(-50, 0), anchorB: .zero))
    for _ in 0..<240 {
      world.step()
      #expect(world.body(id)!.angle > -0.55 && world.body(id)!.angle < 0.55)
    }
    #expect(abs(world.body(id)!.angle - 0.5) < 0.02)
    let corner = world.body(id)!.position + Vector2(-50, 0).rotated(by: world.body(id)!.rotation)
    #expect(corner.length < 0.5)
  }

  @Test func frictionHoldsAHinge() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let id = try world.addBody(
      BodyDefinition(shape: try .box(width: 100, height: 20), position: Vector2(50, 0)))
    // Weight 0.2 at arm 50 pulls with 10 000.
    try world.addJoint(
      JointDefinition(
        .revolute(frictionTorque: 11_000), a: id, anchorA: Vector2(-50, 0), anchorB: .zero))
    for _ in 0..<120 { world.step() }
    #expect(abs(world.body(id)!.angle) < 0.02)
  }

  @Test func aSliderSlidesAndDoesNotTurn() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let id = try world.addBody(
      BodyDefinition(shape: try .box(width: 40, height: 40), position: Vector2(100, 100)))
    let anchored = try world.addBody(
      BodyDefinition(
        shape: try .circle(radius: 5), position: Vector2(100, 20), properties: Worlds.anchored))
    try world.addJoint(
      JointDefinition(
        .prismatic(axis: Vector2(1, 1), limits: -20...60), a: anchored, b: id,
        anchorB: Vector2(0, -40)))
    try world.applyImpulse(Vector2(20, 0), at: Vector2(100, 80), to: id)
    for _ in 0..<240 { world.step() }
    let state = world.body(id)!
    #expect(abs(state.angle) < 0.02)
    let slid = state.position - Vector2(100, 100)
    #expect(abs(slid.x - slid.y) < 0.5)
    #expect(abs(slid.length - 60) < 0.5)
  }

  @Test func jointsGoWithTheirBodies() throws {
    var world = try Worlds.empty()
    let shape = try BodyShape.circle(radius: 10)
    let a = try world.addBody(BodyDefinition(shape: shape, position: .zero))
    let b = try world.addBody(BodyDefinition(shape: shape, position: Vector2(50, 0)))
    let joint = try world.addJoint(
      JointDefinition(.distance(length: nil), a: a, b: b, anchorB: .zero))
    try world.removeBody(b)
    #expect(!world.contains(joint))
    #expect(throws: PhysicsError.unknownJoint(joint)) { try world.removeJoint(joint) }
    #expect(throws: PhysicsError.unknownBody(b)) {
      try world.addJoint(JointDefinition(.rope(length: 5), a: a, b: b, anchorB: .zero))
    }
    world.step()
  }

  @Test func jointsSurviveASnapshot() throws {
    var a = try Worlds.chain(links: 12)
    for _ in 0..<100 { a.step() }
    var bytes: [UInt8] = []
    a.save(into: &bytes)
    var b = try PhysicsWorld.restore(from: bytes)
    for _ in 0..<100 {
      a.step()
      b.step()
    }
    #expect(a.stateHash() == b.stateHash())
  }
}
