import DequeModule
import Transport
import Wire

/// People who left and may come back, in the order in which they left, all of them and by address.
struct AbsentPeople: Sendable {
  private struct Absence {
    let person: PersonRecord
    let address: AddressPrefix
    let expires: UInt64
  }

  /// Somebody left. The entry is void when they come back, also if they leave again later.
  private typealias Entry = (token: SessionToken, expires: UInt64)

  private var absences: [SessionToken: Absence] = [:]
  private var entries: Deque<Entry> = []
  /// The entries of each address again, and how many of its people are absent.
  private var lines: [AddressPrefix: (entries: Deque<Entry>, count: Int)] = [:]

  /// Entries that are kept, void ones too.
  var entryCount: Int { entries.count }

  /// Somebody of an address has left, and may come back until `expires`.
  mutating func insert(_ person: PersonRecord, of address: AddressPrefix, expires: UInt64) {
    let token = person.token
    assert(absences[token] == nil, "nobody leaves twice")
    absences[token] = Absence(person: person, address: address, expires: expires)
    entries.append((token, expires))
    lines[address, default: ([], 0)].entries.append((token, expires))
    lines[address]!.count += 1
    forgetVoid(&entries, counting: absences.count)
    forgetVoid(&lines[address]!.entries, counting: lines[address]!.count)
  }

  /// People who come and leave all the time have many void entries: these are forgotten.
  private func forgetVoid(_ line: inout Deque<Entry>, counting count: Int) {
    guard line.count > 2 * count + 64 else { return }
    line.removeAll { !counts($0) }
  }

  /// Whether somebody with this token is away.
  func contains(_ token: SessionToken) -> Bool { absences[token] != nil }

  /// The person with this token is back.
  mutating func remove(_ token: SessionToken) -> PersonRecord? {
    guard let absence = absences.removeValue(forKey: token) else { return nil }
    lines[absence.address]!.count -= 1
    if lines[absence.address]!.count == 0 { lines[absence.address] = nil }
    return absence.person
  }

  /// Takes all whose numbers are of a block, in the order of these, so that a run can be repeated.
  /// A walk over everybody who is absent.
  mutating func removeAll(in block: NumberBlock) -> [PersonRecord] {
    let theirs = absences.filter { block.numbers.contains($0.value.person.id) }
    return theirs.keys.compactMap { remove($0) }.sorted { $0.id < $1.id }
  }

  /// Takes somebody whose time is over.
  mutating func popExpired(at now: UInt64) -> PersonRecord? {
    while let first = entries.first, first.expires <= now {
      entries.removeFirst()
      if counts(first) { return remove(first.token) }
    }
    return nil
  }

  /// Takes the one who has been away longest, of the address from which most people are: so a crowd
  /// that comes and leaves from one address takes nobody else's place. A walk over the addresses.
  mutating func popLongestOfLargest() -> PersonRecord? {
    // Of equal ones the one whose entries begin first, so that a run can be repeated.
    let largest = lines.max {
      ($0.value.count, $1.value.entries[0].expires)
        < ($1.value.count, $0.value.entries[0].expires)
    }
    guard let address = largest?.key else { return nil }
    while let first = lines[address]!.entries.popFirst() {
      if counts(first) { return remove(first.token) }
    }
    preconditionFailure("an address in the list has somebody who is absent")
  }

  private func counts(_ entry: Entry) -> Bool {
    absences[entry.token]?.expires == entry.expires
  }
}
