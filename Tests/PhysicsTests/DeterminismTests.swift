import Physics
import Testing

@Suite struct DeterminismTests {
  private func run(_ world: inout PhysicsWorld, ticks: Int) {
    for _ in 0..<ticks {
      Worlds.turnGravity(&world)
      world.step()
    }
  }

  @Test func twoRunsAreEqual() throws {
    var a = try Worlds.pit(bodies: 100, seed: 3)
    var b = try Worlds.pit(bodies: 100, seed: 3)
    run(&a, ticks: 300)
    run(&b, ticks: 300)
    #expect(a.stateHash() == b.stateHash())
    b.step()
    #expect(a.stateHash() != b.stateHash())
  }

  @Test func aCopyIsASnapshot() throws {
    var a = try Worlds.pit(bodies: 60, seed: 4)
    run(&a, ticks: 100)
    var copy = a
    let frozen = copy.stateHash()
    run(&a, ticks: 100)
    #expect(copy.stateHash() == frozen)
    run(&copy, ticks: 100)
    #expect(copy.stateHash() == a.stateHash())
  }

  @Test func aRestoredWorldContinuesBitForBit() throws {
    var a = try Worlds.pit(bodies: 60, seed: 5)
    run(&a, ticks: 77)
    var bytes: [UInt8] = []
    a.save(into: &bytes)
    var b = try PhysicsWorld.restore(from: bytes)
    run(&a, ticks: 200)
    run(&b, ticks: 200)
    #expect(a.stateHash() == b.stateHash())
  }

  @Test func aSmallSnapshotContinuesLikeTheWorldThatDroppedItsCaches() throws {
    var a = try Worlds.pit(bodies: 200, seed: 6)
    run(&a, ticks: 150)
    a.dropCaches()
    var bytes: [UInt8] = []
    a.save(into: &bytes)
    var b = try PhysicsWorld.restore(from: bytes)
    #expect(b.stateHash() == a.stateHash())
    for _ in 0..<200 {
      run(&a, ticks: 1)
      run(&b, ticks: 1)
      #expect(a.contactEvents == b.contactEvents)
    }
    #expect(a.stateHash() == b.stateHash())
  }

  /// What nobody sees in this tick makes another world of the next ones.
  @Test func theHashSeesWhatContactsRemember() throws {
    var a = try Worlds.pit(bodies: 100, seed: 6)
    run(&a, ticks: 150)
    var b = a
    b.dropCaches()
    #expect(a.motionHash() == b.motionHash() && a.stateHash() != b.stateHash())
  }

  @Test func snapshotsOfASettledPitAreSmall() throws {
    var world = try Worlds.pit(bodies: 1000, seed: 8)
    for _ in 0..<900 { world.step() }
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    #expect(bytes.count <= 128 * 1000)
    world.dropCaches()
    world.save(into: &bytes)
    #expect(bytes.count <= 64 * 1000)
  }

  @Test func cutSnapshotsAreRefused() throws {
    var world = try Worlds.pit(bodies: 5, seed: 5)
    run(&world, ticks: 3)
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    for length in 0..<bytes.count {
      #expect(throws: PhysicsError.self) {
        try PhysicsWorld.restore(from: Array(bytes[..<length]))
      }
    }
  }

  /// The same number in debug, release and WebAssembly; it changes only with the solver.
  @Test func theGoldenHashOfAMovingPit() throws {
    var world = try Worlds.pit(bodies: 100, seed: 7)
    run(&world, ticks: 300)
    #expect(world.motionHash() == 11_928_718_559_213_997_084)
  }
}
