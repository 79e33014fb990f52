/// Something that ties a body to another one, or to a point of the world.
public struct JointDefinition: Equatable, Sendable {
  /// What the joint allows. A frequency in hertz, up to 60, makes it a spring that has exactly
  /// this frequency and decay while its bodies press on nothing, and loses a little energy where
  /// they do, so that they come to rest; 0 makes it rigid. The frequency is that of the two
  /// masses held at their centres: held beside them, the same spring swings faster, because
  /// bodies turn out of its way. A damping ratio, 0…100, of 1 is critical. Lengths are
  /// 0…`PhysicsLimit.reach` points. Where the springs of one body together are stiffer than
  /// sub-steps can follow, as 70 of 9 Hz are, they are softer.
  public enum Kind: Equatable, Sendable {
    /// The anchors stay `length` points apart; nil takes the distance they have when added.
    case distance(length: Float?, frequency: Float = 0, dampingRatio: Float = 0)
    /// The anchors come at most `length` points apart; nil takes the distance when added.
    case rope(length: Float?)
    /// The anchors stay together and the bodies keep their relative angle; nil takes the angle
    /// when added. Against the world the angle is the body's own.
    case weld(angle: Float?, frequency: Float = 0, dampingRatio: Float = 0)
    /// The anchors stay together. The relative angle, counted from the one when added, stays within
    /// `limits`, within `PhysicsLimit.angle` radians either way: whole turns are counted, so that
    /// a limit of half a turn or of ten turns holds. A torque of up to `frictionTorque`
    /// mass·pt²/s², 0…10¹², brings the second body's spin against the first's to `motorSpeed`
    /// rad/s, within `PhysicsWorld.spinLimit` either way: at 0 it brakes, else it is a motor. The
    /// first body turns the other way; against the world it alone turns, with a spin of
    /// −`motorSpeed`.
    ///
    /// However strong, a motor doesn't push its body through what is in the way: while the body
    /// touches something, or is about to, its torque is bounded to what moves the body's farthest
    /// point by 400 000 pt/s². The same goes for what rigid welds hold together with the body, as
    /// if it alone hung on the hinge; not for what hangs on it by other joints. Turned round at a
    /// limit it answers at once.
    case revolute(
      limits: ClosedRange<Float>? = nil, frictionTorque: Float = 0, motorSpeed: Float = 0)
    /// The second body slides along `axis`, which is fixed to the first (in its own frame), without
    /// turning; by how much from where it was when added stays within `limits` in points, within
    /// `PhysicsLimit.reach` either way. The axis has a length of 0.001 to 10⁶, which does not
    /// matter. A force of up to `frictionForce` mass·pt/s², 0…10¹², brings its speed along the axis
    /// to `motorSpeed` pt/s, within `PhysicsWorld.speedLimit` either way: at 0 it brakes, else it
    /// is a motor, whose force is bounded likewise where something is in the way.
    case prismatic(
      axis: Vector2, limits: ClosedRange<Float>? = nil, frictionForce: Float = 0,
      motorSpeed: Float = 0)
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
  /// The pull, in mass·pt/s², 0…10¹², from which on the joint breaks: it is removed at the end of
  /// the step and named in `PhysicsWorld.brokenJoints`. Nil, the default, never breaks. What counts
  /// is the largest force with which the joint held its anchors in any sub-step.
  ///
  /// A joint whose anchors something in the way keeps apart (it pulls a body against a wall, from
  /// behind) gives way instead of pulling more and more. As long as that lasts it carries nothing
  /// and only corrects places, so it doesn't break.
  public var breakingForce: Float?
  /// The torque, in mass·pt²/s², 0…10¹², with which a weld or a hinge at its limit holds the
  /// bodies' angle, from which on it breaks likewise: its own motor presses on a limit, too. Nil,
  /// the default, never breaks.
  public var breakingTorque: Float?

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

  /// The first number outside its documented range; nil when there is none.
  var refusal: PhysicsError.Refusal? {
    anchorA.refusal(.anchor, within: PhysicsLimit.place)
      ?? anchorB.refusal(.anchor, within: PhysicsLimit.place)
      ?? breakingForce?.refusal(.breakingForce, in: PhysicsLimit.torque)
      ?? breakingTorque?.refusal(.breakingTorque, in: PhysicsLimit.torque)
      ?? kind.refusal
  }
}

extension JointDefinition.Kind {
  /// The first number outside its documented range; nil when there is none.
  fileprivate var refusal: PhysicsError.Refusal? {
    switch self {
    case .distance(let length, let frequency, let ratio):
      return Self.refusal(ofLength: length) ?? Self.refusal(ofSpring: frequency, ratio)
    case .rope(let length): return Self.refusal(ofLength: length)
    case .weld(let angle, let frequency, let ratio):
      return angle?.refusal(.angle, within: PhysicsLimit.angle)
        ?? Self.refusal(ofSpring: frequency, ratio)
    case .revolute(let limits, let torque, let motorSpeed):
      return Self.refusal(ofMotor: motorSpeed, PhysicsWorld.spinLimit, torque)
        ?? Self.refusal(ofLimits: limits, within: PhysicsLimit.angle)
    case .prismatic(let axis, let limits, let force, let motorSpeed):
      // As long as an axis can be of two coordinates that are taken.
      let lengths = PhysicsLimit.normal.lowerBound...(2 * PhysicsLimit.place)
      return Self.refusal(ofMotor: motorSpeed, PhysicsWorld.speedLimit, force)
        ?? axis.refusal(.axis, within: PhysicsLimit.place)
        ?? axis.length.refusal(.axis, in: lengths)
        ?? Self.refusal(ofLimits: limits, within: PhysicsLimit.reach)
    }
  }

  private static func refusal(ofLength length: Float?) -> PhysicsError.Refusal? {
    length?.refusal(.length, in: 0...PhysicsLimit.reach)
  }

  private static func refusal(
    ofSpring frequency: Float, _ ratio: Float
  ) -> PhysicsError.Refusal? {
    frequency.refusal(.frequency, in: PhysicsLimit.frequency)
      ?? ratio.refusal(.dampingRatio, in: PhysicsLimit.dampingRatio)
  }

  private static func refusal(
    ofMotor speed: Float, _ limit: Float, _ strength: Float
  ) -> PhysicsError.Refusal? {
    strength.refusal(.motorStrength, in: PhysicsLimit.torque)
      ?? speed.refusal(.motorSpeed, within: limit)
  }

  private static func refusal(
    ofLimits limits: ClosedRange<Float>?, within limit: Float
  ) -> PhysicsError.Refusal? {
    limits?.lowerBound.refusal(.limits, within: limit)
      ?? limits?.upperBound.refusal(.limits, within: limit)
  }
}
