import Transport
import Wire

/// What the host does to people. Each call is one moment for all threads: whoever is removed can't
/// be back before the connection has ended.
extension Directory {
  /// Somebody to whom something was done, and the thread that has yet to do the rest.
  struct Touched: Equatable {
    let person: Person
    let thread: Int
  }

  /// Changes whom the host lets in.
  func changeGate<Result>(_ change: (inout Gate) -> Result) -> Result {
    state.withLock { change(&$0.gate) }
  }

  /// Removes somebody: from now on nobody sees the person, and the token is void. The thread is to
  /// end the connection. Nil if nobody of that number is here.
  func remove(_ number: UInt16) -> Touched? {
    state.withLock { state in
      let removed = state.remove(number, because: .removed)
      if removed != nil { state.hostsChanges += 1 }
      return removed
    }
  }

  /// Keeps an address out, and removes everybody who is here from there.
  /// - Parameters:
  ///   - minutes: for how long.
  ///   - now: monotonic nanoseconds.
  /// - Returns: who was removed; nil when there are too many bans.
  func ban(_ address: ClientAddress, minutes: Int, at now: UInt64) -> [Touched]? {
    state.withLock { state in
      guard state.gate.bans.add(address.prefix, address.text, minutes: minutes, at: now) else {
        return nil
      }
      let theirs = state.present.filter { $0.value.address.prefix == address.prefix }
      let removed = theirs.keys.sorted().compactMap { state.remove($0, because: .removed) }
      if !removed.isEmpty { state.hostsChanges += 1 }
      return removed
    }
  }

  /// Gives somebody another name, which is kept as long as the person. Nil if nobody of that number
  /// is here.
  /// - Parameter isHidden: whether the name only hides the one before.
  func rename(_ number: UInt16, to name: Name, isHidden: Bool) -> Touched? {
    state.withLock { state in
      guard let presence = state.present[number], presence.removal == nil else {
        return nil
      }
      state.ownChanges += 1
      state.hostsChanges += 1
      state.present[number]!.person.name = name
      state.present[number]!.isHidden = isHidden
      return Touched(person: state.present[number]!.person, thread: presence.thread)
    }
  }

  /// From where somebody's connection comes; nil if nobody of that number is here.
  func address(of number: UInt16) -> ClientAddress? {
    state.withLock { state in
      state.present[number].flatMap { $0.removal == nil ? $0.address : nil }
    }
  }

  /// How many are here, and the newest of them, the newest first.
  func listForHost(_ most: Int) -> (count: Int, newest: [Presence]) {
    state.withLock { ($0.count, $0.newest(most)) }
  }
}

extension Directory.State {
  /// Removes somebody; nil if nobody of that number is here.
  mutating func remove(_ number: UInt16, because cause: EndCause) -> Directory.Touched? {
    guard let presence = present[number], presence.removal == nil else { return nil }
    ownChanges += 1
    if presence.counts { uncounted += 1 }
    present[number]!.removal = cause
    byToken[presence.token] = nil
    return Directory.Touched(person: presence.person, thread: presence.thread)
  }
}

extension Directory.Presence {
  /// A person's record with what the host has changed since.
  func updated(_ person: PersonRecord) -> PersonRecord {
    var person = person
    person.identity = self.person
    person.isHidden = isHidden
    return person
  }
}
