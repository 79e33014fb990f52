import Physics
import Testing

/// How hard things hit each other, against what mechanics says.
@Suite struct HitTests {
  /// Steps until something begins to touch.
  private func firstEvent(_ world: inout PhysicsWorld) throws -> ContactEvent {
    for _ in 0..<600 {
      world.step()
      if let event = world.contactEvents.began.first { return event }
    }
    return try #require(nil, "nothing touched")
  }

  private func expect(
    _ event: ContactEvent, speed: Float, impulse: Float, within share: Float = 0.01,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(abs(event.speed - speed) <= share * speed, sourceLocation: location)
    #expect(abs(event.impulse - impulse) <= share * impulse, sourceLocation: location)
  }

  /// A body of mass 1 falls 200 pt: √(2·1000·200) = 632.5.
  @Test(arguments: [Float(0), 0.5, 1], [false, true])
  func whatFallsLandsWithItsSpeed(restitution: Float, isBox: Bool) throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -300), id: 1)
    let shape =
      isBox ? try BodyShape.box(width: 100, height: 100) : try BodyShape.circle(radius: 56.41896)
    let half = shape.size.y / 2
    let body = try world.addBody(
      BodyDefinition(
        shape: shape, position: Vector2(0, 100 - half),
        properties: Worlds.properties(restitution: restitution)))
    #expect(abs(world.mass(of: body)! - 1) < 1e-4)
    let event = try firstEvent(&world)
    #expect(event.body == body && event.other == .boundary(1))
    expect(event, speed: 632.5, impulse: 632.5 * (1 + restitution), within: 0.05)
  }

  /// Masses 1 and 3 meet at 400 pt/s: the reduced mass is 3/4.
  @Test(arguments: [Float(0), 0.5, 1], [false, true])
  func twoThatMeetShareTheirReducedMass(restitution: Float, isBox: Bool) throws {
    var world = try Worlds.empty()
    let shape =
      isBox ? try BodyShape.box(width: 100, height: 100) : try BodyShape.circle(radius: 56.41896)
    var definition = BodyDefinition(
      shape: shape, position: .zero, properties: Worlds.properties(restitution: restitution))
    definition.velocity = Vector2(300, 0)
    let a = try world.addBody(definition)
    definition.position = Vector2(300, 0)
    definition.velocity = Vector2(-100, 0)
    definition.properties.density = 3
    let b = try world.addBody(definition)
    let event = try firstEvent(&world)
    #expect(event.body == a && event.other == .body(b))
    expect(event, speed: 400, impulse: 300 * (1 + restitution))
  }

  /// A box that lands on a corner turns: at the arm r the mass that meets is 1 / (1/m + r²/I).
  @Test func aCornerHitsWithLess() throws {
    var world = try Worlds.empty()
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -300), id: 1)
    let box = try BodyShape.box(width: 100, height: 100)
    var definition = BodyDefinition(shape: box, position: .zero, angle: 0.3)
    definition.velocity = Vector2(0, 500)
    try world.addBody(definition)
    let arm = 50 * (DeterministicMath.cosine(0.3) - DeterministicMath.sine(0.3))
    let event = try firstEvent(&world)
    expect(
      event, speed: 500, impulse: 500 / (1 + arm * arm / box.inertiaPerMass), within: 0.03)
  }

  /// What lands on a box that stands on the floor is stopped by both.
  @Test func amongManyItIsRoughlyRight() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -300), id: 1)
    let box = try BodyShape.box(width: 100, height: 100)
    try world.addBody(BodyDefinition(shape: box, position: Vector2(0, 250)))
    for _ in 0..<60 { world.step() }
    var definition = BodyDefinition(shape: box, position: Vector2(0, 50))
    definition.velocity = Vector2(0, 600)
    try world.addBody(definition)
    let event = try firstEvent(&world)
    #expect(event.speed > 590 && event.speed < 800)
    #expect(event.impulse > 0.45 * event.speed && event.impulse < 1.05 * event.speed)
  }

  @Test func whatEndsHasNone() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -300), id: 1)
    let ball = try world.addBody(
      BodyDefinition(
        shape: try .circle(radius: 20), position: Vector2(0, 200),
        properties: Worlds.properties(restitution: 0.8)))
    var ended: [ContactEvent] = []
    for _ in 0..<60 where ended.isEmpty {
      world.step()
      ended = world.contactEvents.ended
    }
    #expect(ended.first?.body == ball && ended.first?.speed == 0 && ended.first?.impulse == 0)
  }

  /// Each hit of everything that goes on in a pit is a number, and not less than nothing.
  @Test func everyHitIsANumber() throws {
    var world = try Worlds.pit(bodies: 80, seed: 31)
    var hits = 0
    for _ in 0..<300 {
      Worlds.turnGravity(&world)
      world.step()
      for event in world.contactEvents.began {
        hits += 1
        #expect(event.speed >= 0 && event.speed < 2 * PhysicsWorld.speedLimit)
        #expect(event.impulse >= 0 && event.impulse.isFinite)
      }
    }
    #expect(hits > 200)
  }
}
