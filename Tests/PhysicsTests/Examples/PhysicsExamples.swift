import Physics
import Testing

/// The listings of the documentation of `Physics`, word for word, with what they promise. A test of
/// the house compares the texts.
@Suite struct PhysicsExamples {
  private func room() throws -> (PhysicsWorld, BodyID) {
    var world = try PhysicsWorld()
    world.gravity = Vector2(0, 1000)
    try world.addBoundary(.inside(Rect2(x: 0, y: 0, width: 400, height: 300)), id: 0)

    var ball = BodyDefinition(shape: try .circle(radius: 20), position: Vector2(200, 50))
    ball.properties.restitution = 0.5
    let id = try world.addBody(ball)

    for _ in 0..<60 { world.step() }
    return (world, id)
  }

  @Test func aBallInARoom() throws {
    let (world, id) = try room()
    var height: Float = 0
    if let state = world.body(id) { height = 280 - state.position.y }
    #expect(height >= -1 && height < 230)
  }

  @Test func anOutlineMayBeConcave() throws {
    var (world, _) = try room()
    let hook = try CompoundShape(outline: [
      Vector2(0, 0), Vector2(20, 0), Vector2(20, 60), Vector2(60, 60), Vector2(60, 80),
      Vector2(0, 80),
    ])
    let hanger = try world.addBody(BodyDefinition(shape: hook, position: Vector2(120, 200)))

    let dumbbell = try CompoundShape([
      CompoundShape.Part(.circle(radius: 20), at: Vector2(-50, 0)),
      CompoundShape.Part(.capsule(halfLength: 40, radius: 5)),
      CompoundShape.Part(.circle(radius: 20), at: Vector2(50, 0)),
    ])
    #expect(world.shapes(of: hanger).count == 2 && dumbbell.shapes.count == 3)
  }

  @Test func aCopyIsASnapshot() throws {
    var (world, id) = try room()
    let before = world
    var bytes: [UInt8] = []
    world.save(into: &bytes)

    for _ in 0..<30 { world.step() }
    world = before
    let same = try PhysicsWorld.restore(from: bytes)
    #expect(same.stateHash() == world.stateHash() && same.body(id) == before.body(id))
  }

  @Test func eventsTellHowHardItHits() throws {
    var (world, id) = try room()
    try world.setPosition(Vector2(200, 50), of: id)
    var loudest: Float = 0
    for _ in 0..<60 {
      world.step()
      for event in world.contactEvents.began {
        loudest = max(loudest, event.impulse)
      }
    }
    #expect(loudest > 50)
  }

  @Test func aRayLooksAhead() throws {
    let (world, id) = try room()
    let eye = Vector2(200, 10)
    let hit = world.castRay(from: eye, to: Vector2(200, 290), filter: .excluding(id))
    #expect(hit == nil)
    var everything: [RayHit] = []
    world.castRay(from: eye, to: Vector2(200, 400), into: &everything)
    #expect(everything.map(\.target) == [.body(id), .boundary(0)])
  }

  @Test func aShapeFindsRoom() throws {
    let (world, id) = try room()
    let crate = try BodyShape.box(width: 60, height: 60)
    var taken: [ContactPartner] = []
    world.overlaps(of: crate, at: Vector2(60, 60), into: &taken)
    let isFree = taken.isEmpty
    let landing = world.cast(crate, from: Vector2(60, 60), to: Vector2(60, 600))
    #expect(isFree && landing?.target == .boundary(0) && landing?.target != .body(id))
  }

  @Test func whoStandsOnWhat() throws {
    var (world, id) = try room()
    for _ in 0..<300 { world.step() }
    var partners: [TouchingPartner] = []
    world.touching(id, into: &partners)
    let weight = partners.first?.force ?? 0
    #expect(abs(weight - 1000 * world.mass(of: id)!) < 10)
  }

  @Test func aSensorIsADoor() throws {
    var (world, id) = try room()
    var door = BodyDefinition(shape: try .box(width: 80, height: 300), position: Vector2(340, 150))
    door.properties.kind = .anchored
    door.properties.isSensor = true
    let sensor = try world.addBody(door)

    try world.setVelocity(Vector2(400, 0), of: id)
    var visits = 0
    for _ in 0..<60 {
      world.step()
      for event in world.sensorEvents.entered where event.sensor == sensor { visits += 1 }
    }
    #expect(visits >= 1)
  }

  @Test func iceAndALedge() throws {
    var (world, id) = try room()
    var ice = BoundaryProperties()
    ice.friction = 0
    ice.restitution = 0.9
    try world.addBoundary(
      .segment(Vector2(0, 250), Vector2(150, 250)), id: 1, properties: ice)

    var ledge = BoundaryProperties()
    ledge.isOneWay = true
    try world.addBoundary(
      .segment(Vector2(150, 150), Vector2(250, 150)), id: 2, properties: ledge)
    try world.setPosition(Vector2(200, 270), of: id)
    try world.setVelocity(Vector2(0, -700), of: id)
    for _ in 0..<240 { world.step() }
    #expect(world.isTouching(id, .boundary(2)))
  }

  @Test func aWheelAndABridge() throws {
    var (world, _) = try room()
    let wheel = try world.addBody(
      BodyDefinition(shape: .circle(radius: 30), position: Vector2(100, 150)))
    try world.addJoint(
      JointDefinition(
        .revolute(frictionTorque: 1e6, motorSpeed: -3), a: wheel, anchorB: Vector2(100, 150)))

    var rope = JointDefinition(.rope(length: 40), a: wheel, anchorB: Vector2(100, 110))
    rope.breakingForce = 1500
    try world.addJoint(rope)

    world.step()
    for joint in world.brokenJoints { #expect(!world.contains(joint)) }
    #expect(world.jointCount == 2)
    #expect(abs(world.body(wheel)!.angularVelocity - 3) < 0.1)
  }

  @Test func aPicture() throws {
    let (world, _) = try room()
    var drawing = SVGDrawing(view: Rect2(x: 0, y: 0, width: 400, height: 300))
    world.draw(into: &drawing, view: drawing.view)
    let picture = drawing.svg
    #expect(picture.contains("class=\"body\""))
  }
}
