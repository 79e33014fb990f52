/// Cuts an outline into convex ones: ears are cut off one after the other, which makes triangles,
/// and then cuts are taken back where what they part is convex together (Hertel and Mehlhorn 1983:
/// at most four times as many parts as there must be).
///
///     +-----+            +-----+            +-----+
///     |     |            |   / |            |     |
///     |  +--+      →     |  +--+      →     |  +--+
///     |  |               |\ |               |  |
///     |  +-----+         | \+-----+         +--+-----+
///     |        |         |  / \   |         |        |
///     +--------+         +--------+         +--------+
enum ConvexParts {
  /// Most corners of a part: the solver's polygons have no more.
  private static let mostCorners = 8

  /// The convex parts of an outline of 3…64 corners in either order that don't cross. Throws
  /// `outlineUnusable` for any other.
  static func cut(_ outline: [Vector2]) throws(PhysicsError) -> [[Vector2]] {
    guard outline.count >= 3, outline.count <= mostGiven else { throw .outlineUnusable }
    for corner in outline where !corner.isFinite { throw .infinite(.corner, corner) }
    let corners = withoutStraightCorners(
      PolygonMeasures(outline).turnsClockwise ? outline : Array(outline.reversed()))
    guard corners.count >= 3, corners.count <= CompoundShape.mostCorners, !crosses(corners) else {
      throw .outlineUnusable
    }
    var parts = try triangles(corners)
    join(&parts, corners)
    let whole = parts.map { part in part.map { corners[$0] } }
    let kept = whole.filter { PolygonMeasures($0).area >= PhysicsLimit.area }
    assert(kept.count <= CompoundShape.mostShapes, "triangles are two fewer than corners")
    // An outline that is too small as a whole is refused for its area.
    return kept.isEmpty ? Array(whole.prefix(1)) : kept
  }

  /// Most corners that are looked at, those at which the outline goes straight on included: what
  /// the search for crossings does with their square.
  private static let mostGiven = 1024

  /// How much an outline turns at `b`: positive for a corner that stands out of one that goes round
  /// clockwise, from −1 to 1.
  private static func turn(_ a: Vector2, _ b: Vector2, _ c: Vector2) -> Float {
    let (one, two) = (b - a, c - b)
    let size = one.length * two.length
    return size > 0 ? one.cross(two) / size : 0
  }

  /// Less than this turn is none: what `ConvexCore.isConvex` asks for, and room for rounding.
  private static let straight: Float = 0.0005

  /// Corners at which the outline goes straight on are none. One at which it turns back is found to
  /// cross.
  private static func withoutStraightCorners(_ outline: [Vector2]) -> [Vector2] {
    var kept = outline
    var before = 0
    while before != kept.count {
      before = kept.count
      removeStraightCorners(&kept)
    }
    return kept
  }

  private static func removeStraightCorners(_ kept: inout [Vector2]) {
    var i = 0
    while i < kept.count && kept.count >= 3 {
      let (a, b) = (kept[i == 0 ? kept.count - 1 : i - 1], kept[i])
      let c = kept[i + 1 == kept.count ? 0 : i + 1]
      let goesOn = (b - a).dot(c - b) >= 0
      if magnitude(turn(a, b, c)) < straight && goesOn {
        kept.remove(at: i)
        i = i > 0 ? i - 1 : 0
      } else {
        i += 1
      }
    }
  }

  /// Whether any two sides meet that are not neighbours, or neighbours lie on each other.
  private static func crosses(_ corners: [Vector2]) -> Bool {
    let count = corners.count
    for i in 0..<count {
      let (a, b) = (corners[i], corners[(i + 1) % count])
      let c = corners[(i + 2) % count]
      if magnitude(turn(a, b, c)) < straight { return true }
      for k in (i + 2)..<max(i + 2, i == 0 ? count - 1 : count) {
        if meet(a, b, corners[k], corners[(k + 1) % count]) { return true }
      }
    }
    return false
  }

