import Dynamics
import Testing

@Suite struct TearOffTests {
  private let home = Vector2(160, 100)

  @Test func pulledALittleItComesBack() throws {
    var page = try TearOff(home: home)
    try page.pull(to: home + Vector2(0, 90))
    for _ in 0..<120 { #expect(try !page.step()) }
    #expect((page.animator.center(of: page.label) - home - Vector2(0, 72)).length < 1)
    try page.letGo()
    for _ in 0..<180 { #expect(try !page.step()) }
    #expect(page.animator.isPaused && !page.isTornOff)
    #expect((page.animator.center(of: page.label) - home).length < 0.2)
  }

  @Test func pulledFarItTearsOffOnceAndFalls() throws {
    var page = try TearOff(home: home)
    var tears = 0
    for tick in 1...120 {
      try page.pull(to: home + Vector2(0, Float(min(tick * 4, 150))))
      if try page.step() { tears += 1 }
    }
    #expect(tears == 1 && page.isTornOff)
    #expect((page.animator.center(of: page.label) - home - Vector2(0, 150)).length < 0.5)
    try page.letGo()
    for _ in 0..<180 { #expect(try !page.step()) }
    #expect(page.animator.isPaused)
    #expect(abs(page.animator.center(of: page.label).y - 548) < 0.5)
  }
}
