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
      if ended == 1 && world.body(id)!.velocity.y > 0 { break }
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
    #expect(abs(world.body(id)!.position.y + 20) < 1)
    try world.removeBoundary(id: BoundaryID(2))
    world.step()
    #expect(world.contactEvents.ended.count == 1)
    for _ in 0..<30 { world.step() }
    #expect(world.body(id)!.position.y > 50)
  }

  private func count(
    _ world: inout PhysicsWorld, ticks: Int
  ) -> (began: Int, ended: Int) {
    var (began, ended) = (0, 0)
    for _ in 0..<ticks {
      world.step()
      began += world.contactEvents.began.count
      ended += world.contactEvents.ended.count
    }
    return (began, ended)
  }

  /// A ball in a corner touches two sides, a box that slides along a floor several pieces.
  @Test(arguments: [true, false])
  func aBoundaryOfManyPiecesIsOneThing(isChain: Bool) throws {
    var world = try Worlds.empty(gravity: Vector2(700, 700))
    let corners = [
      Vector2(0, 0), Vector2(300, 0), Vector2(300, 100), Vector2(300, 300), Vector2(200, 300),
      Vector2(100, 300), Vector2(0, 300),
    ]
    try world.addBoundary(
      isChain
        ? .chain(corners, closed: true)
        : .bounds(Rect2(x: 0, y: 0, width: 300, height: 300)), id: BoundaryID(3))
    var definition = BodyDefinition(shape: try .circle(radius: 20), position: Vector2(60, 150))
    definition.properties.linearDamping = 1
    let id = try world.addBody(definition)
    // Down to the floor, along it over its joints, into the corner, and to rest there.
    let (began, ended) = count(&world, ticks: 300)
    #expect(abs(world.body(id)!.position.x - 280) < 1 && abs(world.body(id)!.position.y - 280) < 1)
    #expect(began == 1 && ended == 0)
    // Up the wall: the floor is left, the boundary is not.
    world.gravity = Vector2(700, -300)
    let up = count(&world, ticks: 20)
    #expect(world.body(id)!.position.y < 270)
    #expect(up.began == 0 && up.ended == 0)
    // And off.
    world.gravity = Vector2(-700, 0)
    let off = count(&world, ticks: 10)
    #expect(off.began == 0 && off.ended == 1)
  }

  @Test func piecesThatEndTogetherEndOnce() throws {
    var world = try Worlds.empty(gravity: Vector2(700, 700))
    try world.addBoundary(
      .bounds(Rect2(x: 0, y: 0, width: 300, height: 300)), id: BoundaryID(3))
    let id = try world.addBody(
      BodyDefinition(shape: try .circle(radius: 20), position: Vector2(279, 279)))
    #expect(count(&world, ticks: 30).began == 1)
    // Each of: thrown off, put elsewhere, removed, the boundary removed.
    for way in 0..<4 {
      var copy = world
      copy.gravity = .zero
      switch way {
      case 0: try copy.setVelocity(Vector2(-900, -900), of: id)
      case 1: try copy.setPosition(Vector2(150, 150), of: id)
      case 2: try copy.removeBody(id)
      default: try copy.removeBoundary(id: BoundaryID(3))
      }
      let (began, ended) = count(&copy, ticks: 6)
      #expect(began == 0 && ended == 1, "way \(way)")
    }
  }

  @Test func aBoundaryMeetsWhoseMaskHasItsGroup() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    try world.addBoundary(
      .segment(Vector2(-500, 100), Vector2(500, 100)), id: BoundaryID(0), collisionGroup: 4)
    try world.addBoundary(
      .halfPlane(normal: Vector2(0, -1), offset: -300), id: BoundaryID(1), collisionGroup: 8)
    try world.addBoundary(
      .segment(Vector2(-500, 50), Vector2(500, 50)), id: BoundaryID(2), collisionGroup: 0)
    var ids: [BodyID] = []
    for (i, mask) in [UInt32(4), 8, 12, .max, 3].enumerated() {
      var properties = BodyProperties()
      properties.collisionMask = mask
      ids.append(
        try world.addBody(
          BodyDefinition(
            shape: try .circle(radius: 20), position: Vector2(Float(i) * 100 - 200, 0),
            properties: properties)))
    }
    for _ in 0..<90 { world.step() }
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    var restored = try PhysicsWorld.restore(from: bytes)
    for _ in 0..<30 {
      world.step()
      restored.step()
    }
    #expect(world.stateHash() == restored.stateHash())
    for (i, y) in [Float(80), 280, 80, 80].enumerated() {
      #expect(abs(world.body(ids[i])!.position.y - y) < 1)
    }
    #expect(world.body(ids[4])!.position.y > 400)
    // A changed mask counts at once.
    var properties = world.properties(of: ids[0])!
    properties.collisionMask = 8
    try world.setProperties(properties, of: ids[0])
    for _ in 0..<90 { world.step() }
    #expect(abs(world.body(ids[0])!.position.y - 280) < 1)
  }
}

