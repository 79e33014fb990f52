import Physics
import Testing

/// Rays against each kind of thing, with answers from geometry, and what is met first.
@Suite struct RayTests {
  private func world(_ shape: BodyShape, at place: Vector2, angle: Float = 0) throws -> PhysicsWorld
  {
    var world = try Worlds.empty()
    try world.addBody(BodyDefinition(shape: shape, position: place, angle: angle))
    return world
  }

  private func expect(
    _ hit: RayHit?, at point: Vector2, normal: Vector2, fraction: Float,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let hit = try #require(hit, sourceLocation: location)
    #expect((hit.point - point).length < 0.01, sourceLocation: location)
    #expect((hit.normal - normal).length < 0.001, sourceLocation: location)
    #expect(abs(hit.fraction - fraction) < 1e-4, sourceLocation: location)
  }

  @Test func aHalfPlaneIsMetFromItsFreeSide() throws {
    var world = try Worlds.empty()
    // A slope through (0, 100), 45° down to the right; free above.
    try world.addBoundary(
      .halfPlane(normal: Vector2(1, -1), offset: -100), id: BoundaryID(0))
    let normal = Vector2(1, -1).normalized
    try expect(
      world.castRay(from: .zero, to: Vector2(0, 200)), at: Vector2(0, 100), normal: normal,
      fraction: 0.5)
    // The end belongs to the ray.
    try expect(
      world.castRay(from: .zero, to: Vector2(0, 100)), at: Vector2(0, 100), normal: normal,
      fraction: 1)
    #expect(world.castRay(from: .zero, to: Vector2(0, 99.9)) == nil)
    // From behind, along it, away from it, and from its rim.
    #expect(world.castRay(from: Vector2(0, 200), to: .zero) == nil)
    #expect(world.castRay(from: .zero, to: Vector2(500, 500)) == nil)
    #expect(world.castRay(from: .zero, to: Vector2(0, -500)) == nil)
    #expect(world.castRay(from: Vector2(0, 100), to: Vector2(0, 200)) == nil)
    #expect(world.castRay(from: Vector2(0, 100), to: Vector2(0, 0)) == nil)
  }

  @Test func aSegmentIsMetFromBothSides() throws {
    var world = try Worlds.empty()
    try world.addBoundary(.segment(Vector2(-50, 0), Vector2(50, 0)), id: BoundaryID(0))
    try expect(
      world.castRay(from: Vector2(10, -40), to: Vector2(10, 40)), at: Vector2(10, 0),
      normal: Vector2(0, -1), fraction: 0.5)
    try expect(
      world.castRay(from: Vector2(10, 30), to: Vector2(10, -90)), at: Vector2(10, 0),
      normal: Vector2(0, 1), fraction: 0.25)
    // Past its end, along it, and from a point of it to either side.
    #expect(world.castRay(from: Vector2(50.1, -40), to: Vector2(50.1, 40)) == nil)
    #expect(world.castRay(from: Vector2(-90, 0), to: Vector2(90, 0)) == nil)
    #expect(world.castRay(from: Vector2(10, 0), to: Vector2(10, 40)) == nil)
    #expect(world.castRay(from: Vector2(10, 0), to: Vector2(10, -40)) == nil)
  }

  @Test func aPolygonIsMetAtItsSides() throws {
    // A right triangle about its centre of area, which lies at a third of its legs.
    let triangle = try BodyShape.polygon([Vector2(0, 0), Vector2(60, 0), Vector2(0, 60)])
    let world = try world(triangle, at: Vector2(20, 20))
    try expect(
      world.castRay(from: Vector2(-40, 10), to: Vector2(60, 10)), at: Vector2(0, 10),
      normal: Vector2(-1, 0), fraction: 0.4)
    try expect(
      world.castRay(from: Vector2(80, 30), to: Vector2(0, 30)), at: Vector2(30, 30),
      normal: Vector2(1, 1).normalized, fraction: 0.625)
    #expect(world.castRay(from: Vector2(80, 30), to: Vector2(31, 30)) == nil)
    #expect(world.castRay(from: Vector2(61, -10), to: Vector2(61, 70)) == nil)
    // Turned by half a turn, its point is where its corner was.
    let turned = try self.world(triangle, at: Vector2(20, 20), angle: DeterministicMath.pi)
    try expect(
      turned.castRay(from: Vector2(80, 30), to: Vector2(0, 30)), at: Vector2(40, 30),
      normal: Vector2(1, 0), fraction: 0.5)
  }

