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
