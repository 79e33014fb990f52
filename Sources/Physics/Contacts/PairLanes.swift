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
    motions[2 * Int(rows.x)], motions[2 * Int(rows.y)], motions[2 * Int(rows.z)],
    motions[2 * Int(rows.w)])
}

/// Which of four entries from `k` on exist in a list of `count`.
@inline(__always)
func tailMask(_ k: Int, _ count: Int) -> Int32 {
  k + 4 <= count ? 15 : (1 << Int32(truncatingIfNeeded: count - k)) - 1
}
