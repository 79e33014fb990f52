/// A value that an `InternTable` finds by its hash: equal values have equal ones.
protocol Interned: BitwiseCopyable, Equatable {
  /// Adds what tells most values apart.
  func hash(into hasher: inout FNVHash)
}

/// Values that many bodies share, each held once. Bodies name them by number; numbers are given in
/// the order of first use and reused, the lowest first, when nobody holds them any more, so they
/// agree everywhere.
struct InternTable<Value: Interned>: ~Copyable {
  private(set) var values: Buffer<Value>
  private(set) var uses = Buffer(capacity: 16, blank: Int32(0))
  private(set) var count = 0
  /// Every number below this one is in use.
  private var lowestFree = 0
  /// Numbers by the hashes of their values, and `nobody` where there is none. Numbers whose value
  /// has gone stay until it is made anew. Not part of the state: a copy makes its own.
  private var index = Buffer(capacity: 1, blank: Int32(-1))
  private var indexSize = 0
  private var indexed = 0

  init(blank: Value) { values = Buffer(capacity: 16, blank: blank) }

  /// The number of a value, with one more use counted.
  mutating func take(_ value: Value) -> UInt16 {
    // What an index gives back is found faster by looking at all when there are few.
    let known = count <= InternTable.few ? scan(for: value) : lookUp(value)
    if known >= 0 {
      uses[known] += 1
      return UInt16(known)
    }
    while lowestFree < count && uses[lowestFree] > 0 { lowestFree += 1 }
    let free = lowestFree
    if free == count {
      count += 1
      values.reserve(count)
      uses.reserve(count)
    }
    values[free] = value
    uses[free] = 1
    if indexSize > 0 { enter(free) }
    return UInt16(free)
  }

  /// One use fewer.
  mutating func drop(_ number: UInt16) {
    assert(Int(number) < count && uses[Int(number)] > 0, "only what is in use is dropped")
    uses[Int(number)] -= 1
    if uses[Int(number)] == 0 && Int(number) < lowestFree { lowestFree = Int(number) }
  }

  /// Forgets all values.
  mutating func clear() {
    count = 0
    lowestFree = 0
    indexSize = 0
  }

  /// Puts a value read from a snapshot at its number; uses are counted as bodies are read.
  mutating func restore(_ value: Value, at number: Int) {
    awaitValue(at: number)
    setValue(value, at: number)
  }

  /// Makes room for a number whose value is set later, before anybody asks for it.
  mutating func awaitValue(at number: Int) {
    assert(number == count, "a snapshot lists values in the order of their numbers")
    count = number + 1
    values.reserve(count)
    uses.reserve(count)
    uses[number] = InternTable.awaited
    lowestFree = 0
    indexSize = 0
  }

  func awaitsValue(at number: Int) -> Bool { uses[number] == InternTable.awaited }

  /// Sets a value that was awaited; its uses are counted from here on.
  mutating func setValue(_ value: Value, at number: Int) {
    assert(awaitsValue(at: number) && indexSize == 0)
    values[number] = value
    uses[number] = 0
  }

  /// Whether no value is awaited any more.
  var hasAllValues: Bool {
    for k in 0..<count where uses[k] < 0 { return false }
    return true
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
    lowestFree = other.lowestFree
    indexSize = 0
  }
}

extension InternTable {
  private static var few: Int { 32 }
  /// In place of a count of uses.
  private static var awaited: Int32 { -1 }
  private static var nobody: Int32 { -1 }

  private func scan(for value: Value) -> Int {
    for k in 0..<count where uses[k] > 0 && values[k] == value { return k }
    return -1
  }

  /// The number of a value; −1 when it has none.
  private mutating func lookUp(_ value: Value) -> Int {
    if 2 * indexed >= indexSize { makeIndex() }
    var place = place(of: value)
    while index[place] != Self.nobody {
      let number = Int(index[place])
      if uses[number] > 0 && values[number] == value { return number }
      place = (place + 1) & (indexSize - 1)
    }
    return -1
  }

  /// Makes the index anew, four times as large as what is in use: so that it is left half empty.
  private mutating func makeIndex() {
    var size = 64
    while size < 4 * count { size *= 2 }
    index.reserve(size)
    index.base.update(repeating: Self.nobody, count: size)
    (indexSize, indexed) = (size, 0)
    for k in 0..<count where uses[k] > 0 { enter(k) }
  }

  private mutating func enter(_ number: Int) {
    var place = place(of: values[number])
    while index[place] != Self.nobody { place = (place + 1) & (indexSize - 1) }
    index[place] = Int32(number)
    indexed += 1
    assert(indexed < indexSize, "a search ends at an empty place")
  }

  private func place(of value: Value) -> Int {
    var hasher = FNVHash()
    value.hash(into: &hasher)
    let mixed = (hasher.value ^ hasher.value &>> 32) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed &>> 40) & (indexSize - 1)
  }
}

extension BodyShape: Interned {
  /// Numbers that depend on all corners, so that different shapes seldom share a hash. Adding 0
  /// turns −0 into 0: the two are equal, and equal values must have equal hashes.
  func hash(into hasher: inout FNVHash) {
    hasher.add(radius + 0)
    hasher.add(area + 0)
    hasher.add(inertiaPerMass + 0)
    hasher.add(boundingRadius + 0)
  }
}

extension BodyProperties: Interned {
  func hash(into hasher: inout FNVHash) {
    hasher.add(density + 0)
    hasher.add(restitution + 0)
    hasher.add(friction + 0)
    hasher.add(collisionGroup)
    hasher.add(collisionMask)
    hasher.add(userData)
  }
}
