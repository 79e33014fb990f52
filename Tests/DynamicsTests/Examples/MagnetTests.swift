import Dynamics
import Testing

@Suite struct MagnetTests {
  @Test func theFingerDrawsWhatIsWithinItsReach() throws {
    var magnet = try Magnet(count: 64)
    let far = magnet.filings[0]
    let before = magnet.animator.center(of: far)
    let finger = Vector2(220, 220)
    try magnet.touch(at: finger)
    for _ in 0..<600 { magnet.step() }
    #expect(magnet.animator.center(of: far) == before, "it is out of reach")
    let near = magnet.filings.filter { (magnet.animator.center(of: $0) - finger).length < 60 }
    #expect(near.count > 30, "\(near.count)")
    try magnet.letGo()
    for _ in 0..<300 { magnet.step() }
    #expect(magnet.animator.isPaused)
  }
}
