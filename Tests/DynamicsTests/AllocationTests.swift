import CAllocationCount
import Dynamics
import Testing

@Suite struct AllocationTests {
  /// Debug builds box closures and temporaries; the promise is about release builds.
  @Test func aStepAllocatesNothingAtSteadyState() throws {
    #if !DEBUG
      var animator = try SnapshotTests.everything()
      animator.step(times: 2000)
      var most = 0
      for _ in 0..<240 {
        allocation_count_begin()
        animator.step()
        most = max(most, allocation_count_end())
      }
      #expect(most == 0, "after \(animator.elapsedTime) s")
    #endif
  }
}
