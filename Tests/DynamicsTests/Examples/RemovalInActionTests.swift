import Dynamics
import Testing

@Suite struct RemovalInActionTests {
  @Test func bubblesThatMeetAreGoneInTheSameStep() throws {
    var scene = try RemovalInAction(count: 64)
    for _ in 0..<1200 {
      try scene.step()
      let gone = scene.animator.events.began.flatMap { event in
        if case .item(let other) = event.other { [event.item, other] } else { [] as [ItemID] }
      }
      for bubble in gone { #expect(!scene.animator.contains(bubble)) }
      #expect(scene.animator.itemCount == 64 - scene.bursts)
    }
    #expect(scene.bursts > 50, "\(scene.bursts)")
    #expect(scene.animator.itemCount <= 8)
  }

  @Test func theActionMayRemoveEverything() throws {
    var scene = try RemovalInAction(count: 64)
    var animator = scene.animator
    animator.step { animator, _ in animator.removeAllBehaviors() }
    for _ in 0..<31 { animator.step() }
    #expect(animator.isPaused && animator.itemCount == 64)
    // The other copy goes on.
    try scene.step()
    #expect(scene.animator.isRunning)
  }
}
