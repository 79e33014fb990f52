/// Four pairs of rounded boxes on their way through separating axes and clipping.
///
/// The face with the widest gap is the reference; the other box's edge that faces it is clipped
/// against its ends. Points carry their coordinate along the tangent (normal.y, −normal.x), which
/// is at the same time the arm × normal of the reference box.
private struct BoxLanes {
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
private struct LaneBox {
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

/// Two contact points of four pairs of boxes.
private struct BoxPoints {
  var nx, ny: Lanes
  var firstGap, secondGap: Lanes
  var (firstArmA, firstArmB, firstTangentA, firstTangentB): (Lanes, Lanes, Lanes, Lanes)
  var (secondArmA, secondArmB, secondTangentA, secondTangentB): (Lanes, Lanes, Lanes, Lanes)
  var valid: LaneMask

  @inline(__always)
  init(_ b: BoxLanes) {
    nx = b.nx
    ny = b.ny
    let wide = magnitude(b.halfWidth)
    let slope = flip(b.halfRise, bySignOf: b.halfWidth) / most(wide, Lanes(repeating: 1e-9))
    let from = most(b.middle - wide, -b.alongTangent)
    let to = least(b.middle + wide, b.alongTangent)
    firstGap = b.height + (from - b.middle) * slope - b.radius
    secondGap = b.height + (to - b.middle) * slope - b.radius
    let along = b.dx * nx + b.dy * ny
    let across = b.dx * ny - b.dy * nx
    let base = b.alongNormal + b.referenceRadius
    let firstTangent = -b.sign * (base + firstGap * 0.5)
    let secondTangent = -b.sign * (base + secondGap * 0.5)
    let useB = b.referenceIsB
    firstArmA = select(useB, from - across, from)
    firstArmB = select(useB, from, from - across)
    firstTangentA = select(useB, firstTangent + along, firstTangent)
    firstTangentB = select(useB, firstTangent, firstTangent + along)
    secondArmA = select(useB, to - across, to)
    secondArmB = select(useB, to, to - across)
    secondTangentA = select(useB, secondTangent + along, secondTangent)
    secondTangentB = select(useB, secondTangent, secondTangent + along)
    valid = (from .< to)
    let corners = (from .>= to) .& (b.radius .> 0)
    if any(corners) {
      let high = from .> b.alongTangent
      roundCorners(
        b, corners, reference: select(high, to, from), incident: select(high, from, to), slope)
    }
  }

  /// Where the edges lie past each other's ends, the rounded corners may still touch: one point,
  /// its normal from corner to corner.
  @inline(__always)
  private mutating func roundCorners(
    _ b: BoxLanes, _ mask: LaneMask, reference: Lanes, incident: Lanes, _ slope: Lanes
  ) {
    let height = b.height + (incident - b.middle) * slope
    let rise = most(height, .zero)
    let run = incident - reference
    let length = (rise * rise + run * run).squareRoot()
    // A capsule's end deep in the face: there is no way from corner to corner, the face's is taken.
    let isDeep = length .<= 1e-6
    let distance = select(isDeep, height, length)
    let inverse = 1 / most(length, Lanes(repeating: 1e-6))
    let (rnx, rny) = (b.sign * b.nx, b.sign * b.ny)
    let (tx, ty) = (b.ny, -b.nx)
    let ux = select(isDeep, rnx, (rise * rnx + run * tx) * inverse)
    let uy = select(isDeep, rny, (rise * rny + run * ty) * inverse)
    let gap = distance - b.radius
    let reach = b.referenceRadius + gap * 0.5
    let px = rnx * b.alongNormal + tx * reference + ux * reach
    let py = rny * b.alongNormal + ty * reference + uy * reach
    let (cx, cy) = (b.sign * ux, b.sign * uy)
    let armR = px * cy - py * cx
    let armI = (px - b.dx) * cy - (py - b.dy) * cx
    let tangentR = -(px * cx + py * cy)
    let tangentI = -((px - b.dx) * cx + (py - b.dy) * cy)
    let useB = b.referenceIsB
    nx = select(mask, cx, nx)
    ny = select(mask, cy, ny)
    firstGap = select(mask, gap, firstGap)
    firstArmA = select(mask, select(useB, armI, armR), firstArmA)
    firstArmB = select(mask, select(useB, armR, armI), firstArmB)
    firstTangentA = select(mask, select(useB, tangentI, tangentR), firstTangentA)
    firstTangentB = select(mask, select(useB, tangentR, tangentI), firstTangentB)
    secondGap = select(mask, Lanes(repeating: ContactBatches.farAway), secondGap)
    secondArmA = select(mask, .zero, secondArmA)
    secondArmB = select(mask, .zero, secondArmB)
    valid = (valid .| mask)
  }
}

extension WorldStorage {
  /// Contacts of rounded boxes and capsules with each other, four pairs at once.
  @inline(never)
  func collideBoxes() {
    let (rowsA, rowsB, places) = pairLists.boxes.columns
    let count = pairLists.boxes.count
    let (poses, motions, forms) = (bodies.poses.base, bodies.motions.base, bodies.forms.base)
    let span = Lanes(repeating: now.span)
    var twos = contacts.twos.end
    var k = 0
    while k < count {
      let p = PairLanes(rowsA, rowsB, at: k, poses)
      let boxes = BoxLanes(p, forms)
      if !any((boxes.gap - boxes.radius) .< Lookup.reach) {
        k += 4
        continue
      }
      let q = BoxPoints(boxes)
      let (avx, avy, aw, _) = gatherVelocities(motions, p.a)
      let (bvx, bvy, bw, _) = gatherVelocities(motions, p.b)
      let straight = (bvx - avx) * q.nx + (bvy - avy) * q.ny
      let first = straight + q.firstArmB * bw - q.firstArmA * aw
      let second = straight + q.secondArmB * bw - q.secondArmA * aw
      let nearest = least(
        q.firstGap + least(first * span, .zero), q.secondGap + least(second * span, .zero))
      let mask =
        moveMask((nearest .< Lookup.speculation) .& q.valid) & tailMask(k, count)
      if mask != 0 {
        twos.append(
          mask, p, places + k, head: (q.nx, q.ny, q.firstGap, q.secondGap),
          first: (q.firstArmA, q.firstArmB, q.firstTangentA, q.firstTangentB),
          second: (q.secondArmA, q.secondArmB, q.secondTangentA, q.secondTangentB),
          approach: (first, second))
      }
      k += 4
    }
    contacts.twos.count = twos.count
  }

}
