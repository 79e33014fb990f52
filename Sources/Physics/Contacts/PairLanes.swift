/// Four pairs of bodies, gathered into lanes for a narrow-phase kernel.
struct PairLanes {
  let a: IntLanes
  let b: IntLanes
  let (ax, ay, aCosine, aSine): (Lanes, Lanes, Lanes, Lanes)
  let (bx, by, bCosine, bSine): (Lanes, Lanes, Lanes, Lanes)

  @inline(__always)
  init(
    _ rowsA: UnsafeMutablePointer<Int32>, _ rowsB: UnsafeMutablePointer<Int32>, at k: Int,
    _ poses: UnsafeMutablePointer<Lanes>
  ) {
    a = IntLanes(rowsA[k], rowsA[k + 1], rowsA[k + 2], rowsA[k + 3])
    b = IntLanes(rowsB[k], rowsB[k + 1], rowsB[k + 2], rowsB[k + 3])
    (ax, ay, aCosine, aSine) = gather(poses, a)
    (bx, by, bCosine, bSine) = gather(poses, b)
  }
}

/// The values of four rows, one column a component.
@inline(__always)
func gather(_ values: UnsafeMutablePointer<Lanes>, _ rows: IntLanes) -> (Lanes, Lanes, Lanes, Lanes)
{
  transpose(
    values[Int(rows.x)], values[Int(rows.y)], values[Int(rows.z)], values[Int(rows.w)])
}

/// The velocities of four rows: x, y, spin, inverse mass.
@inline(__always)
func gatherVelocities(
  _ motions: UnsafeMutablePointer<Lanes>, _ rows: IntLanes
) -> (Lanes, Lanes, Lanes, Lanes) {
  transpose(
    motions[2 &* Int(rows.x)], motions[2 &* Int(rows.y)], motions[2 &* Int(rows.z)],
    motions[2 &* Int(rows.w)])
}

/// Which of four entries from `k` on exist in a list of `count`.
@inline(__always)
func tailMask(_ k: Int, _ count: Int) -> Int32 {
  k + 4 <= count ? 15 : (1 << Int32(truncatingIfNeeded: count - k)) - 1
}

/// Four pairs of rounded boxes on their way through separating axes and clipping.
///
/// The face with the widest gap is the reference; the other box's edge that faces it is clipped
/// against its ends. Points carry their coordinate along the tangent (normal.y, −normal.x), which
/// is at the same time the arm × normal of the reference box.
struct BoxLanes {
  /// From the first box to the second.
  var nx, ny: Lanes
  /// +1 where the first box is the reference, −1 where the second is.
  let sign: Lanes
  let referenceIsB: LaneMask
  /// Gap of the cores along the chosen axis.
  let gap: Lanes
  /// From the reference box's centre to the incident one's.
  let (dx, dy): (Lanes, Lanes)
  /// Half extents of the reference box along normal and tangent.
  let (alongNormal, alongTangent): (Lanes, Lanes)
  /// Corner radius of the reference box, and of both together.
  let (referenceRadius, radius): (Lanes, Lanes)
  /// The incident edge: middle along the tangent and above the reference face, half extents.
  let (middle, height, halfWidth, halfRise): (Lanes, Lanes, Lanes, Lanes)

