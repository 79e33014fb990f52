import DequeModule

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
