import Physics
import Testing

/// Filters and lists of rays, overlaps of shapes, and shapes on their way.
@Suite struct ShapeQueryTests {
  /// Discs of radius 10 at x = 100, 200, 300 in the groups 1, 2 and 4, and a wall at x = 400 in
  /// group 8.
  private func row() throws -> (PhysicsWorld, [BodyID]) {
    var world = try Worlds.empty()
    var ids: [BodyID] = []
    for k in 0..<3 {
      var properties = BodyProperties()
      properties.collisionGroup = 1 << UInt32(k)
      ids.append(
        try world.addBody(
          BodyDefinition(
            shape: .circle(radius: 10), position: Vector2(100 * Float(k + 1), 0),
            properties: properties)))
    }
    try world.addBoundary(
      .segment(Vector2(400, -50), Vector2(400, 50)), id: 1, collisionGroup: 8)
    return (world, ids)
  }

  private let end = Vector2(1000, 0)

  private func filter(_ change: (inout QueryFilter) -> Void) -> QueryFilter {
    var filter = QueryFilter()
    change(&filter)
    return filter
  }

  @Test func aFilterSaysWhatARayMeets() throws {
    let (world, ids) = try row()
    func target(_ filter: QueryFilter) -> ContactPartner? {
      world.castRay(from: .zero, to: end, filter: filter)?.target
    }
    #expect(target(.all) == .body(ids[0]))
    #expect(target(.excluding(ids[0])) == .body(ids[1]))
    #expect(target(filter { $0.collisionMask = 4 }) == .body(ids[2]))
    #expect(target(filter { $0.collisionMask = 8 }) == .boundary(1))
    #expect(target(filter { $0.collisionMask = 16 }) == nil)
    #expect(target(filter { $0.meetsBodies = false }) == .boundary(1))
    #expect(
      target(
        filter {
          $0.collisionMask = 8
          $0.meetsBoundaries = false
        }) == nil)
    // A name of somebody else excludes nobody.
    #expect(target(.excluding(BodyID(slot: 0, generation: 77))) == .body(ids[0]))
  }

  @Test func allHitsComeInOrder() throws {
    var (world, ids) = try row()
    try world.addBoundary(
      .chain(
        [Vector2(500, -50), Vector2(500, 50), Vector2(600, 50), Vector2(600, -50)], closed: true),
      id: -7)
    var hits: [RayHit] = []
    world.castRay(from: .zero, to: end, into: &hits)
    #expect(
      hits.map(\.target) == ids.map { .body($0) } + [.boundary(1), .boundary(-7)])
    let places: [Float] = [90, 190, 290, 400, 500]
    for (hit, x) in zip(hits, places) {
      #expect((hit.point - Vector2(x, 0)).length < 0.01 && abs(hit.fraction - x / 1000) < 1e-5)
      #expect((hit.normal - Vector2(-1, 0)).length < 1e-4)
    }
    world.castRay(from: end, to: .zero, filter: .excluding(ids[1]), into: &hits)
    #expect(
      hits.map(\.target)
        == [.boundary(-7), .boundary(1), .body(ids[2]), .body(ids[0])])
    #expect(hits[0].point == Vector2(600, 0))
    world.castRay(from: .zero, to: Vector2(.nan, 0), into: &hits)
    #expect(hits.isEmpty)
    // A single ray meets the first of the list.
    world.castRay(from: .zero, to: end, into: &hits)
    #expect(world.castRay(from: .zero, to: end) == hits[0])
  }

  @Test func aShapeOverlapsWhatItTouches() throws {
    let (world, ids) = try row()
    var found: [ContactPartner] = []
    let disc = try BodyShape.circle(radius: 20)
    func overlaps(_ shape: BodyShape, _ x: Float, _ y: Float = 0, angle: Float = 0)
      -> [ContactPartner]
    {
      world.overlaps(of: shape, at: Vector2(x, y), angle: angle, into: &found)
      return found
    }
    #expect(overlaps(disc, 70.1) == [.body(ids[0])])
    #expect(overlaps(disc, 69.9).isEmpty)
    // Beside each other at 45°: 30 pt between the centres.
    #expect(overlaps(disc, 100 + 21.2, 21.2) == [.body(ids[0])])
    #expect(overlaps(disc, 100 + 21.3, 21.3).isEmpty)
    #expect(overlaps(disc, 380.1) == [.boundary(1)] && overlaps(disc, 379.9).isEmpty)
    // Past the wall's end.
    #expect(overlaps(disc, 400, 69.9) == [.boundary(1)] && overlaps(disc, 400, 70.1).isEmpty)
    // A square of side 40 reaches 28.28 pt with its corner when it stands on it.
    let square = try BodyShape.box(width: 40, height: 40)
    #expect(overlaps(square, 71, 0).isEmpty == false && overlaps(square, 69, 0).isEmpty)
    let turned = DeterministicMath.pi / 4
    #expect(overlaps(square, 62, 0, angle: turned) == [.body(ids[0])])
    #expect(overlaps(square, 61.5, 0, angle: turned).isEmpty)
    // The rounded corner of a square is not where a sharp one would be.
    let rounded = try BodyShape.box(width: 40, height: 40, cornerRadius: 10)
    #expect(overlaps(square, 73, 27).count == 1 && overlaps(rounded, 73, 27).isEmpty)
    // A plank across everything, in order; one inside another.
    let plank = try BodyShape.box(width: 1000, height: 2)
    #expect(overlaps(plank, 300) == ids.map { .body($0) } + [.boundary(1)])
    #expect(overlaps(try .circle(radius: 1), 200) == [.body(ids[1])])
    world.overlaps(of: plank, at: Vector2(300, 0), filter: .excluding(ids[1]), into: &found)
    #expect(found == [.body(ids[0]), .body(ids[2]), .boundary(1)])
    world.overlaps(of: plank, at: Vector2(.infinity, 0), into: &found)
    #expect(found.isEmpty)
  }

  @Test func aHalfPlaneIsOverlappedHoweverDeep() throws {
    var world = try Worlds.empty()
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -100), id: 1)
    var found: [ContactPartner] = []
    let triangle = try BodyShape.polygon([Vector2(0, 0), Vector2(60, 0), Vector2(0, 60)])
    // Its lower corner is 40 pt below the centre of area.
    for (y, count) in [(Float(59.9), 0), (60.1, 1), (5000, 1)] {
      world.overlaps(of: triangle, at: Vector2(0, y), into: &found)
      #expect(found.count == count, "at \(y)")
    }
  }

  private func expect(
    _ hit: RayHit?, fraction: Float, point: Vector2, normal: Vector2,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let hit = try #require(hit, sourceLocation: location)
    #expect(abs(hit.fraction - fraction) < 2e-4, sourceLocation: location)
    #expect((hit.point - point).length < 0.1, sourceLocation: location)
    #expect((hit.normal - normal).length < 0.01, sourceLocation: location)
  }

  @Test func aShapeOnItsWayStopsWhereItTouches() throws {
    let (world, ids) = try row()
    // Discs of 10 and 20 touch when their centres are 30 apart.
    let disc = try BodyShape.circle(radius: 20)
    try expect(
      world.cast(disc, from: .zero, to: Vector2(100, 0)), fraction: 0.7, point: Vector2(90, 0),
      normal: Vector2(-1, 0))
    // 18 pt above the line of centres: √(30² − 18²) = 24 before it.
    try expect(
      world.cast(disc, from: Vector2(0, -18), to: Vector2(100, -18)), fraction: 0.76,
      point: Vector2(92, -6), normal: Vector2(-0.8, -0.6))
    #expect(world.cast(disc, from: Vector2(0, -30.1), to: Vector2(379, -30.1)) == nil)
    #expect(world.cast(disc, from: .zero, to: Vector2(69, 0)) == nil)
    // A square on its corner.
    let square = try BodyShape.box(width: 40, height: 40)
    try expect(
      world.cast(
        square, from: .zero, to: Vector2(100, 0), angle: DeterministicMath.pi / 4,
        filter: .excluding(ids[1])),
      fraction: (90 - 28.284) / 100, point: Vector2(90, 0), normal: Vector2(-1, 0))
    // The wall alone, from either side.
    var walls = QueryFilter()
    walls.meetsBodies = false
    try expect(
      world.cast(square, from: .zero, to: Vector2(1000, 0), filter: walls), fraction: 0.38,
      point: Vector2(400, -20), normal: Vector2(-1, 0))
    try expect(
      world.cast(disc, from: Vector2(800, 0), to: Vector2(0, 0), filter: walls),
      fraction: 380 / 800, point: Vector2(400, 0), normal: Vector2(1, 0))
    var hits: [RayHit] = []
    world.cast(disc, from: .zero, to: end, into: &hits)
    #expect(hits.map(\.target) == ids.map { .body($0) } + [.boundary(1)])
  }

  @Test func whatIsTouchedAtTheStartCountsOnlyOnTheWayIn() throws {
    var world = try Worlds.empty()
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -100), id: 1)
    let box = try BodyShape.box(width: 40, height: 40)
    let standing = Vector2(0, 80)
    #expect(world.cast(box, from: standing, to: Vector2(100, 80)) == nil)
    #expect(world.cast(box, from: standing, to: Vector2(100, 0)) == nil)
    let down = try #require(world.cast(box, from: standing, to: Vector2(100, 120)))
    #expect(down.fraction == 0 && down.normal == Vector2(0, -1))
    try expect(
      world.cast(box, from: .zero, to: Vector2(0, 160)), fraction: 0.5, point: Vector2(20, 100),
      normal: Vector2(0, -1))
    #expect(world.cast(box, from: .zero, to: Vector2(.nan, 0)) == nil)
  }

  /// Shapes of all kinds on many ways: where they stop they touch, and a bit before they don't.
  @Test func whereAShapeStopsItTouches() throws {
    let scene = try Worlds.pit(bodies: 40, seed: 5)
    let shapes = [
      try BodyShape.circle(radius: 7), try .capsule(halfLength: 12, radius: 5),
      try .box(width: 30, height: 12, cornerRadius: 3),
      try .polygon([Vector2(0, 0), Vector2(30, 5), Vector2(12, 26)], radius: 2),
    ]
    var random = RandomGenerator(seed: 77)
    var (met, found) = (0, [ContactPartner]())
    for k in 0..<400 {
      let shape = shapes[k % 4]
      let (start, way) = (
        Vector2(random.nextFloat(0, 360), random.nextFloat(0, 360)),
        Vector2(random.nextFloat(-300, 300), random.nextFloat(-300, 300))
      )
      let angle = random.nextFloat(-3, 3)
      scene.overlaps(of: shape, at: start, angle: angle, into: &found)
      guard found.isEmpty else { continue }
      guard let hit = scene.cast(shape, from: start, to: start + way, angle: angle) else {
        scene.overlaps(of: shape, at: start + way, angle: angle, into: &found)
        #expect(found.isEmpty)
        continue
      }
      met += 1
      let place = start + way * hit.fraction
      scene.overlaps(of: shape, at: place - hit.normal * 0.05, angle: angle, into: &found)
      #expect(found.contains(hit.target))
      scene.overlaps(of: shape, at: place + hit.normal * 0.05, angle: angle, into: &found)
      #expect(!found.contains(hit.target))
    }
    #expect(met > 30)
  }
}
