import Physics
import Testing

/// Rays and shapes on ways of any length.
@Suite struct FarRayTests {
  /// A wall at x = 100 and a disc of radius 20 at (0, 1000).
  private func world() throws -> (PhysicsWorld, disc: BodyID) {
    var world = try Worlds.empty()
    try world.addBoundary(.segment(Vector2(100, -500), Vector2(100, 500)), id: 1)
    let disc = try world.addBody(
      BodyDefinition(shape: .circle(radius: 20), position: Vector2(0, 1000)))
    return (world, disc)
  }

  @Test(arguments: [Float(1e6), 1e9, 2e9, 1e12, 1e19, 2e19, 1e30, 3e38])
  func aLongRayMeetsWhatIsNear(length: Float) throws {
    let (world, disc) = try world()
    let wall = try #require(world.castRay(from: .zero, to: Vector2(length, 0)))
    #expect(wall.target == .boundary(1) && wall.normal == Vector2(-1, 0))
    #expect((wall.point - Vector2(100, 0)).length < 0.01)
    #expect(abs(wall.fraction * (length / 100) - 1) < 1e-4)
    let round = try #require(world.castRay(from: .zero, to: Vector2(0, length)))
    #expect(round.target == .body(disc))
    #expect((round.point - Vector2(0, 980)).length < 1)
    #expect((round.normal - Vector2(0, -1)).length < 0.05)
    var all: [RayHit] = []
    world.castRay(from: .zero, to: Vector2(length, 0), into: &all)
    #expect(all == [wall])
    // Aslant: 100 pt along, 50 across.
    let aslant = try #require(world.castRay(from: .zero, to: Vector2(length, 0.5 * length)))
    #expect((aslant.point - Vector2(100, 50)).length < 0.01)
    #expect(world.castRay(from: .zero, to: Vector2(-length, 0)) == nil)
  }

  /// With both ends far away a place between them is known roughly only.
  @Test func aRayMayComeFromAnywhere() throws {
    let (world, _) = try world()
    for far in [Float(2e9), 1e12, 1e19] {
      let hit = try #require(world.castRay(from: Vector2(-far, 0), to: Vector2(far, 0)))
      #expect(hit.target == .boundary(1) && hit.normal == Vector2(-1, 0))
      #expect(abs(hit.fraction - 0.5) < 1e-5 && abs(hit.point.x - 100) < 300)
      let back = try #require(world.castRay(from: Vector2(far, 0), to: .zero))
      #expect(back.normal == Vector2(1, 0) && abs(back.fraction - 1) < 1e-5)
    }
  }

  /// What lies beyond a thousand million points is not met.
  @Test func beyondItsRangeARayMeetsNothing() throws {
    var (world, _) = try world()
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -2000), id: 2)
    let far = 1.1 * PhysicsLimit.ray
    #expect(world.castRay(from: Vector2(far, 0), to: Vector2(far, 4000)) == nil)
    #expect(world.castRay(from: Vector2(far, far), to: Vector2(3e38, 3e38)) == nil)
    let near = 0.9 * PhysicsLimit.ray
    #expect(
      world.castRay(from: Vector2(near, 0), to: Vector2(near, 4000))?.target == .boundary(2))
    #expect(world.castRay(from: Vector2(.nan, 0), to: Vector2(3e38, 0)) == nil)
    #expect(world.castRay(from: .zero, to: Vector2(.infinity, 0)) == nil)
  }

  @Test(arguments: [Float(1e6), 2e9, 1e19, 3e38]) func shapesGoFarAsWell(length: Float) throws {
    let (world, disc) = try world()
    let ball = try BodyShape.circle(radius: 10)
    let wall = try #require(world.cast(ball, from: .zero, to: Vector2(length, 0)))
    #expect(wall.target == .boundary(1) && (wall.point - Vector2(100, 0)).length < 0.05)
    #expect(abs(wall.fraction * (length / 90) - 1) < 1e-3)
    var all: [RayHit] = []
    world.cast(ball, from: .zero, to: Vector2(0, length), into: &all)
    let round = try #require(all.first)
    #expect(all.map(\.target) == [.body(disc)])
    #expect(abs(round.fraction * (length / 970) - 1) < 1e-3)
    #expect(world.cast(ball, from: .zero, to: Vector2(0, -length)) == nil)
  }
}
