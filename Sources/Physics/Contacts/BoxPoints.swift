/// Two contact points of four pairs of boxes.
struct BoxPoints {
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
    let isRound = b.radius .> 0
    if any(isRound) {
      let lowest = b.middle - flip(wide, bySignOf: slope)
      let end = flip(-b.alongTangent, bySignOf: slope)
      let past = Self.isPast(end, lowest, slope, b)
      let corners = isRound .& (past .| (from .>= to))
      if any(corners) {
        let high = from .> b.alongTangent
        roundCorners(
          b, corners, reference: select(past, end, select(high, to, from)),
          incident: select(past, lowest, select(high, from, to)), slope)
      }
    }
  }

  /// Whether the incident edge's lower corner lies past the reference edge's end and is what is
  /// nearest to it, by more than a quarter of a point nearer than what clipping leaves of the edge,
  /// so that boxes that lie on each other keep their two points.
  ///
  ///          \       incident edge, `steep` high for each point along
  ///           *      what clipping leaves: rise + run * steep above the end
  ///           |\
  ///           | o    corner: sqrt(rise^2 + run^2) from the end
  ///           | :    rise
  ///     ------+.:
  ///         end run
  @inline(__always)
  private static func isPast(
    _ end: Lanes, _ corner: Lanes, _ slope: Lanes, _ b: BoxLanes
  ) -> LaneMask {
    let run = flip(end - corner, bySignOf: slope)
    let (rise, steep) = (b.height - magnitude(b.halfRise), magnitude(slope))
    let distance = (rise * rise + run * run).squareRoot()
    return (run .> 0) .& (rise .> 0) .& (run .<= rise * steep)
      .& ((rise + run * steep - distance) .> 0.25)
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
