/// Remembers something about each address prefix, and never more than a fixed number of them.
///
/// When it is full, a new one takes the place of an entry that was not used for a while (the
/// "clock" algorithm: a hand goes round, and who was used since its last round is passed over
/// once; who came only once counts as not used). So whoever is active is remembered, whatever the
/// number of strangers.
public struct AddressTable<Entry> {
  @usableFromInline
  struct Slot {
    @usableFromInline var prefix: AddressPrefix
    @usableFromInline var entry: Entry
    @usableFromInline var wasUsed: Bool

    @usableFromInline
    init(prefix: AddressPrefix, entry: Entry, wasUsed: Bool) {
      self.prefix = prefix
      self.entry = entry
      self.wasUsed = wasUsed
    }
  }

  /// The most prefixes remembered at a time.
  public let capacity: Int
  @usableFromInline var slots: [Slot] = []
  @usableFromInline var places: [AddressPrefix: Int] = [:]
  private var hand = 0

  /// - Parameter capacity: the most prefixes remembered at a time, at least 1.
  public init(capacity: Int) {
    precondition(capacity > 0)
    self.capacity = capacity
  }

  /// How many prefixes are remembered.
  public var count: Int { slots.count }

  /// Lends the entry of a prefix, made anew if there is none. Inlinable, because it is called for
  /// every message, and unspecialized code asks for types' metadata each time.
  @inlinable
  public mutating func update<Result>(
    _ prefix: AddressPrefix, new: @autoclosure () -> Entry, _ change: (inout Entry) -> Result
  ) -> Result {
    if let place = places[prefix] {
      slots[place].wasUsed = true
      return change(&slots[place].entry)
    }
    return change(&slots[makePlace(for: prefix, new())].entry)
  }

  /// Lends every entry.
  public mutating func updateAll(_ change: (inout Entry) -> Void) {
    for index in slots.indices { change(&slots[index].entry) }
  }

  @usableFromInline
  mutating func makePlace(for prefix: AddressPrefix, _ entry: Entry) -> Int {
    let slot = Slot(prefix: prefix, entry: entry, wasUsed: false)
    guard slots.count == capacity else {
      slots.append(slot)
      places[prefix] = slots.count - 1
      return slots.count - 1
    }
    while slots[hand].wasUsed {
      slots[hand].wasUsed = false
      hand = (hand + 1) % capacity
    }
    let place = hand
    hand = (hand + 1) % capacity
    places[slots[place].prefix] = nil
    places[prefix] = place
    slots[place] = slot
    return place
  }
}

extension AddressTable: Sendable where Entry: Sendable {}
extension AddressTable.Slot: Sendable where Entry: Sendable {}
