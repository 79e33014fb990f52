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

extension ContactRecords {
  /// Appends those of four one-point contacts whose bit is set.
  @inline(__always)
  mutating func append(
    _ mask: Int32, _ pairs: PairLanes, _ places: UnsafeMutablePointer<Int32>,
    head: (Lanes, Lanes, Lanes, Lanes), arms: (Lanes, Lanes, Lanes, Lanes)
  ) {
    let (h0, h1, h2, h3) = transpose(head.0, head.1, head.2, head.3)
    let (r0, r1, r2, r3) = transpose(arms.0, arms.1, arms.2, arms.3)
    let rows = oneRows.base
    let one = one.base
    var at = oneCount
    rows[at] = ContactRows(a: pairs.a.x, b: pairs.b.x, pair: places[0], colour: 0)
    one[at] = OnePointRecord(head: h0, arms: r0)
    at &+= Int(mask & 1)
    rows[at] = ContactRows(a: pairs.a.y, b: pairs.b.y, pair: places[1], colour: 0)
    one[at] = OnePointRecord(head: h1, arms: r1)
    at &+= Int((mask >> 1) & 1)
    rows[at] = ContactRows(a: pairs.a.z, b: pairs.b.z, pair: places[2], colour: 0)
    one[at] = OnePointRecord(head: h2, arms: r2)
    at &+= Int((mask >> 2) & 1)
    rows[at] = ContactRows(a: pairs.a.w, b: pairs.b.w, pair: places[3], colour: 0)
    one[at] = OnePointRecord(head: h3, arms: r3)
    at &+= Int((mask >> 3) & 1)
    oneCount = at
  }

  /// Appends those of four two-point contacts whose bit is set.
  @inline(__always)
  mutating func append(
    _ mask: Int32, _ pairs: PairLanes, _ places: UnsafeMutablePointer<Int32>,
    head: (Lanes, Lanes, Lanes, Lanes), first: (Lanes, Lanes, Lanes, Lanes),
    second: (Lanes, Lanes, Lanes, Lanes), approach: (Lanes, Lanes)
  ) {
    let (h0, h1, h2, h3) = transpose(head.0, head.1, head.2, head.3)
    let (f0, f1, f2, f3) = transpose(first.0, first.1, first.2, first.3)
    let (s0, s1, s2, s3) = transpose(second.0, second.1, second.2, second.3)
    let (v0, v1, v2, v3) = transpose(approach.0, approach.1, .zero, .zero)
    let rows = twoRows.base
    let two = two.base
    var at = twoCount
    rows[at] = ContactRows(a: pairs.a.x, b: pairs.b.x, pair: places[0], colour: 0)
    two[at] = TwoPointRecord(head: h0, first: f0, second: s0, approach: v0)
    at &+= Int(mask & 1)
    rows[at] = ContactRows(a: pairs.a.y, b: pairs.b.y, pair: places[1], colour: 0)
    two[at] = TwoPointRecord(head: h1, first: f1, second: s1, approach: v1)
    at &+= Int((mask >> 1) & 1)
    rows[at] = ContactRows(a: pairs.a.z, b: pairs.b.z, pair: places[2], colour: 0)
    two[at] = TwoPointRecord(head: h2, first: f2, second: s2, approach: v2)
    at &+= Int((mask >> 2) & 1)
    rows[at] = ContactRows(a: pairs.a.w, b: pairs.b.w, pair: places[3], colour: 0)
    two[at] = TwoPointRecord(head: h3, first: f3, second: s3, approach: v3)
    at &+= Int((mask >> 3) & 1)
    twoCount = at
  }
}
