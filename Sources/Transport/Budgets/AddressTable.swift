// Collections that go by address: what remembers, what gives turns, and who is here.

import DequeModule

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

/// A queue with turns for addresses: each gets one after the other, however many wait behind it.
///
/// A crowd of one address makes its own line longer and nobody else's: with n addresses waiting,
/// the first of each is among the next n.
struct FairQueue<Element> {
  private var lines: [AddressPrefix: Deque<Element>] = [:]
  /// Addresses with somebody in their line, the next one first.
  private var turns: Deque<AddressPrefix> = []

  private(set) var count = 0

  /// Puts an element at the end of its address's line.
  mutating func append(_ element: Element, of prefix: AddressPrefix) {
    if lines[prefix] == nil { turns.append(prefix) }
    lines[prefix, default: []].append(element)
    count += 1
  }

  /// Takes the first of the address whose turn it is.
  mutating func popFirst() -> Element? {
    guard let prefix = turns.popFirst() else { return nil }
    let element = lines[prefix]!.removeFirst()
    count -= 1
    if lines[prefix]!.isEmpty {
      lines[prefix] = nil
    } else {
      turns.append(prefix)
    }
    return element
  }

  /// Takes the last of an address's line, if there is one: a walk over the addresses if it was the
  /// only one.
  mutating func popLast(of prefix: AddressPrefix) -> Element? {
    guard let element = lines[prefix]?.popLast() else { return nil }
    count -= 1
    if lines[prefix]!.isEmpty {
      lines[prefix] = nil
      turns.remove(at: turns.firstIndex(of: prefix)!)
    }
    return element
  }
}

/// Who can stand in a ``Roster``.
protocol RosterMember: AnyObject {
  var addressPrefix: AddressPrefix { get }
  /// Place in the roster, or -1: leaving it needs no search. Only the roster sets it.
  var place: Int { get set }
}

/// Everybody of one kind who is connected, and how many of them each address has.
struct Roster<Member: RosterMember> {
  private(set) var all: [Member] = []
  private var counts: [AddressPrefix: Int] = [:]

  var count: Int { all.count }

  func count(of prefix: AddressPrefix) -> Int { counts[prefix, default: 0] }

  /// An address that has as many as any other: a walk over all addresses.
  var largestAddress: AddressPrefix? { counts.max { $0.value < $1.value }?.key }

  mutating func insert(_ member: Member) {
    assert(member.place < 0, "it stands in a roster already")
    member.place = all.count
    all.append(member)
    counts[member.addressPrefix, default: 0] += 1
  }

  /// - Returns: whether it stood here.
  @discardableResult
  mutating func remove(_ member: Member) -> Bool {
    guard member.place >= 0 else { return false }
    assert(all[member.place] === member)
    let last = all.removeLast()
    if last !== member {
      all[member.place] = last
      last.place = member.place
    }
    member.place = -1
    let left = counts[member.addressPrefix, default: 1] - 1
    counts[member.addressPrefix] = left == 0 ? nil : left
    return true
  }
}
