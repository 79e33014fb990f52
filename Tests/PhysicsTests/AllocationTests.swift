import CAllocationCount
import Physics
import Testing

/// A step at steady state allocates nothing, whatever happens in it. Debug builds box closures and
/// temporaries; the promise is about release builds.
@Suite struct AllocationTests {
  @Test func theCounterCounts() {
    #expect(counted { _ = [Int](repeating: 1, count: 1000) } > 0)
    #expect(counted {} == 0)
  }

  #if !DEBUG
    @Test(arguments: BusyScene.Kind.allCases)
    func aStepAllocatesNothingAtSteadyState(kind: BusyScene.Kind) throws {
      var scene = try BusyScene(kind)
      // Long enough for every list to have met its longest.
      for _ in 0..<kind.warmUp {
        try scene.prepare()
        scene.world.step()
      }
      var (allocations, moved, began, ended) = (0, Float(0), 0, 0)
      for _ in 0..<240 {
        try scene.prepare()
        allocations += counted { scene.world.step() }
        began += scene.world.contactEvents.began.count
        ended += scene.world.contactEvents.ended.count
        #expect(scene.world.sleepingCount * 20 < scene.world.bodyCount, "they sleep")
        scene.world.forEachBody { _, state in moved += state.velocity.length / 60 }
      }
      #expect(allocations == 0)
      // It was no still life: on average everybody went its own size, and things met and parted.
      #expect(moved > 40 * Float(scene.world.bodyCount), "\(kind): \(moved)")
      #expect(began >= kind.leastEvents && ended >= kind.leastEvents, "\(kind): \(began), \(ended)")
      // The counter had seen an allocation among these very steps.
      #expect(
        counted {
          scene.world.step()
          _ = [Int](repeating: 1, count: 1000)
        } > 0)
    }

    @Test func bodiesThatComeAndGoAllocateNothing() throws {
      var scene = try BusyScene(.churn)
      var allocations = 0
      for tick in 0..<2240 {
        let count = counted {
          try? scene.prepare()
          scene.world.step()
        }
        if tick >= 2000 { allocations += count }
      }
      #expect(allocations == 0)
    }
  #endif

  private func counted(_ action: () -> Void) -> Int {
    allocation_count_begin()
    action()
    return Int(allocation_count_end())
  }
}
