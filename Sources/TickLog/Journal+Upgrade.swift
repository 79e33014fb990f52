import Simulation

extension Journal {
  /// Whether this program can go on with the log: the same core wrote its end.
  public func isOurs() throws(JournalError) -> Bool {
    guard let origin = try origins().last else { return true }
    return origin.core == CoreVersion.goldens
  }

  /// Lets this program go on with a log that one with another core wrote: from its last snapshot
  /// that can be used. The ticks behind it can be replayed by the other program only, and are given
  /// up; after an orderly end there are none.
  /// - Parameters:
  ///   - version: this program's.
  ///   - now: milliseconds since 1970.
  /// - Returns: the position from which the log goes on, and how many ticks are given up.
  public func upgrade(
    version: String, at now: UInt64
  ) throws(JournalError) -> (position: UInt64, lost: UInt64) {
    guard var origin = try origins().last else { throw .missing(path) }
    var notes: [String] = []
    let floor = try origins().last { $0.beginning != .continued }?.position ?? 0
    let snapshot = try usableSnapshot(from: floor, &notes).snapshot
    let lost = last - snapshot.position
    if lost > 0 { try prune(after: snapshot.position) }
    (origin.position, origin.beginning) = (snapshot.position, .snapshot)
    (origin.time, origin.version, origin.core) = (now, version, CoreVersion.goldens)
    var entry = LogEntry()
    (entry.origin, entry.snapshot) = (origin, snapshot)
    try append(entry)
    return (snapshot.position, lost)
  }
}
