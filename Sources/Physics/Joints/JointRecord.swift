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
  /// How fast, in pt/s, the joint corrects its places: slower while something is in the way, or it
  /// would press its body through that.
  var reach = PhysicsWorld.positionCorrectionSpeed
  /// Of a hinge with limits, the half turns that its angle is near.
  var halfTurns: Int32 = 0

  // During a tick only.
  /// Whether the joint's motor is too strong for what may be in the way of its bodies; of a spring,
  /// whether they pressed on something.
  var isPressing = false
  /// The most that the motor may do to what is welded to its bodies and has contacts.
  var weldedStrength = Float.infinity
  var anchorTravelVelocity = Vector2.zero
  /// What a spring does before and after the move.
  var kick = DampedSpring.Kick(left: 1, pull: 0)
  /// Of a slider: what the correction of positions has added to the velocities of the two bodies,
  /// to be taken back after the move.
  var positionCorrectionA = Lanes.zero
  var positionCorrectionB = Lanes.zero
  /// Of a slider: how far apart before the move, in points.
  var apart: Float = 0
  /// The largest force and torque of any sub-step so far; only of joints that may break.
  var largestForce: Float = 0
  var largestTorque: Float = 0

  var isSpring: Bool { frequency > 0 }
  /// Whether it corrects its places slower than it may.
  var isHeldBack: Bool { reach < PhysicsWorld.positionCorrectionSpeed }
  var mayBreak: Bool { breakingForce < .infinity || breakingTorque < .infinity }
}

// The directions of two bodies tell the angle between them but for whole turns. A hinge with limits
// counts those, so that a limit of half a turn or more holds. It keeps how many half turns its
// angle is near: 0 as long as it stays within three quarters of one, so that it takes no bytes in
// the snapshots of worlds in which nothing turns so far.

extension JointRecord {
  /// Most half turns, either way, that are counted: more than `PhysicsLimit.angle` has.
  static let mostHalfTurns: Int32 = 100_000

  /// Whether the joint counts whole turns.
  var countsTurns: Bool { kind == .revolute && hasLimits }

  /// The angle that a direction of −π…π stands for: of those that differ by whole turns, the one
  /// nearest to the half turns that are kept.
  func counted(_ direction: Float) -> Float {
    guard countsTurns, halfTurns != 0 else { return direction }
    let turn = 2 * DeterministicMath.pi
    let away = Float(halfTurns) * DeterministicMath.pi - direction
    return direction + turn * Float(nearest(away / turn))
  }

  /// Takes notice of how far the joint has turned by now. The bounds of neighbouring half turns
  /// overlap, so that an angle never lies where its direction alone could be taken for another.
  mutating func noteAngle(_ angle: Float) {
    assert(countsTurns)
    let away = magnitude(angle - Float(halfTurns) * DeterministicMath.pi)
    guard away > 0.75 * DeterministicMath.pi else { return }
    halfTurns = nearest(angle / DeterministicMath.pi)
  }
}

/// The whole number nearest to another number, within `JointRecord.mostHalfTurns`.
private func nearest(_ number: Float) -> Int32 {
  let bounded = number.brought(within: Float(JointRecord.mostHalfTurns))
  // No number is none of a forged snapshot's either, and would stop the program here.
  guard bounded == bounded else { return 0 }
  return Int32(bounded + (bounded < 0 ? -0.5 : 0.5))
}
