import Physics
import Testing

/// Snapshots of worlds in every state that one may be caught in: whole or with caches dropped,
/// restored into new memory or into memory that had other lives, they go on as the original does.
@Suite struct SnapshotMatrixTests {
  enum State: CaseIterable {
    case empty, new, moving, asleep, halfAsleep, joints, chain, elastic, filtered
    case pendingEvents, forces, gravityChanged, freeSlots, freeSlotsUnstepped, movedAnchor, jumped
    case boundaryRemoved, emptied
  }

  @Test(arguments: State.allCases)
  func goesOnAsTheOriginal(state: State) throws {
    let start = try world(in: state)
    for drops in [false, true] {
      var original = start
      if drops { original.dropCaches() }
      let bytes = saved(original)
      var (new, kept) = (try PhysicsWorld.restore(from: bytes), try usedMemory())
      try kept.restore(from: bytes)
      // Once more, into the memory of the first life.
      try kept.restore(from: bytes)
      #expect(saved(new) == bytes && saved(kept) == bytes)
      #expect(new.stateHash() == original.stateHash() && new.tick == original.tick)
      for tick in 0..<120 {
        drive(&original, tick)
        drive(&new, tick)
        drive(&kept, tick)
        #expect(new.contactEvents == original.contactEvents, "\(state) \(drops) tick \(tick)")
        #expect(kept.contactEvents == original.contactEvents, "\(state) \(drops) tick \(tick)")
      }
      #expect(new.stateHash() == original.stateHash(), "\(state), dropped: \(drops)")
      #expect(kept.stateHash() == original.stateHash(), "\(state), dropped: \(drops)")
      let end = saved(original)
      #expect(saved(new) == end && saved(kept) == end, "\(state), dropped: \(drops)")
      if state != .empty && state != .emptied { #expect(end != bytes) }
    }
  }

  /// The states are what their names say.
  @Test func theStatesAreWhatTheyAreCalled() throws {
    #expect(try world(in: .asleep).sleepingCount == 30)
    let half = try world(in: .halfAsleep)
    #expect(half.sleepingCount > 0 && half.sleepingCount < half.bodyCount)
    for state in [State.pendingEvents, .freeSlotsUnstepped, .boundaryRemoved] {
      var pending = try world(in: state)
      pending.step()
      #expect(!pending.contactEvents.ended.isEmpty, "\(state)")
    }
    let free = try world(in: .freeSlots)
    #expect(free.bodyCount < free.slotCount)
    var forced = try world(in: .forces)
    var unforced = try world(in: .moving)
    forced.step()
    unforced.step()
    #expect(forced.stateHash() != unforced.stateHash())
    #expect(try world(in: .emptied).bodyCount == 0)
  }

  /// What happens to all copies alike while they go on.
  private func drive(_ world: inout PhysicsWorld, _ tick: Int) {
    if tick == 40 { world.gravity = Vector2(600, -300) }
    if tick == 80 { world.gravity = Vector2(-200, 900) }
    world.step()
  }

  /// A world whose two memories have held more bodies, joints and boundaries than any state.
  private func usedMemory() throws -> PhysicsWorld {
    var world = try Worlds.pit(bodies: 150, seed: 77, sleeps: true)
    for slot in stride(from: 0, to: 100, by: 4) {
      try world.addJoint(
        JointDefinition(
          .rope(length: 90), a: world.bodyID(atSlot: slot)!, b: world.bodyID(atSlot: slot + 2)!,
          anchorB: .zero))
    }
    try world.addBoundary(
      .chain([Vector2(100, 300), Vector2(300, 350), Vector2(500, 300)], closed: false),
      id: BoundaryID(5))
    for _ in 0..<60 { world.step() }
    try world.restore(from: saved(world))
    for _ in 0..<60 { world.step() }
    return world
  }

  private func saved(_ world: PhysicsWorld) -> [UInt8] {
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    return bytes
  }

  private func world(in state: State) throws -> PhysicsWorld {
    switch state {
    case .empty: return try Worlds.empty(gravity: Vector2(0, 1000), sleeps: true)
    case .new: return try Worlds.pit(bodies: 30, seed: 31, sleeps: true)
    case .moving: return try pile(after: 50)
    case .asleep: return try asleep()
    case .halfAsleep: return try halfAsleep()
    case .joints: return try joined()
    case .chain: return try inChain()
    case .elastic: return try elastic()
    case .filtered: return try filtered()
    default: return try changed(state)
    }
  }

  /// A pile in motion or at rest that has just been changed.
  private func changed(_ state: State) throws -> PhysicsWorld {
    var world = try pile(after: 90)
    let ids = world.bodyIDs
    switch state {
    case .pendingEvents:
      try world.removeBody(ids[28])
    case .forces:
      world = try pile(after: 50)
      for id in ids {
        try world.applyForce(
          Vector2(40, -90), at: world.body(id)!.position + Vector2(3, 0), to: id)
      }
    case .gravityChanged:
      world = try asleep()
      world.gravity = Vector2(900, 100)
    case .freeSlots, .freeSlotsUnstepped:
      for k in [3, 4, 11, 29] { try world.removeBody(ids[k]) }
      if state == .freeSlots { world.step() }
    case .movedAnchor:
      let joint = try world.addJoint(
        JointDefinition(.distance(length: nil), a: ids[2], anchorB: Vector2(100, 20)))
      for _ in 0..<10 { world.step() }
      try world.setAnchor(Vector2(115, 30), of: joint)
    case .jumped:
      try world.setPosition(Vector2(150, 40), of: ids[25])
      try world.setRotation(Rotation(angle: 1), of: ids[26])
      try world.setShape(try .capsule(halfLength: 12, radius: 9), of: ids[27])
    case .boundaryRemoved:
      try world.removeBoundary(id: BoundaryID(0))
    default:
      for id in ids { try world.removeBody(id) }
      world.step()
    }
    return world
  }

  private func pile(after ticks: Int) throws -> PhysicsWorld {
    var world = try Worlds.pit(bodies: 30, seed: 31, sleeps: true)
    for _ in 0..<ticks { world.step() }
    return world
  }

  private func asleep() throws -> PhysicsWorld {
    var world = try pile(after: 0)
    for _ in 0..<1500 where world.sleepingCount < 30 { world.step() }
    return world
  }

  private func halfAsleep() throws -> PhysicsWorld {
    var world = try asleep()
    var definition = BodyDefinition(
      shape: try .circle(radius: 10), position: Vector2(60, 20),
      properties: Worlds.properties(restitution: 0.5))
    definition.velocity = Vector2(90, 0)
    try world.addBody(definition)
    for _ in 0..<3 { world.step() }
    return world
  }

  private func joined() throws -> PhysicsWorld {
    var world = try Worlds.chain(links: 8)
    let kinds: [JointDefinition.Kind] = [
      .distance(length: 60), .distance(length: 50, frequency: 3, dampingRatio: 0.2),
      .rope(length: 70), .weld(angle: nil), .weld(angle: 0.3, frequency: 4, dampingRatio: 0.5),
      .revolute(limits: -0.5...0.5, frictionTorque: 300),
      .prismatic(axis: Vector2(1, 1), limits: -10...30),
    ]
    for (i, kind) in kinds.enumerated() {
      let place = Vector2(Float(i) * 80, 150)
      let id = try world.addBody(
        BodyDefinition(shape: try .box(width: 30, height: 20), position: place))
      try world.addJoint(
        JointDefinition(
          kind, a: id, anchorA: Vector2(-8, 0), anchorB: place + Vector2(-30, -10)))
    }
    for _ in 0..<45 { world.step() }
    return world
  }

  private func inChain() throws -> PhysicsWorld {
    var world = try Worlds.empty(gravity: Vector2(0, 1000), sleeps: true)
    try world.addBoundary(
      .chain(
        [Vector2(0, 0), Vector2(400, 0), Vector2(430, 200), Vector2(200, 340), Vector2(-40, 220)],
        closed: true), id: BoundaryID(0))
    for i in 0..<20 {
      try world.addBody(
        BodyDefinition(
          shape: i % 2 == 0 ? try .circle(radius: 14) : try .box(width: 30, height: 22),
          position: Vector2(60 + Float(i % 6) * 45, 40 + Float(i / 6) * 40),
          properties: Worlds.properties(restitution: 0.4, friction: 0.3)))
    }
    for _ in 0..<70 { world.step() }
    return world
  }

  private func elastic() throws -> PhysicsWorld {
    var world = try Worlds.pit(bodies: 30, seed: 31)
    world.gravity = .zero
    for id in world.bodyIDs {
      try world.setProperties(Worlds.properties(restitution: 1), of: id)
      try world.setVelocity(world.body(id)!.velocity * 5, of: id)
    }
    for _ in 0..<25 { world.step() }
    return world
  }

  private func filtered() throws -> PhysicsWorld {
    var world = try pile(after: 20)
    for (i, id) in world.bodyIDs.enumerated() {
      var p = world.properties(of: id)!
      p.collisionGroup = 1 << UInt32(i % 3)
      p.collisionMask = i % 4 == 0 ? 5 : 3
      p.gravityScale = i % 5 == 0 ? 0.5 : 1
      p.linearDamping = i % 6 == 0 ? 1 : 0
      p.allowsRotation = i % 7 != 0
      p.kind = i % 9 == 0 ? .anchored : .dynamic
      p.userData = UInt32(i) * 1000
      try world.setProperties(p, of: id)
    }
    for _ in 0..<30 { world.step() }
    return world
  }
}
