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

/// The contacts of a step before they are dealt out to batches.
struct ContactRecords {
  var oneRows = Buffer(capacity: 64, blank: ContactRows(a: 0, b: 0, pair: -1, colour: 0))
  var one = Buffer(capacity: 64, blank: OnePointRecord(head: .zero, arms: .zero))
  var oneCount = 0
  var twoRows = Buffer(capacity: 64, blank: ContactRows(a: 0, b: 0, pair: -1, colour: 0))
  var two = Buffer(
    capacity: 64, blank: TwoPointRecord(head: .zero, first: .zero, second: .zero, approach: .zero))
  var twoCount = 0

  /// Room for every pair of the lists, and for the overhang of writes in fours.
  mutating func reserve(one ones: Int, two twos: Int) {
    oneRows.reserve(ones + 8)
    one.reserve(ones + 8)
    twoRows.reserve(twos + 8)
    two.reserve(twos + 8)
  }

  func free() {
    oneRows.free()
    one.free()
    twoRows.free()
    two.free()
  }
}
