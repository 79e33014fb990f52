import Wire

/// Whose pit it is where one person tilts at a time: ten seconds each, in the order in which people
/// began to tilt, and then to the end of the line.
///
/// It counts ticks of the simulation and knows nothing else of time. Who stops tilting or leaves
/// gives the pit up at once, and begins at the end of the line when they come back.
struct Captaincy: Sendable {
  /// How long the pit is one person's: 600 ticks, ten seconds.
  static let turnTicks: UInt32 = 600

  /// Whose pit it is, and from which tick on it is the next one's; nil while nobody tilts.
  private(set) var captain: Captain?
  /// Who tilts and waits, the next one first. No more than there are connections.
  private var line: [UInt16] = []

  /// Somebody begins to tilt, who did not: they wait for their turn.
  mutating func add(_ person: UInt16) {
    assert(captain?.person != person && !line.contains(person))
    line.append(person)
  }

  /// Somebody no longer tilts.
  mutating func remove(_ person: UInt16) {
    line.removeAll { $0 == person }
    if captain?.person == person { captain = nil }
  }

  /// Passes the pit on when it is time to. Who tilts alone keeps it.
  mutating func advance(to tick: UInt32) {
    if let captain {
      guard tick.ticks(since: captain.ends) >= 0 else { return }
      line.append(captain.person)
    }
    captain =
      line.isEmpty
      ? nil : Captain(person: line.removeFirst(), ends: tick &+ Captaincy.turnTicks)
  }
}
