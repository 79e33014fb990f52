/// A convex outline around several items: the hull of their cores, grown by a common rounding.
struct GroupOutline {
  /// In points about the group's centre.
  private(set) var shape: ItemShape

  /// Most corners that the solver's polygons have.
  private static let cornerLimit = 8

  /// Throws `sizeOutOfRange` when the hull is larger than shapes may be.
  init(members: [ItemRecord], about center: Vector2) throws(DynamicsError) {
    var least = Float.infinity
    for member in members {
      let rounding = Self.rounding(of: member.outline)
      least = rounding < least ? rounding : least
    }
    // Round items in one line have a hull without area; less rounding leaves them one.
    assert(!members.isEmpty && least >= 0)
    var largest: Float = 0
    for share in [Float(1), 0.5, 0] {
      let growth = least * share
      var points: [Vector2] = []
      for member in members { Self.add(member, growth, about: center, to: &points) }
      let corners = Self.simplified(Self.hull(of: points))
      assert(corners.count <= Self.cornerLimit)
      guard corners.count >= 3 else { continue }
      shape = .path(corners, growth: growth)
      if (try? SolidShape(shape)) != nil { return }
      largest = shape.size.x > shape.size.y ? shape.size.x : shape.size.y
    }
    throw .sizeOutOfRange(
      DynamicsError.Refusal(property: .size, value: largest, allowed: PhysicsLimit.size))
  }

  private static func rounding(of outline: ItemShape) -> Float {
    switch outline {
    case .rectangle(_, _, let cornerRadius): return cornerRadius
    case .ellipse(let width, let height): return (width < height ? width : height) * 0.5
    case .path(_, let growth): return growth
    }
  }

  /// The corners of an item's outline moved inwards by `growth`.
  private static func add(
    _ item: ItemRecord, _ growth: Float, about center: Vector2, to points: inout [Vector2]
  ) {
    var corners: [Vector2] = []
    switch item.outline {
    case .rectangle(let width, let height, let radius):
      let (x, y) = (width * 0.5 - growth, height * 0.5 - growth)
      // What the growth leaves of the rounding is cut off as a bevel through the arc's middle.
      let cut = (radius - growth) * 0.29289322
      corners = [
        Vector2(x - cut, y - cut), Vector2(-x + cut, y - cut), Vector2(-x + cut, -y + cut),
        Vector2(x - cut, -y + cut),
      ]
    case .ellipse(let width, let height):
      let (x, y) = (width * 0.5 - growth, height * 0.5 - growth)
      for i in 0..<8 {
        let r = Rotation(angle: Float(i) * 0.25 * DeterministicMath.pi)
        corners.append(Vector2(x * r.cosine, y * r.sine))
      }
    case .path(let own, _):
      // A path's own growth is at least the common one; the difference is left out.
      corners = own
    }
    for corner in corners {
      points.append(item.rest.center - center + corner.rotated(by: item.rest.rotation))
    }
  }

  /// Andrew's monotone chain; corners that hardly stand out are left out.
  private static func hull(of points: [Vector2]) -> [Vector2] {
    let sorted = points.sorted { $0.x != $1.x ? $0.x < $1.x : $0.y < $1.y }
    var lower: [Vector2] = []
    for point in sorted { add(point, to: &lower) }
    var upper: [Vector2] = []
    for point in sorted.reversed() { add(point, to: &upper) }
    assert(!lower.isEmpty && !upper.isEmpty)
    lower.removeLast()
    upper.removeLast()
    return lower + upper
  }

  private static func add(_ point: Vector2, to chain: inout [Vector2]) {
    while chain.count >= 2 {
      let a = chain[chain.count - 1] - chain[chain.count - 2]
      let b = point - chain[chain.count - 1]
      if a.cross(b) > 0.001 * (a.length * b.length) + 1e-6 { break }
      chain.removeLast()
    }
    chain.append(point)
  }

  /// Leaves out the corners that cost the least area until eight are left.
  private static func simplified(_ hull: [Vector2]) -> [Vector2] {
    var corners = hull
    while corners.count > cornerLimit {
      var best = 0
      var smallest = Float.infinity
      for i in 0..<corners.count {
        let a = corners[i == 0 ? corners.count - 1 : i - 1]
        let b = corners[i + 1 == corners.count ? 0 : i + 1]
        let area = (corners[i] - a).cross(b - a)
        let size = area < 0 ? -area : area
        if size < smallest { (best, smallest) = (i, size) }
      }
      corners.remove(at: best)
    }
    return corners
  }
}
