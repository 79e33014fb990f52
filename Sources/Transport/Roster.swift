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
