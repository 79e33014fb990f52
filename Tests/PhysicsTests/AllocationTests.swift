import CAllocationCount
import Physics
import PhysicsScenes
import Testing

@Suite struct AllocationTests {
  @Test func theCounterCounts() {
    allocation_count_begin()
    let array = [Int](repeating: 1, count: 1000)
    #expect(allocation_count_end() > 0)
    #expect(array.count == 1000)
  }

  /// Debug builds box closures and temporaries; the promise is about release builds.
  @Test(arguments: [PhysicsScene.Kind.pit, .settled, .joints])
  func aStepAllocatesNothingAtSteadyState(kind: PhysicsScene.Kind) throws {
    #if !DEBUG
      var scene = try PhysicsScene(kind, bodies: 150, sleeps: true)
      // Long enough for every list to have met its longest.
      for _ in 0..<3000 { scene.step() }
      var most = 0
      for _ in 0..<240 {
        scene.beforeStep()
        allocation_count_begin()
        scene.world.step()
        most = max(most, allocation_count_end())
      }
      #expect(most == 0, "\(kind)")
    #endif
  }
}
