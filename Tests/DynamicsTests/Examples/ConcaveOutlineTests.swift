import Testing

@testable import Dynamics

@Suite struct ConcaveOutlineTests {
  @Test func theCupCatchesTheBall() throws {
    var scene = try ConcaveOutline()
    // The heart rocks on its round side for a while.
    for _ in 0..<900 { scene.animator.step() }
    let (cup, ball) = (
      scene.animator.center(of: scene.cup), scene.animator.center(of: scene.ball)
    )
    // Its floor lies on the ground, the ball on its floor between its walls.
    #expect(abs(cup.y - 540) < 1 && abs(scene.animator.angle(of: scene.cup)) < 0.01, "\(cup)")
    #expect(abs(ball.y - 560) < 1.5 && abs(ball.x - cup.x) < 21, "\(ball)")
    #expect(scene.animator.isPaused)
    #expect(
      scene.animator.items(in: Rect2(x: cup.x - 60, y: 480, width: 120, height: 120)).count == 2)
  }

  /// What came to rest is the heart's two curves on the floor: it is where it is drawn.
  @Test func theHeartLiesOnItsOutline() throws {
    var scene = try ConcaveOutline()
    for _ in 0..<600 { scene.animator.step() }
    let state = scene.animator.state(of: scene.heart)
    let lowest = ConcaveOutline.heartPath.points.map {
      state.center.y + $0.rotated(by: state.rotation).y
    }
    #expect(abs((lowest.max() ?? 0) - 600) < 1.2, "\(lowest.max() ?? 0)")
  }

  /// As few corners as keep the curve within half a point.
  @Test func anOutlineOfCurvesHasFewCorners() throws {
    let path = ConcaveOutline.heartPath
    let outline = path.outline
    #expect(outline.count > 12 && outline.count <= 40, "\(outline.count)")
    for point in path.points {
      var nearest = Float.infinity
      for i in outline.indices {
        let (a, b) = (outline[i], outline[(i + 1) % outline.count])
        let along = max(0, min(1, (point - a).dot(b - a) / (b - a).lengthSquared))
        nearest = min(nearest, (point - a - (b - a) * along).length)
      }
      #expect(nearest < 0.5)
    }
    // A large circle of four curves keeps as many corners as an item may have.
    var circle = BezierPath(from: Vector2(800, 0))
    let k: Float = 800 * 0.5522847
    circle.addCurve(
      to: Vector2(0, 800), controlPoint1: Vector2(800, k), controlPoint2: Vector2(k, 800))
    circle.addCurve(
      to: Vector2(-800, 0), controlPoint1: Vector2(-k, 800), controlPoint2: Vector2(-800, k))
    circle.addCurve(
      to: Vector2(0, -800), controlPoint1: Vector2(-800, -k), controlPoint2: Vector2(-k, -800))
    circle.addCurve(
      to: Vector2(800, 0), controlPoint1: Vector2(k, -800), controlPoint2: Vector2(800, -k))
    #expect(circle.outline.count == 64)
    #expect(try SolidShape(.path(circle.outline)).area > 0.99 * .pi * 640_000)
  }

  @Test func aConcaveBoundaryHolds() throws {
    var animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 400, height: 600))
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

  /// Its parts count: the solver has room for so many shapes.
  @Test func theCapacityHoldsParts() throws {
    var configuration = Animator.defaultConfiguration
    configuration.capacity = 4
    var animator = try Animator(
      referenceBounds: Rect2(x: 0, y: 0, width: 400, height: 600), configuration: configuration)
    let cup = Item(.path(ConcaveOutline.cupOutline), center: Vector2(200, 440))
    let first = try animator.addItem(cup)
    #expect(throws: DynamicsError.tooManyItems(limit: 4)) { _ = try animator.addItem(cup) }
    let disc = try animator.addItem(Item(.circle(diameter: 40), center: Vector2(205, 100)))
    #expect(throws: DynamicsError.tooManyItems(limit: 4)) {
      try animator.updateItem(disc, usingCurrentState: cup)
    }
    try animator.add(GravityBehavior(items: [first, disc]))
    animator.step()
    try animator.updateItem(
      first, usingCurrentState: Item(.circle(diameter: 9), center: Vector2(50, 50)))
    try animator.updateItem(disc, usingCurrentState: cup)
    animator.step()
    try animator.removeItem(disc)
    #expect(animator.furtherShapes == 0)
    _ = try animator.addItem(cup)
  }

  @Test func aSnapshotGoesOnTheSame() throws {
    var scene = try ConcaveOutline()
    for _ in 0..<80 { scene.animator.step() }
    var bytes: [UInt8] = []
    scene.animator.save(into: &bytes)
    var other = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 1, height: 1))
    try other.restore(from: bytes)
    for _ in 0..<60 {
      scene.animator.step()
      other.step()
    }
    #expect(other.stateHash() == scene.animator.stateHash())
  }
}
