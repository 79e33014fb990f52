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
    assert(inner > 0, "what is anchored is no crowd")
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
