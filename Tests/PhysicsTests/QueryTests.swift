import Physics
import Testing

@Suite struct QueryTests {
  private func world() throws -> (PhysicsWorld, [BodyID]) {
    var world = try Worlds.empty()
    let ids = [
      try world.addBody(
        BodyDefinition(shape: try .circle(radius: 20), position: Vector2(100, 100))),
      try world.addBody(
        BodyDefinition(shape: try .box(width: 40, height: 20), position: Vector2(110, 100))),
      try world.addBody(
        BodyDefinition(
          shape: try .capsule(halfLength: 20, radius: 10), position: Vector2(300, 100),
          angle: DeterministicMath.pi / 2)),
    ]
    try world.addBoundary(.segment(Vector2(400, 0), Vector2(400, 200)), id: BoundaryID(5))
    return (world, ids)
  }

  @Test func aRectangleFindsWhatItMeetsInSlotOrder() throws {
    let (world, ids) = try world()
    var found: [BodyID] = []
    world.bodies(in: Rect2(x: 0, y: 0, width: 91, height: 200), into: &found)
    #expect(found == [ids[0], ids[1]])
    world.bodies(in: Rect2(x: 305, y: 125, width: 10, height: 10), into: &found)
    #expect(found == [ids[2]])
    world.bodies(in: Rect2(x: 0, y: 300, width: 500, height: 10), into: &found)
    #expect(found.isEmpty)
  }

  @Test func aPointFindsTheTopmost() throws {
    let (world, ids) = try world()
    #expect(world.body(at: Vector2(100, 100)) == ids[1])
    #expect(world.body(at: Vector2(100, 118)) == ids[0])
    #expect(world.body(at: Vector2(300, 129)) == ids[2])
    #expect(world.body(at: Vector2(300, 131)) == nil)
    #expect(world.body(at: Vector2(311, 100)) == nil)
  }

  @Test func aRayMeetsTheNearest() throws {
    let (world, ids) = try world()
    let first = try #require(world.castRay(from: Vector2(0, 105), to: Vector2(500, 105)))
    #expect(first.target == .body(ids[0]))
    #expect(abs(first.point.x - 80.635) < 0.01)
    let second = try #require(world.castRay(from: Vector2(200, 100), to: Vector2(500, 100)))
    #expect(second.target == .body(ids[2]))
    #expect(abs(second.point.x - 290) < 0.01)
    #expect(second.normal == Vector2(-1, 0) || abs(second.normal.x + 1) < 1e-4)
    let third = try #require(world.castRay(from: Vector2(350, 100), to: Vector2(500, 100)))
    #expect(third.target == .boundary(BoundaryID(5)))
    #expect(third.point == Vector2(400, 100))
    #expect(world.castRay(from: Vector2(0, 300), to: Vector2(500, 300)) == nil)
  }
}