  /// Whether two segments have a point in common.
  private static func meet(_ a: Vector2, _ b: Vector2, _ p: Vector2, _ q: Vector2) -> Bool {
    let (side, otherSide) = ((b - a).cross(p - a), (b - a).cross(q - a))
    let (back, otherBack) = ((q - p).cross(a - p), (q - p).cross(b - p))
    if side == 0 && otherSide == 0 {
      let along = b - a
      let (from, to) = (along.dot(p - a), along.dot(q - a))
      return !(from < 0 && to < 0) && !(from > along.lengthSquared && to > along.lengthSquared)
    }
    return side * otherSide <= 0 && back * otherBack <= 0
  }

  /// The outline as triangles, each of three numbers of corners.
  private static func triangles(_ corners: [Vector2]) throws(PhysicsError) -> [[Int]] {
    var left = Array(corners.indices)
    var found: [[Int]] = []
    while left.count > 3 {
      guard let ear = bestEar(left, corners) else { throw .outlineUnusable }
      found.append([before(ear, left), left[ear], after(ear, left)])
      left.remove(at: ear)
    }
    if turn(corners[left[0]], corners[left[1]], corners[left[2]]) >= straight {
      found.append(left)
    }
    guard !found.isEmpty else { throw .outlineUnusable }
    return found
  }

  private static func before(_ i: Int, _ left: [Int]) -> Int {
    left[i == 0 ? left.count - 1 : i - 1]
  }
  private static func after(_ i: Int, _ left: [Int]) -> Int {
    left[i + 1 == left.count ? 0 : i + 1]
  }

  /// The corner that can be cut off and leaves the least pointed triangle; nil when there is none.
  private static func bestEar(_ left: [Int], _ corners: [Vector2]) -> Int? {
    var (best, bestAngle): (Int?, Float) = (nil, 0)
    for i in left.indices {
      let (a, b, c) = (corners[before(i, left)], corners[left[i]], corners[after(i, left)])
      guard turn(a, b, c) >= straight else { continue }
      let least = min(turn(a, b, c), min(turn(c, a, b), turn(b, c, a)))
      guard best == nil || least > bestAngle, !holdsAny(left, corners, i, a, b, c) else { continue }
      (best, bestAngle) = (i, least)
    }
    return best
  }

  /// Whether any other corner lies in a triangle or on its rim.
  private static func holdsAny(
    _ left: [Int], _ corners: [Vector2], _ ear: Int, _ a: Vector2, _ b: Vector2, _ c: Vector2
  ) -> Bool {
    let own = [before(ear, left), left[ear], after(ear, left)]
    for k in left where !own.contains(k) {
      let p = corners[k]
      if (b - a).cross(p - a) >= 0 && (c - b).cross(p - b) >= 0 && (a - c).cross(p - c) >= 0 {
        return true
      }
    }
    return false
  }

  // MARK: Joining

  /// Joins parts that share a side, as long as what comes of it is convex and has no more corners
  /// than a polygon may have.
  private static func join(_ parts: inout [[Int]], _ corners: [Vector2]) {
    var i = 0
    while i < parts.count {
      var k = i + 1
      while k < parts.count {
        if let whole = joined(parts[i], parts[k], corners) {
          parts[i] = whole
          parts.remove(at: k)
          // It may have become a neighbour that fits of what was passed over.
          k = i + 1
        } else {
          k += 1
        }
      }
      i += 1
    }
  }

  /// Two parts as one; nil when they share no side, or make none that the solver takes.
  private static func joined(_ one: [Int], _ two: [Int], _ corners: [Vector2]) -> [Int]? {
    guard one.count + two.count - 2 <= mostCorners else { return nil }
    for i in one.indices {
      let (start, end) = (one[i], after(i, one))
      // The other part goes along the common side the other way.
      guard let k = two.firstIndex(of: end), after(k, two) == start else { continue }
      var whole: [Int] = []
      for step in 1...one.count { whole.append(one[(i + step) % one.count]) }
      for step in 2..<two.count { whole.append(two[(k + step) % two.count]) }
      return isConvex(whole, corners) ? whole : nil
    }
    return nil
  }

  private static func isConvex(_ part: [Int], _ corners: [Vector2]) -> Bool {
    for i in part.indices
    where turn(corners[before(i, part)], corners[part[i]], corners[after(i, part)]) < straight {
      return false
    }
    return true
  }
}
