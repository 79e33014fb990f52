import CAllocationCount
import Testing

@testable import Physics

/// What restoring asks of memory depends on the bytes that are there, not on what they say.
@Suite struct RestoreMemoryTests {
  private func saved(_ world: PhysicsWorld) -> [UInt8] {
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    return bytes
  }

  /// Restores into new memory; whether the bytes were taken, and how much was allocated for them.
  private func restore(_ bytes: [UInt8]) -> (taken: Bool, allocated: Int) {
    allocation_count_begin()
    let world = try? PhysicsWorld.restore(from: bytes)
    _ = allocation_count_end()
    return (world != nil, Int(allocation_byte_count()))
  }

  private func limit(_ bytes: [UInt8]) -> Int {
    SnapshotLimit.memoryAtLeast + SnapshotLimit.memoryPerByte * bytes.count
  }

  /// Bodies far from each other, in a row of their own, so that no two are neighbours.
  private func apart(_ count: Int, walls: Int = 0) throws -> PhysicsWorld {
    var configuration = WorldConfiguration.default
    configuration.capacity = count
    var world = try PhysicsWorld(configuration)
    let circle = try BodyShape.circle(radius: 5)
    for index in 0..<count {
      try world.addBody(BodyDefinition(shape: circle, position: Vector2(60 * Float(index), 0)))
    }
    for wall in 0..<walls {
      let x = Float(wall)
      try world.addBoundary(
        .segment(Vector2(x, 900_000), Vector2(x + 1, 900_000)), id: BoundaryID(Int32(wall)))
    }
    return world
  }

  /// Puts every body of a snapshot in one place.
  private func gathered(_ bytes: [UInt8], like world: PhysicsWorld) throws -> [UInt8] {
    var forged = bytes
    var place = 0
    for slot in 0..<world.slotCount {
      let state = world.storage.state(ofSlot: slot)
      let pose = [state.position.x, state.position.y, state.rotation.cosine, state.rotation.sine]
      let old = pose.flatMap { withUnsafeBytes(of: $0) { Array($0) } }
      while place + 16 <= forged.count && !forged[place..<(place + 16)].elementsEqual(old) {
        place += 1
      }
      try #require(place + 16 <= forged.count, "the poses lie in the order of the slots")
      forged.replaceSubrange(place..<(place + 4), with: [0, 0, 0, 0])
      place += 16
    }
    return forged
  }

  @Test func aCrowdThatNobodySavedIsRefusedBeforeItIsListed() throws {
    #if !DEBUG
      var world = try apart(4000)
      world.dropCaches()
      let bytes = saved(world)
      #expect(restore(bytes).taken)
      #expect(restore(bytes).allocated < limit(bytes))
      // Eight million pairs.
      let forged = try gathered(bytes, like: world)
      let (taken, allocated) = restore(forged)
      #expect(!taken)
      #expect(allocated < limit(forged), "\(allocated / forged.count) a byte")
    #endif
  }

  @Test func aCrowdAtManyWallsThatNobodySavedIsRefusedBeforeItIsListed() throws {
    #if !DEBUG
      var world = try apart(1000, walls: 2000)
      world.dropCaches()
      let bytes = saved(world)
      #expect(restore(bytes).taken)
      // Every wall comes to all bodies: two million pairs.
      var forged = bytes
      let height = withUnsafeBytes(of: Float(900_000)) { Array($0) }
      for place in forged.indices.dropLast(3)
      where forged[place..<(place + 4)].elementsEqual(height) {
        forged.replaceSubrange(place..<(place + 4), with: [0, 0, 0, 0])
      }
      forged = try gathered(forged, like: world)
      let (taken, allocated) = restore(forged)
      #expect(!taken)
      #expect(allocated < limit(forged), "\(allocated / forged.count) a byte")
    #endif
  }

  /// A crowd that somebody saved comes back, of bodies that meet and of some that don't.
  @Test(arguments: [false, true])
  func aCrowdThatWasSavedIsTaken(isFiltered: Bool) throws {
    var world = try Worlds.empty()
    let circle = try BodyShape.circle(radius: 5)
    for index in 0..<80 {
      var definition = BodyDefinition(
        shape: circle, position: Vector2(0.01 * Float(index), 0.02 * Float(index % 7)))
      if isFiltered { definition.properties.collisionMask = index % 3 == 0 ? .max : 0 }
      try world.addBody(definition)
    }
    world.dropCaches()
    let bytes = saved(world)
    var restored = try PhysicsWorld.restore(from: bytes)
    #expect(saved(restored) == bytes)
    for _ in 0..<5 {
      world.step()
      restored.step()
      #expect(world.stateHash() == restored.stateHash())
    }
    #if !DEBUG
      #expect(restore(bytes).allocated < limit(bytes))
    #endif
  }

  /// The least that a thing can be in a snapshot: free slots, free pieces, free joints.
  @Test func emptyPlacesTakeNoMoreThanTheirShare() throws {
    #if !DEBUG
      var world = try apart(4000, walls: 4000)
      let ids = (0..<4000).compactMap { world.bodyID(atSlot: $0) }
      for index in stride(from: 1, to: 4000, by: 2) {
        for _ in 0..<4 {
          _ = try world.addJoint(
            JointDefinition(
              .rope(length: 90), a: ids[index], b: ids[index - 1], anchorB: .zero))
        }
      }
      for id in ids { try world.removeBody(id) }
      for wall in 0..<3999 { try world.removeBoundary(id: BoundaryID(Int32(wall))) }
      world.step()
      let bytes = saved(world)
      #expect(bytes.count < 50_000)
      let (taken, allocated) = restore(bytes)
      #expect(taken)
      #expect(allocated < limit(bytes), "\(allocated / bytes.count) a byte")
    #endif
  }
}
