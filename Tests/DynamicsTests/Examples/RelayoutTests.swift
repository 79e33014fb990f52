import Dynamics
import Testing

@Suite struct RelayoutTests {
  private let upright = Rect2(x: 0, y: 0, width: 320, height: 568)
  private let lying = Rect2(x: 0, y: 0, width: 568, height: 320)

  @Test func nothingJumpsWhenTheScreenTurns() throws {
    var scene = try Relayout(count: 12, screen: upright)
    try scene.shake(Vector2(400, -200))
    for _ in 0..<5 { scene.animator.step() }
    let before = scene.tiles.map { scene.animator.state(of: $0) }
    try scene.layOut(lying)
    #expect(scene.tiles.map { scene.animator.state(of: $0) } == before)
    for (tile, state) in zip(scene.tiles, before) {
      #expect(state.velocity.length > 50)
      let frame = Relayout.frame(0, lying)
      #expect(scene.animator.shape(of: tile).size == Vector2(frame.width, frame.height))
    }
    for _ in 0..<120 { scene.animator.step() }
    expectHome(scene, lying)
  }

  @Test func itIsLaidOutInEveryTickAndComesHome() throws {
    var scene = try Relayout(count: 12, screen: upright)
    for tick in 0..<300 {
      let width = Float(320 + tick % 100)
      try scene.layOut(Rect2(x: 0, y: 0, width: width, height: 568))
      scene.animator.step()
      for tile in scene.tiles {
        #expect(scene.animator.linearVelocity(of: tile).length < 3000)
      }
    }
    try scene.layOut(upright)
    for _ in 0..<120 { scene.animator.step() }
    expectHome(scene, upright)
    #expect(scene.animator.behaviorIDs.count == 12)
  }

  private func expectHome(_ scene: Relayout, _ screen: Rect2) {
    #expect(scene.animator.isPaused)
    for (i, tile) in scene.tiles.enumerated() {
      let home = Relayout.frame(i, screen).center
      #expect((scene.animator.center(of: tile) - home).length < 0.01)
      #expect(scene.animator.angle(of: tile) == 0)
    }
  }
}
