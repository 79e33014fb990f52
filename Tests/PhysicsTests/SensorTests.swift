import Physics
import Testing

/// Sensors tell what they overlap and push nothing.
@Suite struct SensorTests {
  private func sensor(_ kind: BodyKind = .anchored) -> BodyProperties {
    var properties = BodyProperties()
    properties.kind = kind
    properties.isSensor = true
    return properties
  }

  private func overlapping(_ world: PhysicsWorld, _ id: BodyID) -> [ContactPartner] {
    var found: [ContactPartner] = []
    world.overlapping(id, into: &found)
    return found
  }

  /// A disc of radius 10 passes a gate of 40 pt about x = 200 at 600 pt/s, 10 pt a tick: it touches
  /// from x = 170 to 230.
  private func gate() throws -> (PhysicsWorld, gate: BodyID, disc: BodyID) {
    var world = try Worlds.empty()
    let gate = try world.addBody(
      BodyDefinition(
        shape: .box(width: 40, height: 200), position: Vector2(200, 0), properties: sensor()))
    var definition = BodyDefinition(shape: try .circle(radius: 10), position: Vector2(5, 0))
    definition.velocity = Vector2(600, 0)
    let disc = try world.addBody(definition)
    return (world, gate, disc)
  }

  @Test func whatPassesIsToldAndNotPushed() throws {
    var (world, gate, disc) = try gate()
    var (entered, left): ([UInt64], [UInt64]) = ([], [])
    for _ in 0..<40 {
      world.step()
      #expect(world.contactEvents.began.isEmpty && world.contactCount == 0)
      for event in world.sensorEvents.entered {
        #expect(event.sensor == gate && event.other == .body(disc))
        entered.append(world.tick)
      }
      for event in world.sensorEvents.left {
        #expect(event.sensor == gate && event.other == .body(disc))
        left.append(world.tick)
      }
      #expect(overlapping(world, gate).isEmpty == (entered.count == left.count))
    }
    // At 175 after 17 ticks, at 235 after 23.
    #expect(entered == [17] && left == [23])
    #expect(world.body(disc)!.velocity == Vector2(600, 0))
    #expect(world.body(gate)!.position == Vector2(200, 0))
  }

  @Test func aSnapshotKnowsWhatIsOverlapped() throws {
    for ticks in [0, 10, 17, 20, 23] {
      for drops in [false, true] {
        var (world, gate, _) = try gate()
        for _ in 0..<ticks { world.step() }
        if drops { world.dropCaches() }
        var bytes: [UInt8] = []
        world.save(into: &bytes)
        var restored = try PhysicsWorld.restore(from: bytes)
        #expect(restored.stateHash() == world.stateHash())
        for _ in ticks..<40 {
          #expect(overlapping(restored, gate) == overlapping(world, gate))
          world.step()
          restored.step()
          #expect(restored.sensorEvents == world.sensorEvents)
        }
        #expect(restored.stateHash() == world.stateHash())
      }
    }
  }

  /// No byte of a forged snapshot stops the program.
  @Test func forgedOverlapsAreRefusedOrHarmless() throws {
    var (world, _, _) = try gate()
    for _ in 0..<20 { world.step() }
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    for offset in 4..<bytes.count {
      for value in [UInt8(0), 1, 127, 255] where bytes[offset] != value {
        var forged = bytes
        forged[offset] = value
        guard var restored = try? PhysicsWorld.restore(from: forged) else { continue }
        for _ in 0..<3 { restored.step() }
      }
    }
  }

  @Test func whatIsRemovedHasLeft() throws {
    var (world, gate, disc) = try gate()
    for _ in 0..<20 { world.step() }
    var other = world
    try world.removeBody(disc)
    world.step()
    #expect(world.sensorEvents.left.map(\.other) == [.body(disc)])
    try other.removeBody(gate)
    other.step()
    #expect(other.sensorEvents.left.map(\.sensor) == [gate])
    #expect(overlapping(other, gate).isEmpty)
    other.step()
    #expect(other.sensorEvents.entered.isEmpty && other.sensorEvents.left.isEmpty)
  }

