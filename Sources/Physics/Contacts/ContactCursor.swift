/// A place in a list of contacts that kernels keep in registers.
struct ContactCursor<Record: BitwiseCopyable> {
  let rows: UnsafeMutablePointer<ContactRows>
  let records: UnsafeMutablePointer<Record>
  var count: Int

  /// Appends those of four contacts whose bit is set: writes each, and goes on only past those.
  @inline(__always)
  mutating func append(
    _ mask: Int32, _ pairs: PairLanes, _ places: UnsafeMutablePointer<Int32>,
    _ r0: Record, _ r1: Record, _ r2: Record, _ r3: Record
  ) {
    rows[count] = ContactRows(a: pairs.a.x, b: pairs.b.x, pair: places[0], colour: 0)
    records[count] = r0
    count &+= Int(mask & 1)
    rows[count] = ContactRows(a: pairs.a.y, b: pairs.b.y, pair: places[1], colour: 0)
    records[count] = r1
    count &+= Int((mask >> 1) & 1)
    rows[count] = ContactRows(a: pairs.a.z, b: pairs.b.z, pair: places[2], colour: 0)
    records[count] = r2
    count &+= Int((mask >> 2) & 1)
    rows[count] = ContactRows(a: pairs.a.w, b: pairs.b.w, pair: places[3], colour: 0)
    records[count] = r3
    count &+= Int((mask >> 3) & 1)
  }
}

extension ContactCursor where Record == OnePointRecord {
  @inline(__always)
  mutating func append(
    _ mask: Int32, _ pairs: PairLanes, _ places: UnsafeMutablePointer<Int32>,
    head: (Lanes, Lanes, Lanes, Lanes), arms: (Lanes, Lanes, Lanes, Lanes)
  ) {
    let h = transpose(head.0, head.1, head.2, head.3)
    let r = transpose(arms.0, arms.1, arms.2, arms.3)
    append(
      mask, pairs, places, OnePointRecord(head: h.0, arms: r.0),
      OnePointRecord(head: h.1, arms: r.1), OnePointRecord(head: h.2, arms: r.2),
      OnePointRecord(head: h.3, arms: r.3))
  }
}

extension ContactCursor where Record == TwoPointRecord {
  @inline(__always)
  mutating func append(
    _ mask: Int32, _ pairs: PairLanes, _ places: UnsafeMutablePointer<Int32>,
    head: (Lanes, Lanes, Lanes, Lanes), first: (Lanes, Lanes, Lanes, Lanes),
    second: (Lanes, Lanes, Lanes, Lanes), approach: (Lanes, Lanes)
  ) {
    let h = transpose(head.0, head.1, head.2, head.3)
    let f = transpose(first.0, first.1, first.2, first.3)
    let s = transpose(second.0, second.1, second.2, second.3)
    let v = transpose(approach.0, approach.1, .zero, .zero)
    append(
      mask, pairs, places, TwoPointRecord(head: h.0, first: f.0, second: s.0, approach: v.0),
      TwoPointRecord(head: h.1, first: f.1, second: s.1, approach: v.1),
      TwoPointRecord(head: h.2, first: f.2, second: s.2, approach: v.2),
      TwoPointRecord(head: h.3, first: f.3, second: s.3, approach: v.3))
  }
}
