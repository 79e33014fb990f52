/// Something that ties a body to another one, or to a point of the world.
public struct JointDefinition: Equatable, Sendable {
  /// What the joint allows. A frequency in hertz, up to 60, makes it a spring that follows the
  /// damped oscillator exactly; 0 makes it rigid. A damping ratio, 0…100, of 1 is critical. Lengths
  /// are 0…`PhysicsLimit.reach` points.
  public enum Kind: Equatable, Sendable {
    /// The anchors stay `length` points apart; nil takes the distance they have when added.
    case distance(length: Float?, frequency: Float = 0, dampingRatio: Float = 0)
    /// The anchors come at most `length` points apart; nil takes the distance when added.
    case rope(length: Float?)
    /// The anchors stay together and the bodies keep their relative angle; nil takes the angle
    /// when added. Against the world the angle is the body's own.
    case weld(angle: Float?, frequency: Float = 0, dampingRatio: Float = 0)
    /// The anchors stay together. The relative angle, counted from the one when added, stays within
    /// `limits` (inside −π…π), and a torque of up to `frictionTorque` mass·pt²/s², 0…10¹², brakes
    /// it.
    case revolute(limits: ClosedRange<Float>? = nil, frictionTorque: Float = 0)
    /// The second body slides along `axis`, which is fixed to the first (in its own frame), without
    /// turning; by how much from where it was when added stays within `limits` in points, within
    /// `PhysicsLimit.reach` either way. The axis has a length of 0.001 to 10⁶, which does not
    /// matter.
    case prismatic(axis: Vector2, limits: ClosedRange<Float>? = nil)
  }

  /// What the joint allows.
  public var kind: Kind
  /// The first body.
  public var a: BodyID
  /// The second body, nil for the world.
  public var b: BodyID?
  /// Where the joint holds the first body, in the body's own frame. Both anchors lie within
  /// `PhysicsLimit.place` either way.
  public var anchorA: Vector2
  /// Where it holds the second body, in that body's own frame; a point of the world without one.
  public var anchorB: Vector2
  /// Whether the two bodies collide with each other.
  public var collides = true

  /// A joint of `a` with `b`, or with the world when `b` is nil.
  public init(
    _ kind: Kind, a: BodyID, anchorA: Vector2 = .zero, b: BodyID? = nil, anchorB: Vector2
  ) {
    self.kind = kind
    self.a = a
    self.b = b
    self.anchorA = anchorA
    self.anchorB = anchorB
  }

  var isValid: Bool {
    guard anchorA.isPlace, anchorB.isPlace else { return false }
    switch kind {
    case .distance(let length, let frequency, let ratio):
      return Self.isLength(length) && Self.isSpring(frequency, ratio)
    case .rope(let length): return Self.isLength(length)
    case .weld(let angle, let frequency, let ratio):
      return (angle ?? 0).isWithin(PhysicsLimit.angle) && Self.isSpring(frequency, ratio)
    case .revolute(let limits, let torque):
      let pi = DeterministicMath.pi
      return PhysicsLimit.torque.contains(torque)
        && (limits == nil || (limits!.lowerBound >= -pi && limits!.upperBound <= pi))
    case .prismatic(let axis, let limits):
      let reach = PhysicsLimit.reach
      return axis.isPlace && axis.length >= PhysicsLimit.normal.lowerBound
        && (limits == nil
          || (limits!.lowerBound.isWithin(reach) && limits!.upperBound.isWithin(reach)))
    }
  }

  private static func isLength(_ length: Float?) -> Bool {
    guard let length else { return true }
    return length >= 0 && length <= PhysicsLimit.reach
  }

  private static func isSpring(_ frequency: Float, _ ratio: Float) -> Bool {
    PhysicsLimit.frequency.contains(frequency) && PhysicsLimit.dampingRatio.contains(ratio)
  }
}