  @inline(__always)
  init(_ p: PairLanes, _ forms: UnsafeMutablePointer<Lanes>) {
    let a = LaneBox(p.aCosine, p.aSine, gather(forms, p.a))
    let b = LaneBox(p.bCosine, p.bSine, gather(forms, p.b))
    let (dx, dy) = (p.bx - p.ax, p.by - p.ay)
    let c = magnitude(p.aCosine * p.bCosine + p.aSine * p.bSine)
    let s = magnitude(p.aCosine * p.bSine - p.aSine * p.bCosine)
    let (aX, aY) = a.gaps(dx, dy, to: b, c, s)
    let (bX, bY) = b.gaps(dx, dy, to: a, c, s)
    let (aPicksY, bPicksY) = (aY .> aX, bY .> bX)
    let gapA = select(aPicksY, aY, aX)
    let gapB = select(bPicksY, bY, bX)
    // The first box wins near ties, so that the choice does not flicker.
    let useB = gapB .> (gapA + 0.05)
    referenceIsB = useB
    gap = select(useB, gapB, gapA)
    let picksY = (useB .& bPicksY) .| (.!useB .& aPicksY)
    let (reference, incident) = (LaneBox.either(useB, b, a), LaneBox.either(useB, a, b))
    alongNormal = select(picksY, reference.halfY, reference.halfX)
    alongTangent = select(picksY, reference.halfX, reference.halfY)
    referenceRadius = reference.radius
    radius = a.radius + b.radius
    let axisX = select(picksY, -reference.sine, reference.cosine)
    let axisY = select(picksY, reference.cosine, reference.sine)
    let side = axisX * dx + axisY * dy
    nx = flip(axisX, bySignOf: side)
    ny = flip(axisY, bySignOf: side)
    sign = select(useB, Lanes(repeating: -1), Lanes(repeating: 1))
    (self.dx, self.dy) = (sign * dx, sign * dy)
    let (rnx, rny) = (sign * nx, sign * ny)
    let edge = incident.edge(against: rnx, rny)
    let (fx, fy) = (self.dx - edge.off * edge.x, self.dy - edge.off * edge.y)
    middle = fx * ny - fy * nx
    height = fx * rnx + fy * rny - alongNormal
    halfWidth = (-edge.y * ny - edge.x * nx) * edge.half
    halfRise = (-edge.y * rnx + edge.x * rny) * edge.half
  }
}

/// One box of each of four pairs.
struct LaneBox {
  let (cosine, sine): (Lanes, Lanes)
  let (halfX, halfY, radius): (Lanes, Lanes, Lanes)

  @inline(__always)
  init(_ cosine: Lanes, _ sine: Lanes, _ form: (Lanes, Lanes, Lanes, Lanes)) {
    (self.cosine, self.sine) = (cosine, sine)
    (halfX, halfY, radius, _) = form
  }

  @inline(__always)
  static func either(_ mask: LaneMask, _ yes: LaneBox, _ no: LaneBox) -> LaneBox {
    let form = (
      select(mask, yes.halfX, no.halfX), select(mask, yes.halfY, no.halfY),
      select(mask, yes.radius, no.radius), Lanes.zero
    )
    return LaneBox(
      select(mask, yes.cosine, no.cosine), select(mask, yes.sine, no.sine), form)
  }

  /// Gaps to another box along this one's axes, for the way between them and the magnitudes of the
  /// cosine and sine between their axes.
  @inline(__always)
  func gaps(
    _ dx: Lanes, _ dy: Lanes, to other: LaneBox, _ c: Lanes, _ s: Lanes
  ) -> (x: Lanes, y: Lanes) {
    (
      magnitude(cosine * dx + sine * dy) - halfX - (other.halfX * c + other.halfY * s),
      magnitude(cosine * dy - sine * dx) - halfY - (other.halfX * s + other.halfY * c)
    )
  }

  /// The side that looks against a normal: its own normal, how far off the centre it lies, and half
  /// its length.
  @inline(__always)
  func edge(
    against nx: Lanes, _ ny: Lanes
  ) -> (x: Lanes, y: Lanes, off: Lanes, half: Lanes) {
    let u = cosine * nx + sine * ny
    let v = cosine * ny - sine * nx
    let facesX = magnitude(u) .> magnitude(v)
    let off = flip(
      select(facesX, halfX, halfY), bySignOf: select(facesX, u, v))
    return (
      select(facesX, cosine, -sine), select(facesX, sine, cosine), off,
      select(facesX, halfY, halfX)
    )
  }
}
