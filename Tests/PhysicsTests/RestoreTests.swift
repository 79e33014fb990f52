import CAllocationCount
import Physics
import Testing

/// Restoring into a world that is there.
@Suite struct RestoreTests {
  private func run(_ world: inout PhysicsWorld, ticks: Int) {
    for _ in 0..<ticks {
      Worlds.turnGravity(&world)
      world.step()
    }
  }

  private func saved(_ world: PhysicsWorld) -> [UInt8] {
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    return bytes
  }

  @Test func aWorldGoesBackAndOnAsBefore() throws {
    var world = try Worlds.pit(bodies: 60, seed: 11)
    run(&world, ticks: 100)
    let bytes = saved(world)
    run(&world, ticks: 50)
    let hash = world.stateHash()
    for _ in 0..<3 {
      try world.restore(from: bytes)
      #expect(saved(world) == bytes)
      run(&world, ticks: 50)
      #expect(world.stateHash() == hash)
    }
  }

  @Test func aBrokenSnapshotLeavesTheWorldAlone() throws {
    var world = try Worlds.pit(bodies: 20, seed: 3)
    run(&world, ticks: 30)
    let before = saved(world)
    var other = try Worlds.pit(bodies: 25, seed: 4)
    run(&other, ticks: 10)
    let bytes = saved(other)
    try world.restore(from: before)
    for length in stride(from: 0, to: bytes.count, by: 7) {
      #expect(throws: PhysicsError.malformedSnapshot) {
        try world.restore(from: Array(bytes[..<length]))
      }
    }
    #expect(saved(world) == before)
  }

  /// Values share their memory until one of them changes; a restore must not touch the other.
  @Test func copiesStayWhatTheyWere() throws {
    var world = try Worlds.pit(bodies: 20, seed: 3)
    let early = saved(world)
    run(&world, ticks: 30)
    try world.restore(from: early)
    run(&world, ticks: 30)
    let copy = world
    let late = saved(copy)
    var another = copy
    try world.restore(from: early)
    run(&world, ticks: 5)
    try another.restore(from: early)
    run(&another, ticks: 5)
    #expect(saved(copy) == late)
    #expect(saved(another) == saved(world))
  }

  @Test func restoringIntoKeptMemoryAllocatesNothing() throws {
    #if !DEBUG
      var world = try Worlds.pit(bodies: 80, seed: 5)
      run(&world, ticks: 60)
      let bytes = saved(world)
      // Two memories take turns; both have to have grown.
      for _ in 0..<2 {
        try world.restore(from: bytes)
        run(&world, ticks: 20)
      }
      allocation_count_begin()
      try world.restore(from: bytes)
      #expect(allocation_count_end() == 0)
    #endif
  }

  /// A snapshot's numbers, one after the other, become what no world has.
  @Test(arguments: [Float.nan, .infinity, -3e38, 1e30])
  func wildNumbersAreRefusedOrHarmless(wild: Float) throws {
    var world = try Worlds.pit(bodies: 6, seed: 8)
    run(&world, ticks: 40)
    let bytes = saved(world)
    for offset in stride(from: 4, to: bytes.count - 4, by: 1) {
      var forged = bytes
      withUnsafeBytes(of: wild) { forged.replaceSubrange(offset..<(offset + 4), with: $0) }
      guard var restored = try? PhysicsWorld.restore(from: forged) else { continue }
      run(&restored, ticks: 3)
      restored.forEachBody { _, state in #expect(state.position.isFinite, "offset \(offset)") }
    }
  }

  /// The memory of a restore had another life before, of which nothing may remain.
  @Test func aJoinSnapshotIntoUsedMemoryGoesOnAsTheWorldThatWroteIt() throws {
    var world = try Worlds.pit(bodies: 80, seed: 21)
    run(&world, ticks: 90)
    world.dropCaches()
    let bytes = saved(world)
    run(&world, ticks: 50)
    let late = saved(world)
    for _ in 0..<4 {
      try world.restore(from: bytes)
      run(&world, ticks: 50)
      #expect(saved(world) == late)
    }
  }

  /// Elastic bodies change how finely a tick is solved; they must not linger.
  @Test func aPredictionWithAnElasticBodyLeavesNoTrace() throws {
    var world = try Worlds.pit(bodies: 40, seed: 22)
    run(&world, ticks: 60)
    let bytes = saved(world)
    run(&world, ticks: 60)
    let late = saved(world)
    for _ in 0..<3 {
      try world.restore(from: bytes)
      var definition = BodyDefinition(
        shape: try .circle(radius: 20), position: Vector2(100, 100))
      definition.velocity = Vector2(0, 900)
      definition.properties.restitution = 1
      _ = try world.addBody(definition)
      run(&world, ticks: 10)
      try world.restore(from: bytes)
      run(&world, ticks: 60)
      #expect(saved(world) == late)
    }
  }

  @Test func anEmptiedWorldWithAChainGoesOn() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let corners = [Vector2(0, 0), Vector2(900, 0), Vector2(900, 900), Vector2(0, 900)]
    try world.addBoundary(.chain(corners, closed: true), id: BoundaryID(1))
    var ids: [BodyID] = []
    for k in 0..<200 {
      let place = Vector2(Float(40 + k % 20 * 42), Float(40 + k / 20 * 42))
      ids.append(
        try world.addBody(BodyDefinition(shape: .circle(radius: 20), position: place)))
    }
    for _ in 0..<30 { world.step() }
    for id in ids { try world.removeBody(id) }
    for _ in 0..<3 { world.step() }
    #expect(world.contactEvents.began.isEmpty)
    let id = try world.addBody(
      BodyDefinition(shape: .circle(radius: 20), position: Vector2(450, 800)))
    for _ in 0..<120 { world.step() }
    #expect(abs(world.body(id)!.position.y - 880) < 1)
  }
}
