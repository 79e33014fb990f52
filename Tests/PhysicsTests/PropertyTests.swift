import Testing

@testable import Physics

/// Invariants over random worlds. A failing seed repeats the whole run.
@Suite struct PropertyTests {
  #if DEBUG
    static let seeds: UInt64 = 40
  #else
    static let seeds: UInt64 = 1000
  #endif
  static let ticks = 90

  /// Each seed also goes on from a snapshot that was taken somewhere on its way, in memory in which
  /// all seeds before it had lived, and ends in the same state.
  @Test func randomWorldsKeepTheInvariants() throws {
    var memory = try PhysicsWorld()
    var (began, ended, slept, joined) = (0, 0, 0, 0)
    for seed in 0..<Self.seeds {
      var world = try RandomWorld(seed: seed)
      let branch = 10 + Int(seed * 7 % 70)
      var (twin, bytes): (RandomWorld, [UInt8]) = (world, [])
      for tick in 0..<Self.ticks {
        if tick == branch {
          twin = world
          world.world.save(into: &bytes)
        }
        try world.step()
        world.check()
        if tick % 30 == 29 { world.checkContacts() }
        slept += world.world.sleepingCount
      }
      #expect(world.problem == nil, "seed \(seed): \(world.problem ?? "")")
      try memory.restore(from: bytes)
      swap(&memory, &twin.world)
      for _ in branch..<Self.ticks { try twin.step() }
      swap(&memory, &twin.world)
      #expect(memory.stateHash() == world.world.stateHash(), "seed \(seed) from \(branch)")
      #expect(saved(memory) == saved(world.world), "seed \(seed) from \(branch)")
      #expect(twin.contacts.pairs == world.contacts.pairs, "seed \(seed) from \(branch)")
      began += world.contacts.beganCount
      ended += world.contacts.endedCount
      joined += world.joints.count
    }
    // The worlds were not idle.
    #expect(began > 40 * Int(Self.seeds) && ended > 20 * Int(Self.seeds))
    #expect(slept > 0 && joined > Int(Self.seeds))
  }

  @Test func aSeedRepeatsItself() throws {
    for seed in stride(from: 0, to: Self.seeds, by: 20) {
      var (first, second) = (try RandomWorld(seed: seed), try RandomWorld(seed: seed))
      for _ in 0..<Self.ticks { try first.step() }
      for _ in 0..<Self.ticks { try second.step() }
      #expect(saved(first.world) == saved(second.world), "seed \(seed)")
      #expect(first.world.stateHash() == second.world.stateHash(), "seed \(seed)")
    }
  }

  /// What is restored from broken bytes is a world that steps on within the limits of one.
  @Test func brokenSnapshotsAreRefusedOrHarmless() throws {
    var random = RandomGenerator(seed: 99)
    var memory = try PhysicsWorld()
    var (refused, restored) = (0, 0)
    for seed in 0..<UInt64(20) {
      var world = try RandomWorld(seed: 5 + seed)
      for _ in 0..<30 { try world.step() }
      let bytes = saved(world.world)
      for _ in 0..<(Self.seeds / 10) {
        var broken = bytes
        for _ in 0..<(1 + random.next(below: 3)) {
          broken[Int(random.next(below: UInt32(broken.count)))] = UInt8(
            truncatingIfNeeded: random.next())
        }
        do {
          try memory.restore(from: broken)
        } catch {
          #expect(error == .malformedSnapshot)
          refused += 1
          continue
        }
        restored += 1
        for _ in 0..<3 {
          memory.step()
          memory.forEachBody { _, state in
            #expect(state.position.isFinite && state.velocity.isFinite)
            #expect(state.velocity.length <= PhysicsWorld.speedLimit * 1.001)
          }
        }
        // And it can be saved and restored in its turn.
        _ = try PhysicsWorld.restore(from: saved(memory))
      }
    }
    #expect(refused > 20 && restored > 20)
  }

  private func saved(_ world: PhysicsWorld) -> [UInt8] {
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    return bytes
  }
}

extension PhysicsWorld {
  /// Bodies whose numbers ran out since the start: none, in a world that was not forged.
  var lostBodies: Int { storage.state.lostBodies }
}
