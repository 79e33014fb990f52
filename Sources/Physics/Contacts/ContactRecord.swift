/// A contact of one point between two bodies, as the narrow phase found it.
struct OnePointRecord: BitwiseCopyable {
  /// Normal x, y (from the first body to the second), separation, approach speed.
  var head: Lanes
  /// Arm × normal of both, arm × tangent of both; the tangent is (normal.y, −normal.x).
  var arms: Lanes
}

/// A contact of two points, sorted along the tangent.
struct TwoPointRecord: BitwiseCopyable {
  /// Normal x, y, separation of the first and of the second point.
  var head: Lanes
  /// Arms of the first point as in `OnePointRecord`.
  var first: Lanes
  /// Arms of the second point.
  var second: Lanes
  /// Approach speed of the first and of the second point.
  var approach: Lanes
}

/// Which two rows touch, and the place of their pair in the neighbour list (−1 for filling lanes).
struct ContactRows: BitwiseCopyable {
  var a: Int32
  var b: Int32
  var pair: Int32
  var colour: Int32
}

/// A contact with a boundary, as the narrow phase found it.
struct EdgeContactRecord: BitwiseCopyable {
  var row: Int32 = 0
  /// Place in the list of edge pairs.
  var pair: Int32 = 0
  /// How many contacts with boundaries the body had before this one: batches are layers of these.
  var layer: Int32 = 0
  /// Normal x, y (from the boundary to the body), gap of the first and of the second point.
  var head: Lanes = .zero
  /// Arm × normal, arm × tangent of the first point, then of the second.
  var arms: Lanes = .zero
  /// Speed of the first and of the second point along the normal, before anything is applied.
  var approach: Lanes = .zero
}
