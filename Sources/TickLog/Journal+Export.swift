import Foundation
import Simulation

extension Journal {
  /// Writes a stretch of the log to a file of its own, with which anybody can replay it: from the
  /// snapshot at `start` or before it, through the group that holds `end`. People and their tokens
  /// stay here.
  /// - Returns: the position of the snapshot, and that of the last tick.
  public func export(
    to file: String, from start: UInt64, through end: UInt64
  ) throws(JournalError) -> (first: UInt64, last: UInt64) {
    guard !FileManager.default.fileExists(atPath: file) else { throw .exists(file) }
    let snapshot = try soundSnapshot(upTo: start)
    let copy = try Journal(exporting: file)
    do throws(JournalError) {
      try copy.take(from: self, snapshot, through: end)
      try copy.close()
    } catch {
      try? FileManager.default.removeItem(atPath: file)
      throw error
    }
    return (snapshot.position, copy.last)
  }

  private func soundSnapshot(upTo position: UInt64) throws(JournalError) -> LogSnapshot {
    var position = position
    while let snapshot = try newestSnapshot(upTo: position) {
      if snapshot.isSound { return snapshot }
      guard snapshot.position > 0 else { break }
      position = snapshot.position - 1
    }
    guard let first = try snapshotPositions().first else { throw .noSnapshot(path) }
    throw .tooEarly(path, first: first)
  }

  private func take(
    from journal: Journal, _ snapshot: LogSnapshot, through end: UInt64
  ) throws(JournalError) {
    var entry = LogEntry()
    let origins = try journal.origins()
    guard var origin = origins.last(where: { $0.position <= snapshot.position }) ?? origins.first
    else { throw .noSnapshot(journal.path) }
    (origin.position, origin.beginning) = (snapshot.position, .snapshot)
    (entry.origin, entry.snapshot) = (origin, snapshot)
    try append(entry)
    let later = origins.filter { $0.position > snapshot.position && $0.position <= end }
    var starts = later[...]
    var snapshots = try journal.snapshotPositions().filter {
      $0 > snapshot.position && $0 <= end
    }[...]
    while last < end {
      let groups = try journal.groups(after: last, limit: LogGroup.mostRead)
      guard !groups.isEmpty else { return }
      for group in groups {
        guard last < end else { return }
        while let next = starts.first, next.position < group.first {
          try takeOrigin(next, from: journal, &snapshots)
          starts.removeFirst()
        }
        guard group.isSound else {
          throw .damaged(journal.path, what: "ticks \(group.first) to \(group.last)")
        }
        var entry = LogEntry()
        entry.groups = [group]
        if snapshots.first == group.last {
          snapshots.removeFirst()
          let snapshot = try journal.newestSnapshot(upTo: group.last)
          entry.snapshot = snapshot?.isSound == true ? snapshot : nil
        }
        try append(entry)
      }
    }
  }

  private func takeOrigin(
    _ origin: LogOrigin, from journal: Journal, _ snapshots: inout ArraySlice<UInt64>
  ) throws(JournalError) {
    var entry = LogEntry()
    entry.origin = origin
    if origin.beginning == .snapshot {
      guard let snapshot = try journal.newestSnapshot(upTo: origin.position), snapshot.isSound
      else { throw .damaged(journal.path, what: "the snapshot of tick \(origin.position)") }
      entry.snapshot = snapshot
      snapshots = snapshots.drop { $0 <= origin.position }
    }
    try append(entry)
  }
}
