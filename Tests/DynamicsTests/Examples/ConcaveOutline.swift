import Dynamics

/// A cup that catches a ball, and a heart that falls beside it: outlines of items may be concave.
struct ConcaveOutline {
  var animator: Animator
  let cup: ItemID
  let heart: ItemID
  let ball: ItemID

  init() throws {
    animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 400, height: 600))
    cup = try animator.addItem(Item(.path(Self.cupOutline), center: Vector2(200, 440)))
    heart = try animator.addItem(
      Item(.path(Self.heartPath.outline), center: Vector2(60, 300), angle: 0.3))
    ball = try animator.addItem(Item(.circle(diameter: 40), center: Vector2(205, 100)))
    let all = [cup, heart, ball]
    try animator.add(CollisionBehavior(items: all, translatesReferenceBoundsIntoBoundary: true))
    try animator.add(GravityBehavior(items: all))
    try animator.add(ItemBehavior(items: all, friction: 0.5))
  }

  /// Two walls and a floor, 120×120 pt.
  static let cupOutline = [
    Vector2(-60, -60), Vector2(-40, -60), Vector2(-40, 40), Vector2(40, 40), Vector2(40, -60),
    Vector2(60, -60), Vector2(60, 60), Vector2(-60, 60),
  ]

  static var heartPath: BezierPath {
    var path = BezierPath(from: Vector2(0, 40))
    path.addCurve(
      to: Vector2(0, -20), controlPoint1: Vector2(-70, -10), controlPoint2: Vector2(-35, -60))
    path.addCurve(
      to: Vector2(0, 40), controlPoint1: Vector2(35, -60), controlPoint2: Vector2(70, -10))
    path.close()
    return path
  }

  /// A boundary may be concave as well: a landscape with a valley in it.
  static let valley = BoundaryPath.path(
    [
      Vector2(0, 300), Vector2(120, 300), Vector2(160, 500), Vector2(240, 500),
      Vector2(280, 300), Vector2(400, 300),
    ], closed: false)
}
