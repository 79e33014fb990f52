import Testing

@testable import Physics

/// Bodies of several shapes.
@Suite struct CompoundTests {
  /// An open box: two walls and a floor, 60×48 pt.
  static let cup = [
    Vector2(0, 0), Vector2(8, 0), Vector2(8, 40), Vector2(52, 40), Vector2(52, 0), Vector2(60, 0),
    Vector2(60, 48), Vector2(0, 48),
  ]
  static let letterL = [
    Vector2(0, 0), Vector2(20, 0), Vector2(20, 60), Vector2(60, 60), Vector2(60, 80),
    Vector2(0, 80),
  ]

  private func polar(angle: Float, length: Float) -> Vector2 {
    Vector2(length, 0).rotated(by: Rotation(angle: angle))
  }

  private func world(sleeps: Bool = true) throws -> PhysicsWorld {
    var configuration = WorldConfiguration()
    configuration.allowsSleep = sleeps
    var world = try PhysicsWorld(configuration)
    world.gravity = Vector2(0, 1000)
    try world.addBoundary(
      .halfPlane(normal: Vector2(0, -1), offset: -400), id: BoundaryID(1))
    return world
  }

  private func star(points: Int) -> [Vector2] {
    (0..<(2 * points)).map {
      polar(angle: Float($0) * .pi / Float(points), length: $0.isMultiple(of: 2) ? 40 : 18)
    }
  }

  // MARK: Outlines

  @Test(arguments: [0, 1, 2, 3])
  func anOutlineIsCutIntoConvexPartsOfTheSameArea(_ kind: Int) throws {
    let outlines: [([Vector2], Float, Int)] = [
      (Self.cup, 60 * 48 - 44 * 40, 3), (Self.letterL, 20 * 80 + 40 * 20, 2),
      (star(points: 5), 5 * 40 * 18 * 0.587785, 6),
      (
        (0..<24).map { polar(angle: Float($0) * .pi / 12, length: 50) },
        12 * 2500 * 0.258819, 5
      ),
    ]
    let (outline, area, most) = outlines[kind]
    for corners in [outline, outline.reversed()] {
      let shape = try CompoundShape(outline: corners)
      #expect(abs(shape.area - area) < 0.001 * area)
      #expect(shape.shapes.count <= most)
      #expect(shape.shapes.allSatisfy { $0.core.isConvex })
    }
  }