extension EventTests {
  private func hanging() throws -> (PhysicsWorld, BodyID, BodyID) {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: 0), id: BoundaryID(1))
    let shape = try BodyShape.box(width: 40, height: 40)
    let below = try world.addBody(BodyDefinition(shape: shape, position: Vector2(0, -20)))
    let above = try world.addBody(BodyDefinition(shape: shape, position: Vector2(0, -60)))
    for _ in 0..<30 { world.step() }
    #expect(world.contactEvents.began.isEmpty)
    return (world, below, above)
  }

  /// The lookup of `dropCaches` finds what has ended since the last step; the next step tells it.
  @Test func droppingCachesLosesNoEnd() throws {
    var (world, below, above) = try hanging()
    try world.setPosition(Vector2(500, -400), of: above)
    world.dropCaches()
    #expect(world.contactEvents.ended.isEmpty)
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    var restored = try PhysicsWorld.restore(from: bytes)
    world.step()
    restored.step()
    #expect(world.contactEvents.ended.map(\.body) == [below])
    #expect(world.contactEvents.ended.map(\.other) == [.body(above)])
    #expect(restored.contactEvents == world.contactEvents)
    world.step()
    #expect(world.contactEvents.ended.isEmpty)
  }

  /// Between the steps the one below is replaced: what stands on the same name still touches it.
  @Test func aBoundaryThatIsReplacedIsNeitherEndedNorBegun() throws {
    var (world, below, _) = try hanging()
    try world.removeBoundary(id: BoundaryID(1))
    try world.addBoundary(.segment(Vector2(-90, 0), Vector2(90, 0)), id: BoundaryID(1))
    world.step()
    #expect(world.contactEvents.began.isEmpty && world.contactEvents.ended.isEmpty)
    // Under another name it is another thing.
    try world.removeBoundary(id: BoundaryID(1))
    try world.addBoundary(.segment(Vector2(-90, 0), Vector2(90, 0)), id: BoundaryID(2))
    world.step()
    #expect(world.contactEvents.ended.map(\.body) == [below])
    #expect(world.contactEvents.ended.map(\.other) == [.boundary(BoundaryID(1))])
    #expect(world.contactEvents.began.map(\.other) == [.boundary(BoundaryID(2))])
  }

  /// A ball between two walls, faster than a tick is long: it touches and leaves several times a
  /// tick, and is told of as having touched and left.
  @Test func aFastBounceIsBegunAndEndedOnce() throws {
    var world = try Worlds.empty()
    try world.addBoundary(.segment(Vector2(-50, -90), Vector2(-50, 90)), id: BoundaryID(1))
    try world.addBoundary(.segment(Vector2(50, -90), Vector2(50, 90)), id: BoundaryID(2))
    var definition = BodyDefinition(
      shape: try .circle(radius: 20), position: .zero,
      properties: Worlds.properties(restitution: 1))
    definition.velocity = Vector2(9000, 0)
    try world.addBody(definition)
    var inBoth = 0
    var touching: [ContactPartner] = []
    for _ in 0..<60 {
      world.step()
      let events = world.contactEvents
      for list in [events.began, events.ended] {
        #expect(list.count <= 2)
        #expect(list.count < 2 || list[0].other != list[1].other)
      }
      for event in events.began {
        #expect(!touching.contains(event.other))
        touching.append(event.other)
        if events.ended.contains(where: { $0.other == event.other }) { inBoth += 1 }
      }
      for event in events.ended {
        #expect(touching.contains(event.other))
        touching.removeAll { $0 == event.other }
      }
    }
    #expect(inBoth > 30)
  }
}
