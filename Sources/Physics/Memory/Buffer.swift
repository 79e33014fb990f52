/// A run of plain values outside the reach of bounds checks and reference counts. Growing keeps
/// what was there. The fastest container that the solver's loops were tried with: arrays held in a
/// class cost four times as much a batch.
struct Buffer<Element: BitwiseCopyable>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Element>
  private(set) var capacity: Int
  private let blank: Element

  init(capacity: Int, blank: Element) {
    let room = capacity > 1 ? capacity : 1
    base = UnsafeMutablePointer<Element>.allocate(capacity: room)
    base.initialize(repeating: blank, count: room)
    self.capacity = room
    self.blank = blank
  }

  deinit { base.deallocate() }

  /// Makes room for `count` values, keeping the old ones. At least doubles, so that growing is
  /// rare; of a mebibyte and more a quarter is added, because only rare crowds need so much, and
  /// four times what they need would be too much for small devices.
  mutating func reserve(_ count: Int) {
    guard count > capacity else { return }
    let isLarge = capacity * MemoryLayout<Element>.stride >= 1 << 20
    let more = isLarge ? capacity + capacity / 4 : capacity * 2
    let room = count > more ? count : more
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: room)
    larger.update(from: base, count: capacity)
    (larger + capacity).initialize(repeating: blank, count: room - capacity)
    base.deallocate()
    base = larger
    capacity = room
  }

  /// Takes over the first `count` values of another buffer, and grows as needed.
  mutating func copy(_ other: borrowing Buffer, count: Int) {
    assert(count >= 0 && count <= other.capacity, "the other has no more")
    reserve(count)
    base.update(from: other.base, count: count)
  }

  @inline(__always)
  subscript(_ i: Int) -> Element {
    get {
      assert(i >= 0 && i < capacity, "a place outside the memory")
      return base[i]
    }
    nonmutating set {
      assert(i >= 0 && i < capacity, "a place outside the memory")
      base[i] = newValue
    }
  }
}

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
