// Where hundreds of bodies lie in each other, pairs grow with the square of their number, and the
// nearest push a crowd apart as well as all do.

extension WorldStorage {
  /// Of a body's own cells and those below, in rows: where there are more, most of them are a
  /// crowd, and what is not among the nearest need not be listed first. Side by side they hold
  /// thirty.
  static let crowdedCells = 256

  /// Lists those of two runs of rows that come within reach of `row`, but of a crowd only the
  /// nearest `PhysicsLimit.crowdOfBody`; returns the new count.
  func scanCrowd(
    _ row: Int, _ own: Range<Int>, _ below: Range<Int>, _ margin: Float, _ before: Int
  ) -> Int {
    assert(own.lowerBound > row && below.upperBound <= bodies.rowCount)
    if !crowds.innersAreKnown { measureInners() }
    var nearest = Nearest(PhysicsLimit.crowdOfBody)
    var (found, crowd) = (before, 0)
    scanCrowd(row, own, margin, &found, &crowd, &nearest)
    scanCrowd(row, below, margin, &found, &crowd, &nearest)
    state.pairsLeftOut += crowd - nearest.count
    // All who are no crowd were listed in their order: the nearest go in between, from the last on.
    let upper = neighbours.upper.base
    nearest.withSorted { nearest in
      var (outsider, next) = (found - 1, nearest.count - 1)
      found += nearest.count
      var place = found - 1
      while next >= 0 {
        let isOutsider = outsider >= before && upper[outsider] > nearest[next]
        upper[place] = isOutsider ? upper[outsider] : nearest[next]
        outsider -= isOutsider ? 1 : 0
        next -= isOutsider ? 0 : 1
        place -= 1
      }
    }
    return found
  }

  /// Lists those of a run of rows that come within reach and are no crowd, and offers and counts
  /// those that are. Thousands in one place are millions of pairs: four at a time, of which after
  /// the first few hardly any is near enough to be looked at alone.
  @inline(__always)
  private func scanCrowd(
    _ row: Int, _ rows: Range<Int>, _ margin: Float, _ found: inout Int, _ crowd: inout Int,
    _ nearest: inout Nearest
  ) {
    let (x, y) = (UnsafeRawPointer(grid.x.base), UnsafeRawPointer(grid.y.base))
    let reach = UnsafeRawPointer(grid.reach.base)
    let inners = UnsafeRawPointer(crowds.inners.base)
    let upper = neighbours.upper.base
    let place = CrowdPlace(x: grid.x[row], y: grid.y[row], inner: crowds.inners[row])
    let r = Lanes(repeating: grid.reach[row] + margin)
    let (lane, one) = (IntLanes(0, 1, 2, 3), IntLanes(repeating: 1))
    var farthest = Lanes(repeating: nearest.farthest)
    var counts = IntLanes.zero
    var j = rows.lowerBound
    while j < rows.upperBound {
      let left = Int32(truncatingIfNeeded: rows.upperBound &- j)
      let q = reach.loadUnaligned(fromByteOffset: 4 &* j, as: Lanes.self) + r
      let (gap, squared, isClose) = place.gaps(
        x.loadUnaligned(fromByteOffset: 4 &* j, as: Lanes.self),
        y.loadUnaligned(fromByteOffset: 4 &* j, as: Lanes.self),
        inners.loadUnaligned(fromByteOffset: 4 &* j, as: Lanes.self))
      let isNear = (squared .< (q * q)) .& (lane .< IntLanes(repeating: left))
      let isCrowd = isNear .& isClose
      counts = counts &+ IntLanes.zero.replacing(with: one, where: isCrowd)
      let isNearer = isCrowd .& (gap .< farthest)
      let mask = moveMask(isNearer .| (isNear .& .!isClose))
      if mask != 0 {
        for k in 0..<4 where mask & (1 << Int32(k)) != 0 {
          if isNearer[k] {
            nearest.offer(j + k, gap: gap[k])
          } else {
            upper[found] = Int32(truncatingIfNeeded: j + k)
            found += 1
          }
        }
        farthest = Lanes(repeating: nearest.farthest)
      }
      j &+= 4
    }
    crowd += Int(counts.x &+ counts.y &+ counts.z &+ counts.w)
  }

  /// Leaves out of a row's pairs, the last of the list, those of a crowd beyond the nearest
  /// `PhysicsLimit.crowdOfBody`; returns where the rest ends. Of an anchored row nothing is
  /// left out: a shelf may carry any number of bodies.
  func keepNearestOfCrowd(of row: Int, from: Int, to: Int) -> Int {
    assert(from >= 0 && to - from > PhysicsLimit.crowdOfBody)
    guard bodies.motions[2 * row].w > 0 else { return to }
    if !crowds.innersAreKnown { measureInners() }
    crowds.gaps.reserve(to - from + 4)
    var nearest = Nearest(PhysicsLimit.crowdOfBody)
    let crowd = offerCrowd(of: row, from, to, to: &nearest)
    guard crowd > PhysicsLimit.crowdOfBody else { return to }
    let upper = neighbours.upper.base
    var kept = from
    nearest.withSorted { nearest in
      var next = 0
      if crowd == to - from {
        while next < nearest.count {
          upper[kept] = upper[Int(nearest[next])]
          kept += 1
          next += 1
        }
        return
      }
      for k in from..<to {
        let isNearest = next < nearest.count && Int(nearest[next]) == k
        if isNearest { next += 1 }
        guard isNearest || crowds.gaps[k - from] == .infinity else { continue }
        upper[kept] = upper[k]
        kept += 1
      }
    }
    assert(to - kept == crowd - PhysicsLimit.crowdOfBody)
    state.pairsLeftOut += to - kept
    return kept
  }

