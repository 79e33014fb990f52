/// The part of a way within `PhysicsLimit.ray`, in which no product of lengths runs out of the
/// numbers that there are. A way that lies within it is the whole part, bit for bit.
struct RayPart {
  let start: Vector2
  let way: Vector2
  /// The share of the whole way at which it comes near the origin, and from there the shares at
  /// which the part begins and ends: so that each is precise however long the way is.
  private let middle: Double
  private let first: Double
  private let last: Double

  /// Nil for ends that are not finite, and for a way that has no part there.
  init?(from start: Vector2, to end: Vector2) {
    guard start.isFinite, end.isFinite else { return nil }
    if Self.holds(start) && Self.holds(end) {
      self.start = start
      way = end - start
      (middle, first, last) = (0, 0, 1)
      return
    }
    // Differences and products of any two `Float`s are well within the range of a `Double`.
    let (dx, dy) = (Double(end.x) - Double(start.x), Double(end.y) - Double(start.y))
    let nearest = -(Double(start.x) * dx + Double(start.y) * dy) / (dx * dx + dy * dy)
    let middle = Self.holds(start) || !(nearest > 0) ? 0 : Self.holds(end) ? 1 : min(nearest, 1)
    let x = middle == 1 ? Double(end.x) : Double(start.x) + dx * middle
    let y = middle == 1 ? Double(end.y) : Double(start.y) + dy * middle
    var (first, last) = (-middle, 1 - middle)
    guard Self.cut(x, dx, &first, &last), Self.cut(y, dy, &first, &last) else { return nil }
    let from = Self.place(x + dx * first, y + dy * first)
    self.start = from
    way = Self.place(x + dx * last, y + dy * last) - from
    (self.middle, self.first, self.last) = (middle, first, last)
  }

  /// A share of the part as a share of the whole way.
  func share(_ fraction: Float) -> Float {
    let share = Float(middle + (first + (last - first) * Double(fraction)))
    return share < 0 ? 0 : share > 1 ? 1 : share
  }

  private static func holds(_ place: Vector2) -> Bool {
    place.x.isWithin(PhysicsLimit.ray) && place.y.isWithin(PhysicsLimit.ray)
  }

  /// Narrows the shares of a way to those where one of its coordinates, which is `from` at share 0
  /// and grows by `by` to share 1, is within the limit. False when none are left.
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
