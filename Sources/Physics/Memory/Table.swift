/// A list of records, of which places in the middle may be free.
struct Table<Record: BitwiseCopyable>: ~Copyable {
  private var records: Buffer<Record>
  var count = 0

  init(capacity: Int, blank: Record) { records = Buffer(capacity: capacity, blank: blank) }

  var base: UnsafeMutablePointer<Record> { records.base }

  mutating func reserve(_ count: Int) { records.reserve(count) }

  mutating func append(_ record: Record) {
    records.reserve(count + 1)
    records[count] = record
    count += 1
  }

  mutating func copy(_ other: borrowing Table) {
    assert(other.count >= 0)
    count = other.count
    records.copy(other.records, count: count)
  }

  @inline(__always)
  subscript(_ i: Int) -> Record {
    get { records[i] }
    nonmutating set { records[i] = newValue }
  }
}
