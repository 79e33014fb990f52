// Where hundreds of bodies lie in each other, pairs grow with the square of their number, and the
// nearest push a crowd apart as well as all do.

extension WorldStorage {
  /// Leaves out of a row's pairs, the last of the list, those of a crowd beyond the nearest
  /// `PhysicsLimit.crowdOfBody`; returns where the rest ends. What is anchored stays: a shelf may
  /// carry any number of books.
  func keepNearestOfCrowd(of row: Int, from: Int, to: Int) -> Int {
    assert(from >= 0 && to - from > PhysicsLimit.crowdOfBody)
    guard bodies.motions[2 * row].w > 0 else { return to }
    let upper = neighbours.upper.base
    var nearest = Nearest(PhysicsLimit.crowdOfBody)
    var crowd = 0
    for k in from..<to {
      guard let gap = crowdGap(row, Int(upper[k])) else { continue }
      crowd += 1
      nearest.offer(k, gap: gap)
    }
    guard crowd > PhysicsLimit.crowdOfBody else { return to }
    var kept = from
    nearest.withSorted { nearest in
      var next = 0
      for k in from..<to {
        let other = upper[k]
        let isNearest = next < nearest.count && Int(nearest[next]) == k
        if isNearest { next += 1 }
        guard isNearest || crowdGap(row, Int(other)) == nil else { continue }
        upper[kept] = other
        kept += 1
      }
    }
    assert(to - kept == crowd - PhysicsLimit.crowdOfBody)
    now.pairsLeftOut += to - kept
    return kept
  }

  /// How far apart the inner discs of two bodies are, if so many as may be kept can only be as near
  /// where bodies lie in each other; else nil. Of bodies that differ little, nearer than the
  /// smaller one is: side by side, twelve touch one of three times their size. Of others, where the
  /// middle of the small one is in the large one. Long ones have small inner discs, and touch
  /// beyond them.
  @inline(__always)
  private func crowdGap(_ row: Int, _ other: Int) -> Float? {
    let (a, b) = (innerRadius(ofRow: row), innerRadius(ofRow: other))
    let (small, large) = a < b ? (a, b) : (b, a)
    let reach = large <= 3 * small ? large + 2 * small : large
    let way = Vector2(grid.x[other] - grid.x[row], grid.y[other] - grid.y[row])
    guard way.lengthSquared < reach * reach, bodies.motions[2 * other].w > 0 else { return nil }
    return way.length - (small + large)
  }
}
