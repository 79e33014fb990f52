/// Four contacts of one point each, no body twice among them. Lanes: one contact each.
struct OnePointBatch: BitwiseCopyable {
  /// From the first body to the second.
  var nx, ny: Lanes
  /// Arm × normal and arm × tangent of both bodies; the tangent is (ny, −nx).
  var normalArmA, normalArmB: Lanes
  var tangentArmA, tangentArmB: Lanes
  /// Gap when the contact was found.
  var gap: Lanes
  var normalMass, tangentMass: Lanes
  var normalImpulse, tangentImpulse: Lanes
  /// Largest normal impulse of the step: whether the contact pressed at all.
  var largest: Lanes
  /// Speed to leave with, negative; 0 where nothing bounces.
  var bounce: Lanes
  /// Byte offsets of the two bodies' motions.
  var a, b: IntLanes
  /// Gap after the last sub-step, for the next one's bias pass.
  var currentGap: Lanes
  var inertiaA, inertiaB: Lanes
  var friction: Lanes
}

/// One of the two points of a batch.
struct BatchPoint: BitwiseCopyable {
  var normalArmA, normalArmB: Lanes
  var tangentArmA, tangentArmB: Lanes
  var gap: Lanes
  var normalMass, tangentMass: Lanes
  var normalImpulse, tangentImpulse: Lanes
  var largest: Lanes
  var bounce: Lanes
  var currentGap: Lanes
}

/// Four contacts of two points each, no body twice among them.
struct TwoPointBatch: BitwiseCopyable {
  var nx, ny: Lanes
  var a, b: IntLanes
  var inertiaA, inertiaB: Lanes
  var friction: Lanes
  var first, second: BatchPoint
}

/// One point of a contact with a boundary.
struct EdgePoint: BitwiseCopyable {
  var normalArm, tangentArm: Lanes
  var gap: Lanes
  var normalMass, tangentMass: Lanes
  var normalImpulse, tangentImpulse: Lanes
  var largest: Lanes
  var bounce: Lanes
}

/// Four contacts with boundaries; the normal points from the boundary to the body.
struct EdgeBatch: BitwiseCopyable {
  var nx, ny: Lanes
  var body: IntLanes
  var inverseMass, inverseInertia: Lanes
  var friction: Lanes
  var first, second: EdgePoint
}