  @Test func whatIsNoOutlineIsRefused() {
    let bow = [Vector2(0, 0), Vector2(10, 10), Vector2(10, 0), Vector2(0, 10)]
    let line = [Vector2(0, 0), Vector2(10, 0), Vector2(20, 0)]
    let spike = [Vector2(0, 0), Vector2(30, 0), Vector2(10, 0), Vector2(10, 10), Vector2(0, 10)]
    let twice = star(points: 5) + star(points: 5)
    let long = (0..<65).map { polar(angle: Float($0) * .pi / 32.5, length: 50) }
    for corners in [bow, line, spike, twice, long, [], [Vector2.zero]] {
      #expect(throws: PhysicsError.outlineUnusable) { try CompoundShape(outline: corners) }
    }
    #expect(throws: PhysicsError.self) {
      try CompoundShape(outline: [Vector2(0, 0), Vector2(.nan, 0), Vector2(0, 10)])
    }
  }

  @Test func massAndInertiaAreThoseOfTheWhole() throws {
    // Two halves of a box are the box.
    let halves = try CompoundShape(outlines: [
      [Vector2(0, 0), Vector2(30, 0), Vector2(30, 40), Vector2(0, 40)],
      [Vector2(30, 0), Vector2(60, 0), Vector2(60, 40), Vector2(30, 40)],
    ])
    let box = try BodyShape.box(width: 60, height: 40)
    #expect(halves.centerOfMass == Vector2(30, 20))
    #expect(halves.area == box.area && halves.size == Vector2(60, 40))
    #expect(abs(halves.inertiaPerMass - box.inertiaPerMass) < 0.001 * box.inertiaPerMass)
    var world = try world()
    let body = try world.addBody(BodyDefinition(shape: halves, position: Vector2(100, 100)))
    #expect(world.mass(of: body) == box.area * 1e-4)
    #expect(world.bodyCount == 1 && world.shapes(of: body).count == 2)
    #expect(world.bounds(of: body) == Rect2(x: 70, y: 80, width: 60, height: 40))
  }

  /// A part too small for a polygon is left out; corners on a line are none.
  @Test func smallDetailsAreTaken() throws {
    let tooth = try CompoundShape(outline: [
      Vector2(0, 0), Vector2(18, 0), Vector2(18, -0.3), Vector2(18.2, -0.3), Vector2(18.2, 0),
      Vector2(40, 0), Vector2(40, 40), Vector2(0, 40),
    ])
    #expect(abs(tooth.area - 1600) < 1)
    let side = (0..<70).map { Vector2(Float($0), 0) }
    let square = try CompoundShape(
      outline: side + [Vector2(70, 0), Vector2(70, 70), Vector2(0, 70)])
    #expect(square.shapes.count == 1 && square.area == 4900)
  }

  /// What is small and far from the centre of mass keeps its area, and the world its snapshot.
  @Test func aSmallShapeFarOffIsMeasuredRight() throws {
    for i in 0..<40 {
      let far = Vector2(4000 + Float(i) * 90.7, Float(i) * 3.3 - 50)
      let shape = try CompoundShape(outlines: [
        [Vector2(-30, -30), Vector2(30, -30), Vector2(30, 30), Vector2(-30, 30)],
        [far, far + Vector2(1.3, 0.1), far + Vector2(0.4, 1.7)],
      ])
      #expect(abs(shape.area - 3600 - 1.085) < 0.02)
      var world = try PhysicsWorld()
      let body = try world.addBody(BodyDefinition(shape: shape, position: .zero))
      #expect(abs(try #require(world.mass(of: body)) - shape.area * 1e-4) < 1e-6)
      world.step()
      var bytes: [UInt8] = []
      world.save(into: &bytes)
      #expect(try PhysicsWorld.restore(from: bytes).stateHash() == world.stateHash())
    }
  }

  // MARK: Motion

  /// All of it passes, or nothing: its head is above the ledge long before its foot is.
  @Test func itPassesAOneWayLedgeAsAWhole() throws {
    var world = try PhysicsWorld()
    world.gravity = Vector2(0, 1000)
    var properties = BoundaryProperties()
    properties.isOneWay = true
    try world.addBoundary(
      .segment(Vector2(100, 200), Vector2(300, 200)), id: BoundaryID(1), properties: properties)
    func bar(_ x: Float, _ y: Float, _ w: Float, _ h: Float) -> [Vector2] {
      [Vector2(x, y), Vector2(x + w, y), Vector2(x + w, y + h), Vector2(x, y + h)]
    }
    let letterT = try CompoundShape(outlines: [bar(0, 0, 60, 10), bar(25, 10, 10, 70)])
    let low = try world.addBody(BodyDefinition(shape: letterT, position: Vector2(200, 260)))
    // Its head gets 20 pt above the ledge, its foot stays below.
    try world.setVelocity(Vector2(0, -320), of: low)
    for _ in 0..<90 { world.step() }
    #expect(try #require(world.body(low)).position.y > 300, "it fell back")
    let high = try world.addBody(BodyDefinition(shape: letterT, position: Vector2(200, 260)))
    try world.setVelocity(Vector2(0, -600), of: high)
    for _ in 0..<240 { world.step() }
    #expect(try #require(world.body(high)).position.y < 200, "it stands or lies on it")
  }

  @Test func twoHalvesMoveLikeTheBoxThatTheyAre() throws {
    let halves = try CompoundShape(outlines: [
      [Vector2(0, 0), Vector2(30, 0), Vector2(30, 40), Vector2(0, 40)],
      [Vector2(30, 0), Vector2(60, 0), Vector2(60, 40), Vector2(30, 40)],
    ])
    let box = try BodyShape.polygon(
      [Vector2(0, 0), Vector2(60, 0), Vector2(60, 40), Vector2(0, 40)])
    var (one, two) = (try world(), try world())
    var properties = BodyProperties()
    properties.friction = 0.4
    let place = Vector2(200, 250)
    let a = try one.addBody(
      BodyDefinition(shape: halves, position: place, angle: 0.4, properties: properties))
    let b = try two.addBody(
      BodyDefinition(shape: box, position: place, angle: 0.4, properties: properties))
    for _ in 0..<300 {
      one.step()
      two.step()
    }
    let (p, q) = (try #require(one.body(a)), try #require(two.body(b)))
    #expect((p.position - q.position).length < 0.5)
    #expect(abs(p.angle - q.angle) < 0.01)
    #expect(p.isAsleep && one.sleepingCount == 1)
  }

  @Test func aCupCatchesABall() throws {
    var world = try world()
    var properties = BodyProperties()
    properties.friction = 0.5
    let shape = try CompoundShape(outline: Self.cup)
    let bottom = shape.centerOfMass - Vector2(30, 48)
    let cup = try world.addBody(
      BodyDefinition(
        shape: shape, position: Vector2(200, 400) + bottom, properties: properties))
    let ball = try world.addBody(
      BodyDefinition(
        shape: .circle(radius: 10), position: Vector2(203, 200), properties: properties))
    for _ in 0..<300 { world.step() }
    let (inside, around) = (try #require(world.body(ball)), try #require(world.bounds(of: cup)))
    #expect(inside.position.y > around.minY && inside.position.y < around.maxY - 8)
    #expect(inside.position.x > around.minX + 8 && inside.position.x < around.maxX - 8)
    #expect(world.isTouching(ball, .body(cup)) && world.isTouching(cup, .boundary(BoundaryID(1))))
    #expect(world.sleepingCount == 2)
    // Its hollow is empty to whoever asks, its walls are not.
    #expect(world.body(at: Vector2(around.minX + 4, around.minY + 10)) == cup)
    #expect(world.body(at: Vector2(around.minX + 20, around.minY + 5)) == nil)
  }

  /// A ring of four bars that hangs on a shelf within it stays there: its centre of mass is below.
  @Test func aFrameHangsOnAShelfThroughIt() throws {
    var world = try world()
    try world.addBoundary(.segment(Vector2(150, 200), Vector2(250, 200)), id: BoundaryID(2))
    func bar(_ x: Float, _ y: Float, _ w: Float, _ h: Float) -> [Vector2] {
      [Vector2(x, y), Vector2(x + w, y), Vector2(x + w, y + h), Vector2(x, y + h)]
    }
    let frame = try CompoundShape(outlines: [
      bar(0, 0, 140, 10), bar(0, 90, 140, 10), bar(0, 10, 10, 80), bar(130, 10, 10, 80),
    ])
    let body = try world.addBody(BodyDefinition(shape: frame, position: Vector2(200, 240)))
    for _ in 0..<240 { world.step() }
    let state = try #require(world.body(body))
    #expect(abs(state.position.y - 240) < 1.5 && abs(state.angle) < 0.02)
  }

  @Test func momentumIsKeptWhereStarsCollide() throws {
    var configuration = WorldConfiguration()
    configuration.allowsSleep = false
    var world = try PhysicsWorld(configuration)
    let shape = try CompoundShape(outline: star(points: 5))
    var bodies: [BodyID] = []
    for i in 0..<12 {
      var definition = BodyDefinition(
        shape: shape, position: polar(angle: Float(i) * .pi / 6, length: 220),
        angle: Float(i))
      definition.velocity = definition.position * -1
      bodies.append(try world.addBody(definition))
    }
    func momentum() -> Vector2 {
      bodies.reduce(.zero) { $0 + (world.body($1)?.velocity ?? .zero) * world.mass(of: $1)! }
    }
    func energy() -> Float {
      bodies.reduce(0) { sum, body in
        let state = world.body(body)!
        return sum + state.velocity.lengthSquared
          + state.angularVelocity * state.angularVelocity * shape.inertiaPerMass
      }
    }
    let before = energy()
    for _ in 0..<240 { world.step() }
    #expect(momentum().length < 0.01 * 12 * 220 * world.mass(of: bodies[0])!)
    #expect(energy() < before)
  }

  // MARK: Events and names

  @Test func aTouchIsToldOnceHoweverManyShapesTouch() throws {
    var world = try world(sleeps: false)
    let shape = try CompoundShape(outline: Self.cup)
    let cup = try world.addBody(BodyDefinition(shape: shape, position: Vector2(200, 330)))
    let plate = try world.addBody(
      BodyDefinition(shape: .box(width: 90, height: 10), position: Vector2(200, 250)))
    var (began, ended): ([ContactPartner], [ContactPartner]) = ([], [])
    for tick in 0..<240 {
      if tick == 150 { try world.setVelocity(Vector2(0, -600), of: plate) }
      world.step()
      #expect(world.contactEvents.began.allSatisfy { world.contains($0.body) })
      for event in world.contactEvents.began where event.body == cup { began.append(event.other) }
      for event in world.contactEvents.ended where event.body == cup { ended.append(event.other) }
    }
    // Down, lifted off, and down again.
    #expect(began.filter { $0 == .boundary(BoundaryID(1)) }.count == 1)
    #expect(began.filter { $0 == .body(plate) }.count == 2)
    #expect(ended == [.body(plate)])
    var touching: [TouchingPartner] = []
    world.touching(cup, into: &touching)
    #expect(touching.map(\.other) == [.body(plate), .boundary(BoundaryID(1))])
    // The cup's 1120 pt² and the plate's 900 weigh on the floor.
    #expect(abs((touching.last?.force ?? 0) - 202) < 6)
    try world.removeBody(cup)
    world.step()
    #expect(world.bodyCount == 1 && world.shapes(of: cup).isEmpty)
    #expect(Set(world.contactEvents.ended.map(\.body)) == [cup])
    #expect(world.contactEvents.ended.count == 2)
  }

  @Test func eachShapeCountsAgainstTheCapacity() throws {
    var configuration = WorldConfiguration()
    configuration.capacity = 4
    var world = try PhysicsWorld(configuration)
    let cup = try CompoundShape(outline: Self.cup)
    let first = try world.addBody(BodyDefinition(shape: cup, position: .zero))
    #expect(throws: PhysicsError.worldFull(capacity: 4)) {
      try world.addBody(BodyDefinition(shape: cup, position: Vector2(200, 0)))
    }
    #expect(world.bodyCount == 1 && world.slotCount == 3)
    let disc = try world.addBody(BodyDefinition(shape: .circle(radius: 5), position: .zero))
    #expect(throws: PhysicsError.worldFull(capacity: 4)) { try world.setShape(cup, of: disc) }
    try world.setShape(.circle(radius: 9), of: first)
    #expect(world.shapes(of: first).count == 1)
    try world.setShape(try CompoundShape(outline: Self.letterL), of: disc)
    #expect(world.shapes(of: disc).count == 2)
    var seen: [BodyID] = []
    world.forEachBody { id, _ in seen.append(id) }
    #expect(seen.map(\.slot).sorted() == [first.slot, disc.slot].sorted())
    world.step()
    try world.removeBody(first)
    try world.removeBody(disc)
    world.step()
    #expect(world.bodyCount == 0 && world.storage.state.furtherShapes == 0)
  }

  @Test func aSensorOfSeveralShapesSeesWhatIsInIt() throws {
    var world = try PhysicsWorld()
    var properties = BodyProperties()
    properties.isSensor = true
    properties.kind = .anchored
    let shape = try CompoundShape(outline: Self.cup)
    let sensor = try world.addBody(
      BodyDefinition(
        shape: shape, position: shape.centerOfMass, properties: properties))
    let hollow = try world.addBody(
      BodyDefinition(shape: .circle(radius: 5), position: Vector2(30, 20)))
    let wall = try world.addBody(
      BodyDefinition(shape: .circle(radius: 5), position: Vector2(56, 5)))
    world.step()
    #expect(world.sensorEvents.entered.map(\.sensor) == [sensor])
    #expect(world.sensorEvents.entered.map(\.other) == [.body(wall)])
    try world.setPosition(Vector2(56, 20), of: hollow)
    world.step()
    #expect(world.sensorEvents.entered.map(\.other) == [.body(hollow)])
  }

  @Test func raysAndCastsMeetItsShapes() throws {
    var world = try PhysicsWorld()
    let shape = try CompoundShape(outline: Self.cup)
    let cup = try world.addBody(BodyDefinition(shape: shape, position: shape.centerOfMass))
    let down = try #require(world.castRay(from: Vector2(30, -50), to: Vector2(30, 100)))
    #expect(down.target == .body(cup) && abs(down.point.y - 40) < 0.01)
    #expect(world.castRay(from: Vector2(4, 20), to: Vector2(100, 20)) == nil, "it starts inside")
    var hits: [RayHit] = []
    world.castRay(from: Vector2(-50, 20), to: Vector2(100, 20), into: &hits)
    #expect(hits.map(\.target) == [.body(cup)] && abs(hits[0].point.x) < 0.01)
    let fall = try #require(
      world.cast(.circle(radius: 10), from: Vector2(30, -50), to: Vector2(30, 100)))
    #expect(abs(fall.point.y - 40) < 0.02)
    var overlaps: [ContactPartner] = []
    world.overlaps(of: try .circle(radius: 10), at: Vector2(30, 20), into: &overlaps)
    #expect(overlaps.isEmpty)
    world.overlaps(of: try .circle(radius: 25), at: Vector2(30, 20), into: &overlaps)
    #expect(overlaps == [.body(cup)])
  }

  // MARK: Snapshots

  /// A pit of cups, stars and discs that are thrown about.
  private func pit() throws -> PhysicsWorld {
    var world = try world()
    try world.addBoundary(
      .halfPlane(normal: Vector2(1, 0), offset: 0), id: BoundaryID(2))
    try world.addBoundary(
      .halfPlane(normal: Vector2(-1, 0), offset: -400), id: BoundaryID(3))
    let shapes = try [
      CompoundShape(outline: Self.cup), CompoundShape(outline: star(points: 5)),
      CompoundShape(outline: Self.letterL),
    ]
    var properties = BodyProperties()
    properties.friction = 0.3
    for i in 0..<18 {
      let place = Vector2(60 + Float(i % 5) * 70, Float(i / 5) * 95 - 60)
      if i % 4 == 3 {
        properties.restitution = i == 7 ? 0.95 : 0.2
        try world.addBody(
          BodyDefinition(shape: .circle(radius: 14), position: place, properties: properties))
      } else {
        properties.restitution = 0
        try world.addBody(
          BodyDefinition(
            shape: shapes[i % 3], position: place, angle: Float(i), properties: properties))
      }
    }
    return world
  }

  private func isSane(_ world: PhysicsWorld) -> Bool {
    let storage = world.storage
    for slot in 0..<storage.slots.count where storage.slots[slot].exists {
      let (row, owner) = (
        Int(storage.slots[slot].row), storage.ownerRow(Int(storage.slots[slot].row))
      )
      guard storage.bodies.poses[row] == storage.bodies.poses[owner],
        storage.bodies.motions[2 * row] == storage.bodies.motions[2 * owner],
        storage.slots[slot].isAsleep == storage.slots[storage.owner(ofSlot: slot)].isAsleep
      else { return false }
    }
    return true
  }

  @Test func aPitOfThemStaysWithinItsWallsAndComesToRest() throws {
    var world = try pit()
    var events = 0
    for tick in 0..<900 {
      if tick == 200 {
        world.forEachBody { id, _ in
          try? world.setVelocity(Vector2(Float(id.slot % 7) * 200 - 600, -900), of: id)
        }
      }
      world.step()
      events += world.contactEvents.began.count
      #expect(isSane(world))
    }
    var outside = 0
    world.forEachBody { _, state in
      if state.position.x < 0 || state.position.x > 400 || state.position.y > 400 { outside += 1 }
    }
    #expect(outside == 0 && events > 50)
    #expect(world.sleepingCount == world.bodyCount)
  }

  @Test func aRestoredWorldGoesOnTheSame() throws {
    var world = try pit()
    for tick in 0..<260 {
      if tick % 20 == 10 {
        var bytes: [UInt8] = []
        world.save(into: &bytes)
        var other = try PhysicsWorld()
        try other.restore(from: bytes)
        #expect(other.stateHash() == world.stateHash() && isSane(other))
        var copy = world
        for _ in 0..<15 {
          copy.step()
          other.step()
          #expect(other.contactEvents == copy.contactEvents)
        }
        #expect(other.stateHash() == copy.stateHash())
      }
      world.step()
    }
  }

  /// The same after caches were dropped, as for a newcomer.
  @Test func aCanonicalWorldGoesOnTheSame() throws {
    var world = try pit()
    for _ in 0..<200 { world.step() }
    world.dropCaches()
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    var other = try PhysicsWorld()
    try other.restore(from: bytes)
    for _ in 0..<60 {
      world.step()
      other.step()
    }
    #expect(other.stateHash() == world.stateHash())
  }

  @Test func forgedOwnersAreRefused() throws {
    var world = try pit()
    for _ in 0..<30 { world.step() }
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    var (refused, restored) = (0, 0)
    var random = RandomGenerator(seed: 7)
    for _ in 0..<1000 {
      var forged = bytes
      let place = Int(random.next() % UInt64(forged.count))
      forged[place] ^= UInt8(truncatingIfNeeded: random.next() | 1)
      var other = try PhysicsWorld()
      do {
        try other.restore(from: forged)
        restored += 1
        for _ in 0..<2 { other.step() }
        if let id = other.bodyID(atSlot: 0) { try other.removeBody(id) }
        other.step()
      } catch { refused += 1 }
    }
    #expect(refused > 30 && restored > 30)
  }
}
