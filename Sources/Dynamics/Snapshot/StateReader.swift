// What a snapshot holds: words that a `WordSink` takes, and that are taken back.

extension WordSink {
  mutating func put(_ v: Vector2) {
    put(v.x)
    put(v.y)
  }

  mutating func put(_ r: Rotation) {
    put(r.cosine)
    put(r.sine)
  }

  mutating func put(_ id: ItemID) { put(UInt32(id.slot) << 16 | UInt32(id.generation)) }
  mutating func put(_ id: BehaviorID) { put(UInt32(id.slot) << 16 | UInt32(id.generation)) }

  mutating func put(_ items: [ItemID]) {
    put(items.count)
    // In a variable of its own the sink stays in registers.
    var own = self
    items.withUnsafeBufferPointer { items in for item in items { own.put(item) } }
    self = own
  }

  mutating func put(_ points: [Vector2]) {
    put(points.count)
    for point in points { put(point) }
  }

  mutating func put(_ r: Rect2) {
    put(r.x)
    put(r.y)
    put(r.width)
    put(r.height)
  }
}

extension [ItemID] {
  /// Becomes so many names, which are the first words of `words`, in the memory that is there.
  ///
  /// - Parameters:
  ///   - count: how many; there are words for all of them.
  ///   - words: as a `WordReader` has them, whose low bytes come first.
  package mutating func take(_ count: Int, from words: UnsafeRawBufferPointer) {
    assert(count <= words.count / 4, "whoever takes them has asked for it")
    resize(to: count, ItemID(slot: 0, generation: 0))
    withUnsafeMutableBufferPointer { items in
      for place in 0..<count {
        let word = words.loadUnaligned(fromByteOffset: 4 * place, as: UInt32.self)
        items[place] = ItemID(word: UInt32(littleEndian: word))
      }
    }
  }
}

/// Hashes the words as they come.
struct HashSink: WordSink {
  private var hasher = FNVHash()

  var value: UInt64 { hasher.value }

  @inline(__always)
  mutating func put(_ word: UInt32) { hasher.add(word) }
}

/// Takes the words back, never past their end, and none that an animator can't hold.
struct StateReader: WordReader {
  typealias Failure = DynamicsError

  static var malformed: DynamicsError { .malformedSnapshot }

  let bytes: UnsafeRawBufferPointer
  var offset = 0
  /// Memory for the next list of items that is read.
  private var kept: [ItemID] = []

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The next list of items goes into the memory of this one.
  mutating func keep(_ list: consuming [ItemID]) { kept = list }

  /// A number that is one, and whose square is one.
  mutating func number() throws(DynamicsError) -> Float {
    try number(within: 1e15)
  }

  mutating func flag() throws(DynamicsError) -> Bool {
    try word(upTo: 1) == 1
  }

  mutating func vector() throws(DynamicsError) -> Vector2 {
    let x = try number()
    return Vector2(x, try number())
  }

  mutating func rotation() throws(DynamicsError) -> Rotation {
    let cosine = try number()
    return Rotation(cosine: cosine, sine: try number())
  }

  mutating func rectangle() throws(DynamicsError) -> Rect2 {
    let origin = try vector()
    let size = try vector()
    return Rect2(x: origin.x, y: origin.y, width: size.x, height: size.y)
  }

  mutating func itemID() throws(DynamicsError) -> ItemID { ItemID(word: try word()) }

  mutating func behaviorID() throws(DynamicsError) -> BehaviorID {
    let word = try word()
    return BehaviorID(slot: UInt16(word >> 16), generation: UInt16(truncatingIfNeeded: word))
  }

  mutating func items() throws(DynamicsError) -> [ItemID] {
    let count = try count(of: 4)
    var items = kept
    kept = []
    items.take(count, from: left)
    skip(4 * count)
    return items
  }

  mutating func points() throws(DynamicsError) -> [Vector2] {
    var points: [Vector2] = []
    for _ in 0..<(try count(of: 8)) { points.append(try vector()) }
    return points
  }

  /// A value of an enumeration that is stored as its raw value.
  mutating func choice<T: RawRepresentable>(
    _ type: T.Type
  ) throws(DynamicsError) -> T where T.RawValue == UInt8 {
    guard let value = T(rawValue: UInt8(try word(upTo: 255))) else { throw .malformedSnapshot }
    return value
  }
}
