import Dynamics

// The listings of `Animator.update`, of `Animator.step(composites:)` and of `BezierPath`.

/// Changes behaviours that are in an animator.
func changeBehaviors(
  _ animator: inout Animator, _ gravity: GravityBehavior.Handle, _ walls: CollisionBehavior.Handle,
  from low: Vector2, to high: Vector2
) throws {
  try animator.update(gravity) { $0.angle = 0 }
  try animator.update(walls) { try $0.addBoundary(from: low, to: high, id: 7) }
}

/// The animator has a copy of its own: only a change through the handle gets there.
func changeAfterwards(_ animator: inout Animator, _ ball: ItemID) throws -> Float {
  var gravity = GravityBehavior(items: [ball])
  let handle = try animator.add(gravity)
  gravity.magnitude = 2
  try animator.update(handle) { $0.magnitude = 3 }
  return try animator.behavior(handle).magnitude
}

/// What UIKit's `action` of a behaviour does: after each step, something for each composite.
func stepWithActions(
  _ animator: inout Animator, _ rain: CompositeBehavior.Handle, _ ball: ItemID
) throws {
  try animator.step(composites: { animator, composite, events in
    if composite == rain { try animator.addLinearVelocity(Vector2(1, 0), for: ball) }
  })
}

/// A hill of lines and a curve.
func addHill(to walls: inout CollisionBehavior) throws {
  var hill = BezierPath(from: Vector2(0, 400))
  hill.addCurve(
    to: Vector2(320, 400), controlPoint1: Vector2(100, 250), controlPoint2: Vector2(220, 550))
  hill.addLine(to: Vector2(320, 568))
  hill.addLine(to: Vector2(0, 568))
  hill.close()
  try walls.addBoundary(hill.boundary, id: 8)
}
