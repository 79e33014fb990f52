import Dynamics
import Testing

@Suite struct HammerTests {
  @Test func itHangsHeadDownInOnePiece() throws {
    var hammer = try Hammer()
    for _ in 0..<1800 {
      hammer.step()
      let apart =
        hammer.animator.center(of: hammer.head) - hammer.animator.center(of: hammer.handle)
      #expect(abs(apart.length - 72) < 0.01)
    }
    let head = hammer.animator.center(of: hammer.head)
    #expect(abs(head.x - 145) < 1 && abs(head.y - 227) < 1, "\(head)")
  }
}
