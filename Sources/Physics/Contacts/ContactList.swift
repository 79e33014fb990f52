/// The contacts of a step before they are dealt out to batches.
struct Contacts: ~Copyable {
  var onePoint = ContactList(blank: OnePointRecord(head: .zero, arms: .zero))
  var twoPoint = ContactList(
    blank: TwoPointRecord(head: .zero, first: .zero, second: .zero, approach: .zero))
  var edges = Table(capacity: 64, blank: EdgeContactRecord())

  /// Room for every pair of bodies.
  mutating func reserve(one: Int, two: Int) {
    onePoint.reserve(one)
    twoPoint.reserve(two)
  }
}

/// Contacts of one kind, as the narrow phase found them.
struct ContactList<Record: BitwiseCopyable>: ~Copyable {
  var rows = Buffer(capacity: 64, blank: ContactRows(a: 0, b: 0, pair: -1, colour: 0))
  var records: Buffer<Record>
  var count = 0

  init(blank: Record) { records = Buffer(capacity: 64, blank: blank) }

  /// Room for the overhang of writes in fours, too.
  mutating func reserve(_ contacts: Int) {
    rows.reserve(contacts + 8)
    records.reserve(contacts + 8)
  }

  /// Where the next contacts go; the kernel that is done writes `count` back.
  var end: ContactCursor<Record> {
    ContactCursor(rows: rows.base, records: records.base, count: count)
  }

  @inline(__always)
  mutating func append(_ contact: ContactRows, _ record: Record) {
    assert(contact.a != contact.b, "nobody touches himself")
    rows[count] = contact
    records[count] = record
    count += 1
  }
}

/// A contact of one point between two bodies, as the narrow phase found it.
struct OnePointRecord: BitwiseCopyable {
  /// Normal x, y (from the first body to the second), separation, approach speed.
  var head: Lanes
  /// Arm × normal of both, arm × tangent of both; the tangent is (normal.y, −normal.x).
  var arms: Lanes
}

/// A contact of two points, sorted along the tangent.
struct TwoPointRecord: BitwiseCopyable {
  /// Normal x, y, separation of the first and of the second point.
  var head: Lanes
  /// Arms of the first point as in `OnePointRecord`.
  var first: Lanes
  /// Arms of the second point.
  var second: Lanes
  /// Approach speed of the first and of the second point.
  var approach: Lanes
}

/// Which two rows touch, and the place of their pair in the neighbour list (−1 for filling lanes).
struct ContactRows: BitwiseCopyable {
  var a: Int32
  var b: Int32
  var pair: Int32
  var colour: Int32
}

/// A contact with a boundary, as the narrow phase found it.
struct EdgeContactRecord: BitwiseCopyable {
  var row: Int32 = 0
  /// Place in the list of edge pairs.
  var pair: Int32 = 0
  /// How many contacts with boundaries the body had before this one: batches are layers of these.
  var layer: Int32 = 0
  /// Normal x, y (from the boundary to the body), gap of the first and of the second point.
  var head: Lanes = .zero
  /// Arm × normal, arm × tangent of the first point, then of the second.
  var arms: Lanes = .zero
  /// Speed of the first and of the second point along the normal, before anything is applied.
  var approach: Lanes = .zero
}

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