  @Test func aRoundedPolygonIsMetAtItsSidesAndCorners() throws {
    let square = try BodyShape.polygon(
      [Vector2(-20, -20), Vector2(20, -20), Vector2(20, 20), Vector2(-20, 20)], radius: 10)
    let world = try world(square, at: .zero)
    try expect(
      world.castRay(from: Vector2(-130, 5), to: Vector2(70, 5)), at: Vector2(-30, 5),
      normal: Vector2(-1, 0), fraction: 0.5)
    // Onto the rounded corner along its diagonal: 20·√2 + 10 from the middle.
    let reach = (Float(20) * Float(2).squareRoot() + 10) / 2 * Float(2).squareRoot()
    try expect(
      world.castRay(from: Vector2(100, 100), to: .zero), at: Vector2(reach, reach),
      normal: Vector2(1, 1).normalized, fraction: 1 - reach / 100)
    // Past the corner, where a sharp one would be.
    #expect(world.castRay(from: Vector2(29, -60), to: Vector2(60, -20)) == nil)
    #expect(world.castRay(from: Vector2(-100, 29.9), to: Vector2(-21, 29.9)) != nil)
    #expect(world.castRay(from: Vector2(-100, 30.1), to: Vector2(100, 30.1)) == nil)
  }

  @Test func whatHoldsTheStartIsLeftOut() throws {
    for shape in [
      try BodyShape.circle(radius: 20), try .capsule(halfLength: 20, radius: 10),
      try .box(width: 40, height: 40, cornerRadius: 8),
      try .polygon([Vector2(-20, -20), Vector2(20, -20), Vector2(0, 30)], radius: 4),
    ] {
      var world = try world(shape, at: .zero)
      #expect(world.castRay(from: .zero, to: Vector2(200, 0)) == nil)
      #expect(world.castRay(from: Vector2(3, 4), to: Vector2(-200, 7)) == nil)
      // What lies behind it is met.
      let other = try world.addBody(
        BodyDefinition(shape: .circle(radius: 10), position: Vector2(100, 0)))
      #expect(world.castRay(from: .zero, to: Vector2(200, 0))?.target == .body(other))
    }
    let world = try world(.circle(radius: 20), at: .zero)
    // On its outline it is touched, a hair outside it is met.
    #expect(world.castRay(from: Vector2(-20, 0), to: Vector2(200, 0)) == nil)
    #expect(world.castRay(from: Vector2(-20.1, 0), to: Vector2(200, 0)) != nil)
    #expect(world.castRay(from: Vector2(-40, 0), to: Vector2(-40, 0)) == nil)
    #expect(world.castRay(from: Vector2(-.infinity, 0), to: .zero) == nil)
  }

  /// Four things whose surfaces all lie at x = 100.
  @Test func atEqualDistanceTheOrderIsDefined() throws {
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
      var world = try Worlds.empty()
      for k in order {
        switch k {
        case 0:
          try world.addBoundary(
            .halfPlane(normal: Vector2(-1, 0), offset: -100), id: BoundaryID(7))
        case 1:
          try world.addBoundary(
            .segment(Vector2(100, -50), Vector2(100, 50)), id: BoundaryID(-3))
        default:
          try world.addBody(
            BodyDefinition(shape: .box(width: 40, height: 40), position: Vector2(120, 0)))
        }
      }
      let (from, to) = (Vector2.zero, Vector2(200, 0))
      for slot in 0..<2 {
        let hit = try #require(world.castRay(from: from, to: to))
        #expect(hit.target == .body(world.bodyID(atSlot: slot)!))
        #expect(hit.point == Vector2(100, 0))
        try world.removeBody(world.bodyID(atSlot: slot)!)
      }
      #expect(world.castRay(from: from, to: to)?.target == .boundary(BoundaryID(-3)))
      try world.removeBoundary(id: BoundaryID(-3))
      #expect(world.castRay(from: from, to: to)?.target == .boundary(BoundaryID(7)))
    }
  }
}
