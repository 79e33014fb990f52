import Dynamics
import Physics

// What a pit's snapshot holds: words that a `WordSink` takes, and that are taken back.

extension WordSink {
  mutating func put(_ word: UInt32?) {
    put(word != nil)
    put(word ?? 0 as UInt32)
  }

  mutating func put(_ v: Vector2) {
    put(v.x)
    put(v.y)
  }

  mutating func put(_ items: [ItemID]) {
    // In a variable of its own the sink stays in registers.
    var own = self
    items.withUnsafeBufferPointer { items in for item in items { own.put(item) } }
    self = own
  }

  mutating func put(_ id: ItemID) { put(UInt32(id.slot) << 16 | UInt32(id.generation)) }
  mutating func put(_ id: BehaviorID) { put(id.word) }
}

/// Hashes the words as they come: order matters, every bit counts.
struct StateHash: WordSink {
  private var hash = FNVHash()

  var value: UInt64 { hash.value }

  mutating func put(_ word: UInt32) { hash.addFolded(UInt64(word)) }
}

/// Takes the words back, never past their end, and none that a pit can't hold.
struct PitReader: WordReader {
  typealias Failure = PitError

  static var malformed: PitError { .malformedSnapshot }

  let bytes: UnsafeRawBufferPointer
  var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// A number that is one, within what the animator takes.
  mutating func number() throws(PitError) -> Float {
    try number(within: 100_000)
  }

  mutating func vector() throws(PitError) -> Vector2 {
    let x = try number()
    return Vector2(x, try number())
  }

  /// A count of at most `limit`, and so many names of items, of which it is to be asked whether
  /// they exist, into memory that is kept.
  mutating func items(upTo limit: Int, into items: inout [ItemID]) throws(PitError) {
    let count = Int(try word(upTo: UInt32(limit)))
    guard count <= (bytes.count - offset) / 4 else { throw .malformedSnapshot }
    items.take(count, from: left)
    skip(4 * count)
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
}

extension BehaviorID {
  init(word: UInt32) {
    self.init(
      slot: UInt16(word >> 16), generation: UInt16(truncatingIfNeeded: word))
  }

  var word: UInt32 { UInt32(slot) << 16 | UInt32(generation) }
}
