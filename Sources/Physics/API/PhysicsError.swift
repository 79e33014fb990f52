/// What a caller asked for that the world can't do. Nothing has changed when one is thrown.
public enum PhysicsError: Error, Equatable, Sendable {
  /// The world holds as many bodies as its configuration allows; remove one or raise the capacity.
  case worldFull(capacity: Int)
  /// No body answers to this identifier (any more).
  case unknownBody(BodyID)
  /// No boundary answers to this identifier.
  case unknownBoundary(BoundaryID)
  /// A boundary of this identifier exists; remove it first.
  case duplicateBoundary(BoundaryID)
  /// No joint answers to this identifier (any more).
  case unknownJoint(JointID)
  /// A joint can't tie this body to itself.
  case jointWithItself(BodyID)
  /// A joint of this kind has no use for the property: only distances and ropes have a length, only
  /// hinges and sliders a motor.
  case meaninglessProperty(Property, of: JointID)
  /// The world has as many joints as it can name.
  case tooManyJoints(limit: Int)
  /// All boundaries together would have more pieces than a world can name.
  case tooManyBoundaryPieces(limit: Int)
  /// A size is not a finite number in the range that the shape's constructor documents: a diameter
  /// or a side 0.5…8192 pt, a radius half of that.
  case sizeOutOfRange(Refusal)
  /// A polygon needs 3…8 corners that form a convex outline with an area.
  case notConvex
  /// An outline's corners cross or lie on a line, or are too few or too many, or a body of several
  /// shapes has none.
  case outlineUnusable
  /// A body of several shapes was given this many, and may have as many as the limit says
  /// (`CompoundShape.mostShapes`).
  case tooManyShapes(count: Int, limit: Int)
  /// A value is not a finite number or outside the range that its documentation gives; the ranges
  /// stand in `PhysicsLimit`.
  case valueOutOfRange(Refusal)
  /// A boundary needs two different points a segment, a normal with a length, or a rectangle with
  /// an area.
  case degenerateBoundary
  /// These bytes are no snapshot of this version, or are cut short or inconsistent.
  case malformedSnapshot

  /// A number that was refused: what it was to be, and what it may be.
  public typealias Refusal = RefusedNumber<Property>

  /// What a refused number was given for.
  public enum Property: UInt8, Equatable, Sendable {
    /// A number of the world's configuration.
    case configuration
    /// Where a body is put, a force or an impulse acts, or a boundary lies.
    case position
    /// A body's angle, or a weld's.
    case angle
    /// Of a rotation, cosine² + sine², which is 1 but for rounding.
    case rotation
    /// A body's velocity.
    case velocity
    /// A body's spin.
    case angularVelocity
    /// A force.
    case force
    /// A torque.
    case torque
    /// A change of momentum.
    case impulse
    /// A change of angular momentum.
    case angularImpulse
    /// Mass by area.
    case density
    /// Bounciness of a body or a boundary.
    case restitution
    /// Coulomb friction of a body or a boundary.
    case friction
    /// Resistance to motion.
    case linearDamping
    /// Resistance to spin.
    case angularDamping
    /// A body's factor for the gravity.
    case gravityScale
    /// Where a joint holds a body or the world.
    case anchor
    /// A joint's length.
    case length
    /// An end of a joint's limits.
    case limits
    /// A coordinate of a slider's axis, or the axis's length.
    case axis
    /// A spring's frequency.
    case frequency
    /// A spring's damping ratio.
    case dampingRatio
    /// The speed of a motor.
    case motorSpeed
    /// A joint's friction, or the most force or torque of its motor.
    case motorStrength
    /// The pull that breaks a joint.
    case breakingForce
    /// The torque that breaks a joint.
    case breakingTorque
    /// A coordinate of a half-plane's normal.
    case normal
    /// By how much a shape's core is grown.
    case radius
    /// Half of a capsule's straight part.
    case halfLength
    /// A box's width.
    case width
    /// A box's height.
    case height
    /// A box's, which is less than half of the shorter side.
    case cornerRadius
    /// How far a polygon's corner is from the origin of its outline.
    case corner
    /// What a polygon encloses, in pt².
    case area
    /// How far a polygon reaches from its centre of area.
    case boundingRadius
  }
}
