import Physics
import Testing

@Suite struct EventTests {
  @Test func touchingAndLeavingAreReportedOnce() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -200), id: BoundaryID(9))
    let id = try world.addBody(
      BodyDefinition(
        shape: try .circle(radius: 20), position: Vector2(0, 100),
        properties: Worlds.properties(restitution: 0.8)))
    var began = 0
    var ended = 0
    for _ in 0..<60 {
      world.step()
      for event in world.contactEvents.began {
        #expect(event.body == id)
        #expect(event.other == .boundary(BoundaryID(9)))
        #expect(abs(event.point.y - 200) < 12)
        began += 1
      }
      ended += world.contactEvents.ended.count
      if ended == 1 && world.body(id).velocity.y > 0 { break }
    }
    #expect(began == 1)
    #expect(ended == 1)
  }

  @Test func aRemovedBoundaryEndsItsContacts() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    try world.addBoundary(.segment(Vector2(-50, 0), Vector2(50, 0)), id: BoundaryID(2))
    let id = try world.addBody(
      BodyDefinition(shape: try .box(width: 40, height: 40), position: Vector2(0, -20)))
    for _ in 0..<30 { world.step() }
    #expect(abs(world.body(id).position.y + 20) < 1)
    try world.removeBoundary(id: BoundaryID(2))
    world.step()
    #expect(world.contactEvents.ended.count == 1)
    for _ in 0..<30 { world.step() }
    #expect(world.body(id).position.y > 50)
  }
}
