/// How a body is steered to a place and a velocity at the end of a tick by a kick at its beginning
/// and an acceleration throughout it.
enum Steering {
  /// Share of a·h² that the sub-steps of a tick add to a place: (n + 1) / 2n for n sub-steps, since
  /// each adds to the velocity first.
  static var share: Float {
    let n = Float(PhysicsWorld.subSteps)
    return (n + 1) / (2 * n)
  }

  /// The kick and the acceleration with which a body moves in a tick as a spring of that step takes
  /// it from a displacement and a velocity.
  static func plan(
    _ spring: DampedSpring, from displacement: Float, _ velocity: Float
  ) -> (kick: Float, acceleration: Float) {
    let h = PhysicsWorld.tickLength
    let (mean, end) = spring.speeds(displacement, velocity)
    let acceleration = (end - mean) / ((1 - share) * h)
    return (end - velocity - acceleration * h, acceleration)
  }
}
