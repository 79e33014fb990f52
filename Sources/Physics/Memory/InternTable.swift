/// Values that many bodies share, each held once. Bodies name them by number; numbers are given in
/// the order of first use and reused when nobody holds them any more, so they agree everywhere.
struct InternTable<Value: BitwiseCopyable & Equatable>: ~Copyable {
  private(set) var values: Buffer<Value>
  private(set) var uses = Buffer(capacity: 16, blank: Int32(0))
  private(set) var count = 0

  init(blank: Value) { values = Buffer(capacity: 16, blank: blank) }

  /// The number of a value, with one more use counted.
  mutating func take(_ value: Value) -> UInt16 {
    var free = -1
    for k in 0..<count {
      if uses[k] == 0 {
        if free < 0 { free = k }
      } else if values[k] == value {
        uses[k] += 1
        return UInt16(k)
      }
    }
    if free < 0 {
      free = count
      count += 1
      values.reserve(count)
      uses.reserve(count)
    }
    values[free] = value
    uses[free] = 1
    return UInt16(free)
  }

  /// One use fewer.
  func drop(_ number: UInt16) {
    assert(Int(number) < count && uses[Int(number)] > 0, "only what is in use is dropped")
    uses[Int(number)] -= 1
  }

  /// Forgets all values.
  mutating func clear() { count = 0 }

  /// Puts a value read from a snapshot at its number; uses are counted as bodies are read.
  mutating func restore(_ value: Value, at number: Int) {
    assert(number == count, "a snapshot lists values in the order of their numbers")
    count = number + 1
    values.reserve(count)
    uses.reserve(count)
    values[number] = value
    uses[number] = 0
  }

  @inline(__always)
  subscript(_ number: UInt16) -> Value {
    assert(Int(number) < count)
    return values[Int(number)]
  }

  mutating func copy(_ other: borrowing InternTable) {
    count = other.count
    values.copy(other.values, count: count)
    uses.copy(other.uses, count: count)
  }
}
