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
