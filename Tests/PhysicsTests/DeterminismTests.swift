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
    #expect(world.stateHash() == 9_021_611_232_238_230_368)
  }
}
