import Physics
import Testing

/// What touches a body now, and how firmly.
@Suite struct TouchingTests {
  /// Three boxes of masses 1, 2 and 4 on a floor, the lightest at the bottom.
  private func tower(sleeps: Bool = false) throws -> (PhysicsWorld, [BodyID]) {
    var world = try Worlds.empty(gravity: Vector2(0, 1000), sleeps: sleeps)
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -300), id: 4)
    let box = try BodyShape.box(width: 100, height: 100)
    var ids: [BodyID] = []
    for (k, density) in [Float(1), 2, 4].enumerated() {
      ids.append(
        try world.addBody(
          BodyDefinition(
            shape: box, position: Vector2(0, 250 - 100 * Float(k)),
            properties: Worlds.properties(friction: 0.5, density: density))))
    }
    for _ in 0..<240 { world.step() }
    return (world, ids)
  }

  private func touching(_ world: PhysicsWorld, _ id: BodyID) -> [TouchingPartner] {
    var found: [TouchingPartner] = []
    world.touching(id, into: &found)
    return found
  }

  @Test(arguments: [false, true]) func aFloorCarriesTheWeightOfTheTower(sleeps: Bool) throws {
    var (world, ids) = try tower(sleeps: sleeps)
    #expect(world.body(ids[0])?.isAsleep == sleeps)
    let lowest = touching(world, ids[0])
    #expect(lowest.map(\.other) == [.body(ids[1]), .boundary(4)])
    #expect(abs(lowest[0].force - 6000) < 120 && abs(lowest[1].force - 7000) < 140)
    let middle = touching(world, ids[1])
    #expect(middle.map(\.other) == [.body(ids[0]), .body(ids[2])])
    #expect(middle[0].force == lowest[0].force && abs(middle[1].force - 4000) < 80)
    #expect(world.isTouching(ids[0], .boundary(4)) && world.isTouching(ids[2], .body(ids[1])))
    #expect(!world.isTouching(ids[2], .boundary(4)) && !world.isTouching(ids[2], .body(ids[0])))
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    let restored = try PhysicsWorld.restore(from: bytes)
    for id in ids { #expect(touching(restored, id) == touching(world, id)) }
    // Shortened impulses are off by less than a hundredth.
    world.dropCaches()
    #expect(abs(touching(world, ids[0])[1].force - lowest[1].force) < 70)
    // Who is gone touches nothing any more, at once.
    try world.removeBody(ids[1])
    #expect(touching(world, ids[0]).map(\.other) == [.boundary(4)])
    #expect(touching(world, ids[2]).isEmpty)
    try world.removeBoundary(id: 4)
    #expect(touching(world, ids[0]).isEmpty)
  }

  /// Whoever adds up the events has the same as whoever asks.
  @Test func itIsWhatTheEventsAddUpTo() throws {
    var world = try Worlds.pit(bodies: 60, seed: 12, sleeps: true)
    var touching: [(BodyID, ContactPartner)] = []
    for _ in 0..<200 {
      world.step()
      touching += world.contactEvents.began.map { ($0.body, $0.other) }
      for event in world.contactEvents.ended {
        touching.removeAll { $0.0 == event.body && $0.1 == event.other }
      }
      var found: [TouchingPartner] = []
      var count = 0
      for slot in 0..<world.slotCount {
        let id = try #require(world.bodyID(atSlot: slot))
        world.touching(id, into: &found)
        for partner in found {
          if case .body(let other) = partner.other, other.slot < id.slot { continue }
          count += 1
          #expect(touching.contains { $0.0 == id && $0.1 == partner.other })
        }
      }
      #expect(count == touching.count)
    }
    #expect(touching.count > 60)
  }
}
