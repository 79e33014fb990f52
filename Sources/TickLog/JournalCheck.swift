import GRDB
import Simulation

/// What a look at a whole journal found. The look changes no tick, snapshot or person; but whoever
/// opens a journal has SQLite read its write-ahead log, cut off what is damaged there, and copy the
/// rest into the database when it is closed.
public struct JournalCheck: Sendable, Encodable {
  /// The first and the last tick, by position.
  public let first: UInt64
  public let last: UInt64
  /// When they were written, in milliseconds since 1970.
  public let firstTime: UInt64?
  public let lastTime: UInt64?
  public let ticks: Int
  public let snapshots: Int
  public let people: Int
  public let bytes: Int
  /// The hash of the world at the end; nil if it can't be reached.
  public let hash: String?
  /// What a start would do without, or cut off.
  public let notes: [String]
  /// What keeps it from being used as it is.
  public let problems: [String]
}

extension Journal {
  /// Reads everything: the database's own structure, every group, every snapshot; and follows the
  /// log to its end as a start would.
  public func check() throws(JournalError) -> JournalCheck {
    var problems = try structureProblems()
    var notes = [openingNote].compactMap { $0 }
    let positions = try snapshotPositions()
    let scan = try scanGroups(to: positions.last ?? 0, &problems)
    for position in positions {
      guard let snapshot = try newestSnapshot(upTo: position), snapshot.isSound else {
        notes.append("the snapshot of tick \(position) is damaged")
        continue
      }
    }
    var end: Recovery?
    do throws(JournalError) {
      end = try recover(cutsTail: false)
      notes += end?.notes ?? []
    } catch {
      problems.append("\(error)")
    }
    return JournalCheck(
      first: positions.first ?? 0, last: end?.position ?? last, firstTime: scan.firstTime,
      lastTime: end?.time ?? scan.lastTime, ticks: scan.ticks, snapshots: positions.count,
      people: try people().count, bytes: try byteCount(),
      hash: end.map { String($0.replica.pit.stateHash(), radix: 16) }, notes: notes,
      problems: problems)
  }

  private func structureProblems() throws(JournalError) -> [String] {
    try read { database in
      try String.fetchAll(database, sql: "PRAGMA integrity_check(10)").filter { $0 != "ok" }
    }
  }

  private struct Scan {
    var ticks = 0
    var firstTime: UInt64?
    var lastTime: UInt64?
  }

  /// Damage that recovery doesn't meet, because it starts behind it, is a problem for whoever wants
  /// the past.
  /// - Parameter newest: the newest snapshot. What is damaged behind it, recovery meets.
  private func scanGroups(
    to newest: UInt64, _ problems: inout [String]
  ) throws(JournalError) -> Scan {
    var scan = Scan()
    let starts = Set(
      try origins().filter { $0.beginning == .snapshot }.map(\.position))
    var position = try snapshotPositions().first ?? 0
    var bad: [LogGroup] = []
    while true {
      let groups = try groups(after: position, limit: LogGroup.mostRead)
      for group in groups {
        if group.isSound {
          if let first = bad.first, let last = bad.last {
            problems.append("ticks \(first.first) to \(last.last) are damaged")
            bad.removeAll()
          } else if group.first != position + 1, !starts.contains(group.first - 1) {
            problems.append("ticks \(position + 1) to \(group.first - 1) are missing")
          }
          scan.ticks += group.count
          scan.firstTime = scan.firstTime ?? group.time
          scan.lastTime = group.time
        } else {
          bad.append(group)
        }
        position = group.last
      }
      if groups.count < LogGroup.mostRead { break }
    }
    if let first = bad.first, let last = bad.last, first.first <= newest {
      problems.append("ticks \(first.first) to \(last.last) are damaged")
    }
    if position < newest, !starts.contains(newest) {
      problems.append("ticks \(position + 1) to \(newest) are missing")
    }
    return scan
  }
}
