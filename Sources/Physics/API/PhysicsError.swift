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
  /// The world has as many joints as it can name.
  case tooManyJoints(limit: Int)
  /// All boundaries together would have more pieces than a world can name.
  case tooManyBoundaryPieces(limit: Int)
  /// A size is not a finite number in the allowed range 0.5…8192 pt (radius 0.25…4096). Which
  /// number it was, only `DynamicsError` of the library `Dynamics` tells.
  case sizeOutOfRange
  /// A polygon needs 3…8 corners that form a convex outline with an area.
  case notConvex
  /// A value is not a finite number or outside the range that its documentation gives; the ranges
  /// stand in `PhysicsLimit`. Only `DynamicsError` of the library `Dynamics` names the value and
  /// its range.
  case valueOutOfRange
  /// A boundary needs two different points a segment, a normal with a length, or a rectangle with
  /// an area.
  case degenerateBoundary
  /// These bytes are no snapshot of this version, or are cut short or inconsistent.
  case malformedSnapshot
}
