import CAllocationCount
import Dynamics
import Testing

@Suite struct ConfettiTests {
  @Test func tenThousandAddsAndRemovesLeaveNothingBehind() throws {
    var confetti = try Confetti(atATime: 40)
    var sizes: [Int] = []
    var allocated: [Int] = []
    var bytes: [UInt8] = []
    for round in 0..<10 {
      allocation_count_begin()
      for _ in 0..<1000 { try confetti.step() }
      _ = allocation_count_end()
      allocated.append(allocation_byte_count())
      #expect(confetti.animator.itemCount == 40 && confetti.animator.itemSlotCount <= 41)
      #expect(confetti.animator.behaviorIDs.count == 4, "round \(round)")
      confetti.animator.dropCaches()
      confetti.animator.save(into: &bytes)
      sizes.append(bytes.count)
    }
    #expect(confetti.added == 10_040)
    // The last thousand take no more memory, and no more of it for a time, than the second.
    #expect(sizes[9] <= sizes[1] + sizes[1] / 10, "\(sizes)")
    #if !DEBUG
      #expect(allocated[9] <= allocated[1] + allocated[1] / 10, "\(allocated)")
    #endif
  }
}
