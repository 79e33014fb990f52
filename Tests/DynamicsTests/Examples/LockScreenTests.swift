import Dynamics
import Testing

@Suite struct LockScreenTests {
  /// Thrown up at 600 pt/s under 2000 pt/s² the panel rises 90 pt; each bounce of elasticity 0.5
  /// reaches a quarter of the height before.
  @Test func aTapMakesItHopAndBounce() throws {
    var screen = try LockScreen()
    try screen.tapped()
    var (peaks, ticks): ([Float], Int) = ([], 0)
    var heights: [Float] = [0, 0]
    repeat {
      screen.animator.step()
      ticks += 1
      heights.append(screen.size.y - screen.bottom)
      let n = heights.count
      if heights[n - 2] > heights[n - 3] && heights[n - 2] >= heights[n - 1]
        && heights[n - 2] > 1
      {
        peaks.append(heights[n - 2])
      }
    } while screen.animator.isRunning && ticks < 300
    #expect(screen.animator.isPaused && abs(screen.bottom - screen.size.y) < 0.5)
    #expect(peaks.count >= 3, "\(peaks)")
    for (peak, wanted) in zip(peaks, [90, 22.5, 5.6] as [Float]) {
      #expect(abs(peak - wanted) < 0.1 * wanted, "\(peaks)")
    }
  }

  @Test func tapsMakeItHopAgainAndAgain() throws {
    var screen = try LockScreen()
    for _ in 0..<20 {
      try screen.tapped()
      for _ in 0..<20 { screen.animator.step() }
      #expect(screen.size.y - screen.bottom > 50)
      for _ in 0..<180 { screen.animator.step() }
      #expect(screen.animator.isPaused)
    }
    #expect(screen.animator.behaviorIDs.count == 4)
  }

  @Test(arguments: [(300, false), (270, true)] as [(Float, Bool)])
  func letGoAboveTheMiddleItOpens(_ bottom: Float, _ opens: Bool) throws {
    var screen = try LockScreen()
    try screen.released(bottom: bottom)
    #expect(screen.isOpen == opens)
    for _ in 0..<300 { screen.animator.step() }
    #expect(screen.animator.isPaused)
    #expect(abs(screen.bottom - (opens ? 0 : screen.size.y)) < 0.5)
  }
}
