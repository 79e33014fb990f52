/// Four contacts of one point each, no body twice among them. Lanes: one contact each.
struct OnePointBatch: BitwiseCopyable {
  var pair: BatchPair
  var point: BatchPoint
}

/// Four contacts of two points each, no body twice among them.
struct TwoPointBatch: BitwiseCopyable {
  var pair: BatchPair
  var first, second: BatchPoint
}

/// Who touches in a batch, and along which normal.
struct BatchPair: BitwiseCopyable {
  /// From the first body to the second; the tangent is (ny, −nx).
  var nx, ny: Lanes
  /// Byte offsets of the two bodies' motions.
  var a, b: IntLanes
  var inertiaA, inertiaB: Lanes
  var friction: Lanes
}

/// A point of each contact in a batch.
struct BatchPoint: BitwiseCopyable {
  /// Arm × normal and arm × tangent of both bodies.
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
  /// Gap after the last sub-step, for the next one's bias pass.
  var currentGap: Lanes
}

/// Four contacts with boundaries; the normal points from the boundary to the body.
struct EdgeBatch: BitwiseCopyable {
  var nx, ny: Lanes
  /// Byte offset of the body's motion.
  var body: IntLanes
  var inertia: Lanes
  var friction: Lanes
  var first, second: EdgePoint
}

/// A point of each contact with a boundary in a batch; its values are those of `BatchPoint`.
struct EdgePoint: BitwiseCopyable {
  var normalArm, tangentArm: Lanes
  var gap: Lanes
  var normalMass, tangentMass: Lanes
  var normalImpulse, tangentImpulse: Lanes
  var largest: Lanes
  var bounce: Lanes
}
