import Physics
import Testing

@Suite struct MotionTests {
  /// Semi-implicit Euler: after k sub-steps of h from rest, v = g·h·k and y = g·h²·k(k+1)/2.
  @Test func freeFallFollowsTheIntegratorsClosedForm() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let id = try world.addBody(
      BodyDefinition(shape: try .circle(radius: 20), position: .zero))
    for _ in 0..<60 { world.step() }
    let h = 1.0 / 360
    let k = 360.0
    #expect(abs(Double(world.body(id)!.velocity.y) - 1000 * h * k) < 0.1)
    #expect(abs(Double(world.body(id)!.position.y) - 1000 * h * h * k * (k + 1) / 2) < 0.1)
  }

  @Test func projectileKeepsItsSidewaysSpeed() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    var definition = BodyDefinition(shape: try .box(width: 40, height: 40), position: .zero)
    definition.velocity = Vector2(300, -500)
    definition.angularVelocity = 3
    let id = try world.addBody(definition)
    for _ in 0..<60 { world.step() }
    let state = world.body(id)!
    #expect(abs(state.position.x - 300) < 0.05)
    #expect(state.velocity.x == 300)
    #expect(abs(state.velocity.y - 500) < 0.1)
    #expect(abs(state.angle - 3) < 0.001)
  }

  @Test(arguments: [Float(0.3), 0.6, 0.9, 1], 0..<3)
  func aBounceReachesTheSquareOfTheRestitution(e: Float, ground: Int) throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    switch ground {
    case 0:
      try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -320), id: BoundaryID(1))
    case 1: try world.addBoundary(.segment(Vector2(-99, 320), Vector2(99, 320)), id: BoundaryID(1))
    default:
      try world.addBody(
        BodyDefinition(
          shape: try .box(width: 200, height: 20), position: Vector2(0, 330),
          properties: Worlds.anchored))
    }
    let id = try world.addBody(
      BodyDefinition(
        shape: try .circle(radius: 20), position: .zero,
        properties: Worlds.properties(restitution: e)))
    var bounced = false
    var peak = Float.infinity
    for _ in 0..<160 {
      world.step()
      let state = world.body(id)!
      if state.velocity.y < 0 { bounced = true }
      if bounced { peak = min(peak, state.position.y) }
      if bounced && state.velocity.y > 0 { break }
    }
    // The integrator takes a sub-step's pull before it moves: that costs half a sub-step's way.
    let start = e * Float(2 * 1000 * 300).squareRoot()
    let expected = start * start / 2000 - start / 720
    #expect(bounced && abs((300 - peak) / expected - 1) < 0.01, "\(300 - peak) of \(expected)")
  }

  /// Onto a half-plane, onto a segment, onto an anchored box: two points that bounce together.
  @Test(arguments: [(Float(100), Float(100)), (200, 20), (20, 100)], [Float(0.5), 1])
  func aFlatBoxBouncesAsABallDoes(size: (Float, Float), e: Float) throws {
    let ground = BoundaryID(1)
    for kind in 0..<3 {
      var world = try Worlds.empty()
      switch kind {
      case 0: try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -400), id: ground)
      case 1: try world.addBoundary(.segment(Vector2(-500, 400), Vector2(500, 400)), id: ground)
      default:
        try world.addBody(
          BodyDefinition(
            shape: try .box(width: 1000, height: 20), position: Vector2(0, 410),
            properties: Worlds.anchored))
      }
      var definition = BodyDefinition(
        shape: try .box(width: size.0, height: size.1), position: .zero,
        properties: Worlds.properties(restitution: e))
      definition.velocity = Vector2(0, 900)
      let id = try world.addBody(definition)
      for _ in 0..<45 { world.step() }
      #expect(abs(world.body(id)!.velocity.y + 900 * e) < 1)
      #expect(abs(world.body(id)!.angularVelocity) < 0.01)
    }
  }

  @Test func aPileRestsInsideItsBox() throws {
    var world = try Worlds.pit(bodies: 100, seed: 1)
    for _ in 0..<600 { world.step() }
    var fastest: Float = 0
    world.forEachBody { _, state in
      #expect(state.position.isFinite)
      #expect(state.position.x > 10 && state.position.x < 510)
      #expect(state.position.y > 10 && state.position.y < 510)
      fastest = max(fastest, state.velocity.length)
    }
    #expect(fastest < 2)
  }
}
