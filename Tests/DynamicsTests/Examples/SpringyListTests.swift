import CAllocationCount
import Dynamics
import Testing

@Suite struct SpringyListTests {
  /// Each cell is a damped spring of 1 Hz and a damping ratio of 0.8, whose way is known.
  @Test func eachCellSwingsBackAsItsSpringSays() throws {
    var list = try SpringyList(count: 500)
    let homes = list.cells.map { list.animator.center(of: $0) }
    try list.scroll(by: 100, touch: homes[250].y)
    let omega: Float = 2 * .pi
    for tick in 1...60 {
      list.animator.step()
      guard tick % 15 == 0 else { continue }
      let time = Float(tick) / 60
      // √(1 − 0.8²) is 0.6.
      let phase = 0.6 * omega * time
      let swing =
        DeterministicMath.cosine(phase) + 0.8 / 0.6 * DeterministicMath.sine(phase)
      // e^(−0.8·ω·t) at quarters of a second.
      let fade: [Float] = [0.284_609, 0.081_003, 0.023_054, 0.006_561]
      for (cell, home) in zip(list.cells, homes) {
        let lag = min(abs(home.y - homes[250].y) / 1500, 1)
        let center = list.animator.center(of: cell)
        #expect(abs(center.y - home.y - 100 * lag * fade[tick / 15 - 1] * swing) < 0.1)
        #expect(center.x == home.x)
      }
    }
  }

  @Test func itPausesWithinASecondOfRest() throws {
    var list = try SpringyList(count: 500)
    let homes = list.cells.map { list.animator.center(of: $0) }
    try list.scroll(by: 100, touch: 0)
    var (lastMove, ticks) = (0, 0)
    while list.animator.isRunning && ticks < 600 {
      list.animator.step()
      ticks += 1
      if list.cells.contains(where: { list.animator.linearVelocity(of: $0).length >= 1 }) {
        lastMove = ticks
      }
    }
    #expect(list.animator.isPaused && ticks - lastMove <= 60, "\(lastMove) of \(ticks)")
    for (cell, home) in zip(list.cells, homes) {
      #expect((list.animator.center(of: cell) - home).length < 0.2)
    }
  }

  @Test func scrollingAllocatesNothing() throws {
    #if !DEBUG
      var list = try SpringyList(count: 500)
      var most = 0
      for tick in 0..<240 {
        allocation_count_begin()
        try list.scroll(by: tick % 20 < 10 ? 8 : -8, touch: 300)
        list.animator.step()
        let count = allocation_count_end()
        if tick >= 120 { most = max(most, Int(count)) }
      }
      #expect(most == 0)
    #endif
  }
}
