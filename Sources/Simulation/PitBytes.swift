import Dynamics
import Physics

/// Takes the words of a pit's state, to keep them or to hash them: one description serves both.
protocol PitSink {
  mutating func put(_ word: UInt32)
}

extension PitSink {
  mutating func put(_ wide: UInt64) {
    put(UInt32(truncatingIfNeeded: wide))
    put(UInt32(truncatingIfNeeded: wide >> 32))
  }

  mutating func put(_ word: UInt32?) {
    put(word == nil ? 0 : 1 as UInt32)
    put(word ?? 0 as UInt32)
  }

  mutating func put(_ v: Vector2) {
    put(v.x.bitPattern)
    put(v.y.bitPattern)
  }

  mutating func put(_ id: ItemID) { put(UInt32(id.slot) << 16 | UInt32(id.generation)) }
  mutating func put(_ id: BehaviorID) { put(id.word) }
}

/// Keeps the words.
struct PitWriter: PitSink {
  var bytes: [UInt8]

  mutating func put(_ word: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }
}

/// FNV-1a over words instead of bytes: order matters, every bit counts, four lines.
struct StateHash: PitSink {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func put(_ word: UInt32) {
    value = (value ^ UInt64(word)) &* 0x0000_0100_0000_01B3
    value ^= value >> 32
  }
}

/// Takes the words back, never past their end.
struct PitReader {
  let bytes: [UInt8]
  private(set) var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func word() throws(PitError) -> UInt32 {
    guard bytes.count - offset >= 4 else { throw .malformedSnapshot }
    var word: UInt32 = 0
    for index in 0..<4 { word |= UInt32(bytes[offset + index]) << UInt32(8 * index) }
    offset += 4
    return word
  }

  mutating func wide() throws(PitError) -> UInt64 {
    let low = UInt64(try word())
    return low | UInt64(try word()) << 32
  }

  /// A word of at most `limit`.
  mutating func word(upTo limit: UInt32) throws(PitError) -> UInt32 {
    let word = try word()
    guard word <= limit else { throw .malformedSnapshot }
    return word
  }

  mutating func optionalWord() throws(PitError) -> UInt32? {
    let isThere = try word(upTo: 1) == 1
    let word = try word()
    return isThere ? word : nil
  }

  /// A number that is one, within what the animator takes.
  mutating func number() throws(PitError) -> Float {
    let number = Float(bitPattern: try word())
    guard number >= -100_000, number <= 100_000 else { throw .malformedSnapshot }
    return number
  }

  mutating func vector() throws(PitError) -> Vector2 {
    let x = try number()
    return Vector2(x, try number())
  }

  /// An item that exists.
  mutating func item(in animator: Animator) throws(PitError) -> ItemID {
    let id = ItemID(word: try word())
    guard animator.contains(id) else { throw .malformedSnapshot }
    return id
  }

  /// A behaviour that exists and is of the kind.
  mutating func handle<Kind: DynamicBehavior>(
    in animator: Animator
  ) throws(PitError) -> BehaviorHandle<Kind> {
    let id = BehaviorID(word: try word())
    guard let handle = animator.handle(id, as: Kind.self) else { throw .malformedSnapshot }
    return handle
  }

  mutating func optionalHandle<Kind: DynamicBehavior>(
    in animator: Animator
  ) throws(PitError) -> BehaviorHandle<Kind>? {
    guard let word = try optionalWord() else { return nil }
    guard let handle = animator.handle(BehaviorID(word: word), as: Kind.self) else {
      throw .malformedSnapshot
    }
    return handle
  }

  /// The bytes that follow.
  mutating func rest() -> [UInt8] {
    defer { offset = bytes.count }
    return Array(bytes[offset...])
  }

  /// The next `count` bytes.
  mutating func take(_ count: Int) throws(PitError) -> [UInt8] {
    guard count >= 0, count <= bytes.count - offset else { throw .malformedSnapshot }
    defer { offset += count }
    return Array(bytes[offset..<(offset + count)])
  }
}

extension ItemID {
  init(word: UInt32) {
    self.init(
      slot: UInt16(word >> 16), generation: UInt16(truncatingIfNeeded: word))
  }
}

extension BehaviorID {
  init(word: UInt32) {
    self.init(
      slot: UInt16(word >> 16), generation: UInt16(truncatingIfNeeded: word))
  }

  var word: UInt32 { UInt32(slot) << 16 | UInt32(generation) }
}