  /// Offers the crowd among a row's pairs, and returns how many it is. Where thousands lie in one
  /// place this sees millions of pairs: four at a time, and after the first few hardly any is near
  /// enough to be looked at alone.
  private func offerCrowd(
    of row: Int, _ from: Int, _ to: Int, to nearest: inout Nearest
  ) -> Int {
    let gaps = UnsafeMutableRawPointer(crowds.gaps.base)
    var crowd = IntLanes.zero
    var k = from
    while k < to {
      let (gap, isCrowd) = crowdGaps(row, k, to)
      let marked = select(isCrowd, gap, Lanes(repeating: .infinity))
      gaps.storeBytes(of: marked, toByteOffset: 4 &* (k &- from), as: Lanes.self)
      crowd = crowd.replacing(with: crowd &+ 1, where: isCrowd)
      if any(marked .< Lanes(repeating: nearest.farthest)) {
        for lane in 0..<4 where isCrowd[lane] { nearest.offer(k + lane, gap: gap[lane]) }
      }
      k &+= 4
    }
    return Int(crowd.x &+ crowd.y &+ crowd.z &+ crowd.w)
  }

  /// What a crowd's member and four others are to each other (`CrowdPlace`).
  @inline(__always)
  private func crowdGaps(_ row: Int, _ k: Int, _ to: Int) -> (gaps: Lanes, isCrowd: LaneMask) {
    let (x, y, inner) = placesOfFour(k, to)
    let place = CrowdPlace(x: grid.x[row], y: grid.y[row], inner: crowds.inners[row])
    let (gap, _, isClose) = place.gaps(x, y, inner)
    let lane = IntLanes(0, 1, 2, 3)
    return (gap, isClose .& (lane .< IntLanes(repeating: Int32(truncatingIfNeeded: to &- k))))
  }

  /// Places and inner radii of the four rows from a pair on, of which most lie side by side; past
  /// the last pair those of the last one.
  @inline(__always)
  private func placesOfFour(_ k: Int, _ to: Int) -> (x: Lanes, y: Lanes, inner: Lanes) {
    let upper = neighbours.upper.base
    let (x, y, inner) = (grid.x.base, grid.y.base, crowds.inners.base)
    let first = Int(upper[k])
    if k &+ 4 <= to && Int(upper[k &+ 3]) == first &+ 3 {
      let at = 4 &* first
      return (
        UnsafeRawPointer(x).loadUnaligned(fromByteOffset: at, as: Lanes.self),
        UnsafeRawPointer(y).loadUnaligned(fromByteOffset: at, as: Lanes.self),
        UnsafeRawPointer(inner).loadUnaligned(fromByteOffset: at, as: Lanes.self)
      )
    }
    let last = to &- 1
    let (b, c) = (Int(upper[min(k &+ 1, last)]), Int(upper[min(k &+ 2, last)]))
    let d = Int(upper[min(k &+ 3, last)])
    return (
      Lanes(x[first], x[b], x[c], x[d]), Lanes(y[first], y[b], y[c], y[d]),
      Lanes(inner[first], inner[b], inner[c], inner[d])
    )
  }

  /// Measures the inner radii of all rows, once in a lookup that meets a crowd; −1 of what is
  /// anchored and no part of any.
  private func measureInners() {
    crowds.inners.reserve(bodies.rowCount + 8)
    for row in 0..<bodies.rowCount {
      let moves = bodies.motions[2 * row].w > 0
      crowds.inners[row] = moves ? innerRadius(ofRow: row) : -1
      // Of a sharp polygon only the centre is known to be inside.
      assert(!moves || crowds.inners[row] >= 0)
    }
    crowds.innersAreKnown = true
  }
}

/// What a lookup notes of crowds.
struct CrowdScratch: ~Copyable {
  /// Radius of a disc about the centre within each row's body, in points.
  var inners = Buffer(capacity: 72, blank: Float(0))
  /// Whether the inner radii are those of this lookup.
  var innersAreKnown = false
  /// How far apart the inner discs of the pairs of one row are, in points; infinite for those that
  /// are no part of a crowd.
  var gaps = Buffer(capacity: 72, blank: Float(0))
}

/// A body that may be one of a crowd: where it is, and the radius of a disc within it, in points.
struct CrowdPlace {
  let (x, y, inner): (Lanes, Lanes, Lanes)

  @inline(__always)
  init(x: Float, y: Float, inner: Float) {
    assert(inner >= 0, "what is anchored is no crowd")
    self.x = Lanes(repeating: x)
    self.y = Lanes(repeating: y)
    self.inner = Lanes(repeating: inner)
  }

  /// Measures the distances to four bodies and marks which belong to the same crowd: similar sizes
  /// if closer than side by side allows, different sizes if the small centre lies inside the large
  /// body.
  ///
  /// Sizes are those of the inner discs, which of long bodies are small. They are similar up to
  /// three times each other: twelve such bodies find room side by side around one. Returns the gaps
  /// between the discs, the squared distances of their centres, and the marks.
  @inline(__always)
  func gaps(
    _ otherX: Lanes, _ otherY: Lanes, _ otherInner: Lanes
  ) -> (gaps: Lanes, squared: Lanes, isClose: LaneMask) {
    let small = least(inner, otherInner)
    let large = most(inner, otherInner)
    let isAlike = large .<= (Lanes(repeating: 3) * small)
    let reach = select(isAlike, large + Lanes(repeating: 2) * small, large)
    let (dx, dy) = (otherX - x, otherY - y)
    let squared = dx * dx + dy * dy
    let isClose = (squared .< (reach * reach)) .& (otherInner .> 0)
    return (squared.squareRoot() - (small + large), squared, isClose)
  }
}
