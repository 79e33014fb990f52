import Dynamics
import Testing

@Suite struct TiltCardsTests {
  @Test func cardsSlideToTheLowSideAndRest() throws {
    var tray = try TiltCards(count: 5)
    try tray.tilted(pitch: 0, roll: 0.5)
    for _ in 0..<300 { tray.animator.step() }
    #expect(tray.animator.isPaused)
    for card in tray.cards { #expect(abs(tray.animator.center(of: card).x - 290) < 0.5) }
    try tray.tilted(pitch: 0, roll: -0.5)
    for _ in 0..<300 { tray.animator.step() }
    for card in tray.cards { #expect(abs(tray.animator.center(of: card).x - 30) < 0.5) }
    // In the order in which they lay.
    try tray.tilted(pitch: 0.5, roll: 0)
    for _ in 0..<400 { tray.animator.step() }
    #expect(tray.animator.isPaused)
    let places = tray.cards.map { tray.animator.center(of: $0).y }
    for (place, wanted) in zip(places, [120, 200, 280, 360, 440] as [Float]) {
      #expect(abs(place - wanted) < 1.5, "\(places)")
    }
  }

  @Test func aSensorThatTremblesWakesNobody() throws {
    var tray = try TiltCards(count: 5)
    var resumed = 0
    for tick in 0..<600 {
      let tremble: Float = tick % 2 == 0 ? 0.005 : -0.005
      try tray.tilted(pitch: 0.3 + tremble, roll: 0)
      if tray.animator.step().willResume { resumed += 1 }
    }
    #expect(tray.animator.isPaused && resumed == 0)
  }
}
