import Foundation
import Physics
import Testing

/// What a body's properties and what is done to it come to, in numbers.
@Suite struct BodyFeatureTests {
  private let h = 1.0 / 360

  private func box(
    _ world: inout PhysicsWorld, _ change: (inout BodyProperties) -> Void = { _ in }
  ) throws -> BodyID {
    var p = BodyProperties()
    change(&p)
    return try world.addBody(
      BodyDefinition(
        shape: try .box(width: 100, height: 50), position: Vector2(7, 9), properties: p))
  }

  /// Each sub-step divides by 1 + h·d.
  @Test(arguments: [Float(0.1), 1, 4, 30])
  func dampingFollowsItsClosedForm(damping: Float) throws {
    var world = try Worlds.empty()
    let id = try box(&world) {
      $0.linearDamping = damping
      $0.angularDamping = 2 * damping
    }
    try world.setVelocity(Vector2(600, -80), of: id)
    try world.setAngularVelocity(5, of: id)
    for _ in 0..<30 { world.step() }
    let linear = pow(1 + h * Double(damping), -180)
    let angular = pow(1 + h * 2 * Double(damping), -180)
    let state = world.body(id)!
    #expect(abs(Double(state.velocity.x) - 600 * linear) < 600 * 2e-5)
    #expect(abs(Double(state.velocity.y) + 80 * linear) < 80 * 2e-5)
    #expect(abs(Double(state.angularVelocity) - 5 * angular) < 5 * 2e-5)
    // And so near to e^(−d·t): the way is its sum.
    let r = 1 / (1 + h * Double(damping))
    let way = 600 * h * r * (1 - pow(r, 180)) / (1 - r)
    #expect(abs(Double(state.position.x) - 7 - way) < 0.05)
  }

  /// Under gravity it comes to g/d.
  @Test func aDampedFallReachesItsLastSpeed() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let id = try box(&world) { $0.linearDamping = 5 }
    for _ in 0..<240 { world.step() }
    #expect(abs(world.body(id)!.velocity.y - 200) < 1)
  }

  @Test(arguments: [Float(-1), 0, 0.25, 2])
  func gravityIsScaled(scale: Float) throws {
    var world = try Worlds.empty(gravity: Vector2(300, 1000))
    let id = try box(&world) { $0.gravityScale = scale }
    for _ in 0..<60 { world.step() }
    #expect((world.body(id)!.velocity - Vector2(300, 1000) * scale).length < 0.1)
  }

  /// A force lasts for the whole of the next step and no longer; F·t/m and r×F·t/I.
  @Test(arguments: [Float(0.5), 1, 7])
  func aForceGivesItsMomentumOnce(density: Float) throws {
    var world = try Worlds.empty()
    let id = try box(&world) { $0.density = density }
    let mass = 0.5 * density
    #expect(abs(world.mass(of: id)! - mass) < 1e-6)
    let inertia = mass * (100 * 100 + 50 * 50) / 12
    try world.applyForce(Vector2(600, -240), at: Vector2(7 + 30, 9 - 10), to: id)
    try world.applyForce(Vector2(60, 0), to: id)
    try world.applyTorque(9000, to: id)
    for _ in 0..<5 {
      world.step()
      let state = world.body(id)!
      #expect((state.velocity - Vector2(11, -4) / mass).length < 1e-4 / mass)
      // 30·(−240) − (−10)·600 = −1200.
      #expect(abs(state.angularVelocity - (9000 - 1200) / 60 / inertia) < 1e-5 / mass)
    }
  }

  @Test func anImpulseActsAtOnceAndAtItsPoint() throws {
    var world = try Worlds.empty()
    let id = try box(&world)
    let inertia: Float = 0.5 * 12_500 / 12
    try world.applyImpulse(Vector2(20, 10), at: Vector2(7 - 40, 9 + 20), to: id)
    #expect(world.body(id)!.velocity == Vector2(40, 20))
    // −40·10 − 20·20 = −800.
    #expect(abs(world.body(id)!.angularVelocity + 800 / inertia) < 1e-5)
    try world.applyAngularImpulse(800, to: id)
    #expect(abs(world.body(id)!.angularVelocity) < 1e-5)
    try world.applyImpulse(Vector2(-20, -10), to: id)
    #expect(world.body(id)!.velocity.length < 1e-4)
  }

  /// Struck off its centre, pushed, set: what may not turn does not, and behaves as a point mass.
  @Test func fixedRotationDoesNotTurn() throws {
    var world = try Worlds.empty()
    let id = try box(&world) {
      $0.allowsRotation = false
      $0.restitution = 1
    }
    try world.setRotation(Rotation(angle: 0.5), of: id)
    let angle = world.body(id)!.angle
    try world.applyImpulse(Vector2(0, 50), at: Vector2(57, 9), to: id)
    try world.applyAngularImpulse(1000, to: id)
    try world.applyTorque(1e6, to: id)
    try world.setAngularVelocity(9, of: id)
    #expect(world.body(id)!.angularVelocity == 0 && world.body(id)!.velocity == Vector2(0, 100))
    var ball = BodyDefinition(
      shape: try .circle(radius: 10), position: Vector2(45, 190),
      properties: Worlds.properties(restitution: 1, density: 0.5 / 0.031_415_927))
    ball.velocity = Vector2(0, -400)
    let other = try world.addBody(ball)
    #expect(abs(world.mass(of: other)! - 0.5) < 1e-4)
    var touched = false
    for _ in 0..<60 {
      world.step()
      touched = touched || !world.contactEvents.began.isEmpty
      #expect(world.body(id)!.angle == angle && world.body(id)!.angularVelocity == 0)
    }
    #expect(touched)
    // Equal masses, no turning: along the normal the two have exchanged their speeds.
    let relative = world.body(id)!.velocity - world.body(other)!.velocity
    let energy = world.body(id)!.velocity.lengthSquared + world.body(other)!.velocity.lengthSquared
    #expect(abs(relative.length - 500) < 1)
    #expect(abs(energy / (100 * 100 + 400 * 400) - 1) < 0.005)
  }

  /// A body that may turn again has its inertia again.
  @Test func rotationCanBeAllowedAgain() throws {
    var world = try Worlds.empty()
    let id = try box(&world) { $0.allowsRotation = false }
    var p = world.properties(of: id)!
    p.allowsRotation = true
    try world.setProperties(p, of: id)
    try world.applyAngularImpulse(0.5 * 12_500 / 12, to: id)
    #expect(abs(world.body(id)!.angularVelocity - 1) < 1e-5)
  }
}
