/// The part of a way within `PhysicsLimit.ray`, in which no product of lengths runs out of the
/// numbers that there are. A way that lies within it is the whole part, bit for bit.
struct RayPart {
  let start: Vector2
  let way: Vector2
  /// Which shares of the whole way the part begins and ends at.
  private var first = 0.0
  private var last = 1.0

  /// Nil for ends that are not finite, and for a way that has no part there.
  init?(from start: Vector2, to end: Vector2) {
    guard start.isFinite, end.isFinite else { return nil }
    if Self.holds(start) && Self.holds(end) {
      self.start = start
      way = end - start
      return
    }
    // Differences and products of any two `Float`s are well within the range of a `Double`.
    let (x, y) = (Double(start.x), Double(start.y))
    let (dx, dy) = (Double(end.x) - x, Double(end.y) - y)
    var (first, last) = (0.0, 1.0)
    guard Self.cut(x, dx, &first, &last), Self.cut(y, dy, &first, &last) else { return nil }
    let from = Self.place(x + dx * first, y + dy * first)
    self.start = from
    way = Self.place(x + dx * last, y + dy * last) - from
    (self.first, self.last) = (first, last)
  }

  /// A share of the part as a share of the whole way.
  func share(_ fraction: Float) -> Float {
    guard first > 0 || last < 1 else { return fraction }
    let share = Float(first + (last - first) * Double(fraction))
    assert(share >= 0 && share <= 1)
    return share
  }

  private static func holds(_ place: Vector2) -> Bool {
    place.x.isWithin(PhysicsLimit.ray) && place.y.isWithin(PhysicsLimit.ray)
  }

  /// Narrows the shares of a way to those where one of its coordinates, which begins at `from` and
  /// goes on by `by`, is within the limit. False when none are left.
  private static func cut(
    _ from: Double, _ by: Double, _ first: inout Double, _ last: inout Double
  ) -> Bool {
    let limit = Double(PhysicsLimit.ray)
    guard by != 0 else { return from >= -limit && from <= limit }
    let (low, high) = ((-limit - from) / by, (limit - from) / by)
    first = max(first, min(low, high))
    last = min(last, max(low, high))
    return first <= last
  }

  /// A place of the part: what rounding took past the limit is brought back.
  private static func place(_ x: Double, _ y: Double) -> Vector2 {
    let limit = PhysicsLimit.ray
    return Vector2(Float(x).brought(within: limit), Float(y).brought(within: limit))
  }
}