  @Test func groupsAndJointsCountAndSensorsDoNotSeeEachOther() throws {
    var world = try Worlds.empty()
    let disc = try BodyShape.circle(radius: 10)
    var properties = sensor()
    properties.collisionMask = 2
    let picky = try world.addBody(
      BodyDefinition(shape: disc, position: .zero, properties: properties))
    let open = try world.addBody(
      BodyDefinition(shape: disc, position: .zero, properties: sensor()))
    var grouped = BodyProperties()
    grouped.collisionGroup = 2
    let second = try world.addBody(
      BodyDefinition(shape: disc, position: Vector2(5, 0), properties: grouped))
    let first = try world.addBody(BodyDefinition(shape: disc, position: Vector2(-5, 40)))
    try world.addBoundary(.segment(Vector2(0, -50), Vector2(0, 50)), id: 3, collisionGroup: 1)
    try world.setPosition(Vector2(-5, 0), of: first)
    // The two discs push each other, so that the first step decides.
    world.step()
    #expect(overlapping(world, picky) == [.body(second)])
    #expect(overlapping(world, open) == [.body(second), .body(first), .boundary(3)])
    var tie = JointDefinition(.rope(length: 500), a: open, b: first, anchorB: .zero)
    tie.collides = false
    try world.addJoint(tie)
    world.step()
    #expect(!overlapping(world, open).contains(.body(first)))
    #expect(overlapping(world, first).isEmpty)
  }

  /// Feet: a sensor that hangs at a box tells when the box stands.
  @Test func aSensorThatMovesPassesTheFloor() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000), sleeps: true)
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -300), id: 1)
    let box = try world.addBody(
      BodyDefinition(shape: .box(width: 60, height: 60), position: Vector2(0, 0)))
    let feet = try world.addBody(
      BodyDefinition(
        shape: .box(width: 40, height: 10), position: Vector2(0, 32), properties: sensor(.dynamic)))
    var tie = JointDefinition(
      .weld(angle: 0), a: box, anchorA: Vector2(0, 32), b: feet, anchorB: .zero)
    tie.collides = false
    try world.addJoint(tie)
    let free = try world.addBody(
      BodyDefinition(
        shape: .circle(radius: 10), position: Vector2(300, 0), properties: sensor(.dynamic)))
    world.step()
    #expect(overlapping(world, feet).isEmpty)
    for _ in 0..<120 { world.step() }
    #expect(overlapping(world, feet) == [.boundary(1)])
    #expect(abs(world.body(box)!.position.y - 270) < 1)
    #expect(world.body(free)!.position.y > 1500)
    // What sleeps is still overlapped, and rays pass sensors unless they are asked not to.
    for _ in 0..<200 { world.step() }
    #expect(world.body(box)!.isAsleep && overlapping(world, feet) == [.boundary(1)])
    let (above, below) = (Vector2(0, 500), Vector2(0, 0))
    var filter = QueryFilter.excluding(box)
    #expect(world.castRay(from: below, to: above, filter: filter)?.target == .boundary(1))
    filter.meetsSensors = true
    #expect(world.castRay(from: below, to: above, filter: filter)?.target == .body(feet))
  }

  @Test func aBodyMayBecomeASensorAndBack() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -300), id: 1)
    let box = try BodyShape.box(width: 60, height: 60)
    let lower = try world.addBody(BodyDefinition(shape: box, position: Vector2(0, 270)))
    let upper = try world.addBody(BodyDefinition(shape: box, position: Vector2(0, 210)))
    for _ in 0..<30 { world.step() }
    var properties = world.properties(of: lower)!
    properties.isSensor = true
    try world.setProperties(properties, of: lower)
    world.step()
    #expect(world.contactEvents.ended.count == 2)
    #expect(overlapping(world, lower) == [.body(upper), .boundary(1)])
    for _ in 0..<10 { world.step() }
    #expect(world.body(lower)!.position.y > 280 && world.body(upper)!.position.y > 215)
    properties.isSensor = false
    try world.setProperties(properties, of: lower)
    world.step()
    #expect(world.sensorEvents.left.count == 2 && overlapping(world, lower).isEmpty)
  }
}
