import Dynamics
import Testing

@Suite struct ConcaveOutlineTests {
  @Test func theCupCatchesTheBall() throws {
    var scene = try ConcaveOutline()
    for _ in 0..<600 { scene.animator.step() }
    let centers = scene.parts.map { scene.animator.center(of: $0) }
    let ball = scene.animator.center(of: scene.ball)
    // Its floor lies on the ground, the ball on its floor between its walls.
    #expect(abs(centers[0].y - 590) < 1 && abs(ball.y - 560) < 1.5, "\(centers), \(ball)")
    #expect(ball.x > centers[1].x + 29 && ball.x < centers[2].x - 29)
    for (wall, wanted) in [(centers[1], Vector2(-50, -60)), (centers[2], Vector2(50, -60))] {
      #expect((wall - centers[0] - wanted).length < 1, "\(centers)")
    }
    #expect(scene.animator.isPaused)
  }

  @Test func aConcaveItemIsRefusedAndAConcaveBoundaryHolds() throws {
    var animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 400, height: 600))
    let dart = ItemShape.path([
      Vector2(0, -50), Vector2(40, 50), Vector2(0, 20), Vector2(-40, 50),
    ])
    #expect(throws: DynamicsError.pathNotConvex) {
      _ = try animator.addItem(Item(dart, center: Vector2(200, 100)))
    }
    let balls = try animator.addItems(
      (0..<4).map { Item(.circle(diameter: 30), center: Vector2(200, 60 + Float($0 * 40))) })
    var collision = CollisionBehavior(items: balls)
    try collision.addBoundary(ConcaveOutline.valley, id: 1)
    try animator.add(collision)
    try animator.add(GravityBehavior(items: balls))
    for _ in 0..<600 { animator.step() }
    #expect(animator.isPaused)
    for ball in balls {
      let center = animator.center(of: ball)
      #expect(center.x > 140 && center.x < 260 && center.y > 380 && center.y < 486)
    }
  }
}
