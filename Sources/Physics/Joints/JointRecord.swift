/// A joint as the world keeps it.
struct JointRecord: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    case distance, rope, weld, revolute, prismatic
  }

  var exists = false
  var kind = Kind.distance
  var collides = true
  var hasLimits = false
  var generation: UInt16 = .max
  var slotA: UInt16 = 0
  /// −1 for the world.
  var slotB: Int32 = -1
  var anchorA = Vector2.zero
  var anchorB = Vector2.zero
  /// In the frame of the first body, of length 1.
  var axis = Vector2.zero
  /// Of distance and rope; of a slider, the distance across the axis that counts as zero.
  var length: Float = 0
  /// Relative angle that counts as zero.
  var angle: Float = 0
  /// Along the axis, the distance that counts as zero.
  var offset: Float = 0
  var frequency: Float = 0
  var dampingRatio: Float = 0
  var lower: Float = 0
  var upper: Float = 0
  /// The most that friction or a motor does: a torque, of a slider a force.
  var frictionTorque: Float = 0
  /// The speed that the friction brings about: of a hinge in rad/s, of a slider in pt/s.
  var motorSpeed: Float = 0
  /// The force and the torque beyond which the joint breaks; infinite when it never does.
  var breakingForce = Float.infinity
  var breakingTorque = Float.infinity
  /// What the rows have applied in the last sub-step: linear two, angular, lower and upper limit,
  /// friction or motor.
  var impulses = SIMD8<Float>.zero
  /// Vector from the world anchor's new place back to its old one; the anchor covers it during the
  /// next tick.
  var anchorTravel = Vector2.zero
  /// Whether something in the way kept the joint from correcting its places in the last
  /// sub-step.
  var isBlocked = false
  /// Of a hinge with limits, the half turns that its angle is near.
  var halfTurns: Int32 = 0

  // During a tick only.
  /// Whether the joint's motor is too strong for what may be in the way of its bodies.
  var isPressing = false
  /// The most that the motor may do to what is welded to its bodies and has contacts.
  var weldedStrength = Float.infinity
  var anchorTravelVelocity = Vector2.zero
  /// A spring's changes of speed that are due after the move: along, across, spin.
  var rest = Lanes.zero
  /// What the correction of positions has added to the velocities of the two bodies, to be taken
  /// back after the move.
  var positionCorrectionA = Lanes.zero
  var positionCorrectionB = Lanes.zero
  /// How far apart before the move, in points.
  var apart: Float = 0
  /// The largest force and torque of any sub-step so far; only of joints that may break.
  var largestForce: Float = 0
  var largestTorque: Float = 0

  var isSpring: Bool { frequency > 0 }
  var mayBreak: Bool { breakingForce < .infinity || breakingTorque < .infinity }
}
