// Where hundreds of bodies lie in each other, or thousands of tiny pieces of a boundary under one
// body, pairs grow with the square of their number. The nearest push them apart as well as all.

extension WorldStorage {
  /// Pairs with pieces of boundaries up to which nobody looks whether a body has too many: what a
  /// snapshot may ask for in memory without making good for it holds them.
  static let usualPieces = 8192

  /// Keeps of a row's pairs, the last of the list, the nearest; returns where they end then.
  func keepNearestPairs(of row: Int, from: Int, to: Int) -> Int {
    assert(from >= 0 && to - from > PhysicsLimit.pairsOfBody)
    let upper = neighbours.upper.base
    let (x, y, reach) = (grid.x.base, grid.y.base, grid.reach.base)
    let isLarge = Grid.sizeClass(bodies.forms[row].w) == Grid.classCount - 1
    var nearest = Nearest(PhysicsLimit.pairsOfBody)
    for k in from..<to {
      let other = Int(upper[k])
      let way = Vector2(x[other] - x[row], y[other] - y[row])
      if isLarge {
        nearest.offer(k, gap: outerGap(row, other, way))
      } else {
        // Most are too far, which is seen without a root.
        let most = nearest.farthest + reach[other]
        guard most > 0, way.lengthSquared < most * most else { continue }
        nearest.offer(k, gap: way.length - reach[other])
      }
    }
    var kept = from
    for k in nearest.sorted() {
      upper[kept] = upper[Int(k)]
      kept += 1
    }
    assert(kept == from + PhysicsLimit.pairsOfBody)
    now.pairsLeftOut += to - kept
    return kept
  }

  /// Of the largest bodies, which may be far longer than wide, the gap between the form and the
  /// other's bounding circle: of hundreds that lie on a long plate each touches it, but most are
  /// far from its centre.
  private func outerGap(_ row: Int, _ other: Int, _ way: Vector2) -> Float {
    let (form, pose) = (bodies.forms[row], bodies.poses[row])
    guard form.x >= 0 else { return way.length - grid.reach[other] }
    let along = magnitude(way.x * pose.z + way.y * pose.w) - form.x
    let across = magnitude(way.y * pose.z - way.x * pose.w) - form.y
    let outside = Vector2(along > 0 ? along : 0, across > 0 ? across : 0).length
    let inside = along > across ? along : across
    return (inside < 0 ? inside : outside) - form.z - grid.reach[other]
  }

  /// Keeps of each row's pairs with pieces of boundaries those that are nearest to its centre.
  func keepNearestPieces() {
    guard edgePairs.count > PhysicsLimit.piecesOfBody else { return }
    edgePairs.chain(rows: bodies.rowCount)
    let former = edgePairs.count
    var isAnyOut = false
    for row in 0..<bodies.rowCount {
      var count = 0
      edgePairs.forEach(ofRow: row) { _ in count += 1 }
      guard count > PhysicsLimit.piecesOfBody else { continue }
      keepNearestPieces(ofRow: row)
      isAnyOut = true
    }
    guard isAnyOut else { return }
    edgePairs.removePairs { $0.touch == Self.isOut }
    assert(edgePairs.count < former)
    now.pairsLeftOut += former - edgePairs.count
  }

  /// Stands in a pair that is to be left out, for what it has no touch yet to remember.
  private static let isOut: UInt8 = 255

  private func keepNearestPieces(ofRow row: Int) {
    var nearest = Nearest(PhysicsLimit.piecesOfBody)
    let center = position(ofRow: row)
    edgePairs.forEach(ofRow: row) { k in
      // Places descend here: the negative ones ascend.
      nearest.offer(-k, gap: edges[Int(edgePairs[k].edge)].distanceSquared(to: center))
      edgePairs[k].touch = Self.isOut
    }
    for k in nearest.sorted() { edgePairs[-Int(k)].touch = 0 }
  }
}

extension EdgeRecord {
  /// Square of the distance from a point in pt², 0 behind a half-plane.
  func distanceSquared(to p: Vector2) -> Float {
    let off = p - a
    let across = off.dot(normal)
    if isHalfPlane { return across > 0 ? across * across : 0 }
    let along = off.dot(tangent)
    let past = along < 0 ? -along : along > length ? along - length : 0
    return past * past + across * across
  }
}
