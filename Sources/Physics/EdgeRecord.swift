/// A straight piece of a boundary: a segment, or the rim of a half-plane.
struct EdgeRecord: Equatable, Sendable, BitwiseCopyable {
  var id = BoundaryID(0)
  var exists = false
  var isHalfPlane = false
  /// Whether another segment of the same chain goes on from `a`, from `b`.
  var isJoinedAtA = false
  var isJoinedAtB = false
  /// One end; of a half-plane, the point of its rim nearest to the origin.
  var a = Vector2.zero
  var b = Vector2.zero
  /// Of length 1; of a half-plane, into the free side.
  var normal = Vector2.zero
  /// The ends beyond `a` and `b` of the neighbouring segments.
  var beforeA = Vector2.zero
  var afterB = Vector2.zero
  var length: Float = 0

  /// Along the segment from `a` to `b`: the normal's right hand.
  var tangent: Vector2 { normal.perpendicular }
}
