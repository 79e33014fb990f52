import GRDB

/// How much of the past is kept.
public struct JournalLimits: Equatable, Sendable {
  /// Milliseconds for which ticks are kept at least, unless they take too much room.
  public var age: UInt64
  /// Bytes that the journal takes at most, about.
  public var bytes: Int

  public init(age: UInt64, bytes: Int) {
    self.age = age
    self.bytes = bytes
  }
}

extension Journal {
  /// Snapshots whose ticks are given up at a time: each is some hundred rows, and whoever writes
  /// waits meanwhile.
  private static let mostAtATime = 30
  /// Pages that are given back to the disk at a time: 4 MB.
  private static let pagesAtATime = 1000

  /// Gives up what is older than the limits allow, some of it at a time, and gives the room back to
  /// the disk; the write-ahead log is copied back before. Whatever is kept can be replayed: it
  /// begins with a snapshot. The last two snapshots
  /// stay, whatever the limits are, because one of them may be damaged.
  /// - Parameter now: milliseconds since 1970.
  /// - Returns: whether more is to be given up.
  @discardableResult
  public func prune(to limits: JournalLimits, at now: UInt64) throws(JournalError) -> Bool {
    try checkpoint()
    let (isTooLarge, oldest) = (try byteCount() > limits.bytes, now - min(limits.age, now))
    let given = try read { database in
      let newest = try Int64.fetchAll(
        database, sql: "SELECT position FROM snapshot ORDER BY position DESC LIMIT 2")
      // What is younger than the limit can be replayed from the newest that is older.
      let byAge = try Int64.fetchOne(
        database, sql: "SELECT position FROM snapshot WHERE time < ? ORDER BY time DESC LIMIT 1",
        arguments: [Int64(clamping: oldest)])
      let first = try Int64.fetchAll(
        database, sql: "SELECT position FROM snapshot ORDER BY position LIMIT ?",
        arguments: [Self.mostAtATime + 1])
      guard newest.count == 2, first.count > 1 else { return Int64?.none }
      let wanted = min(newest[1], isTooLarge ? max(byAge ?? 0, first[1]) : byAge ?? 0)
      return first.last { $0 <= wanted && $0 > first[0] }
    }
    if let given { try deleteBefore(UInt64(clamping: given)) }
    let hasFree = try giveBackRoom()
    return hasFree || given != nil
  }

  /// Copies the write-ahead log into the database. SQLite would do so by itself and keep it to
  /// itself when that fails, while the log grows.
  func checkpoint() throws(JournalError) {
    try JournalError.attempt(path) {
      try database.writeWithoutTransaction { database in
        _ = try Row.fetchAll(database, sql: "PRAGMA wal_checkpoint(PASSIVE)")
      }
    }
  }

  /// Gives some free pages back to the disk.
  /// - Returns: whether there are more.
  func giveBackRoom() throws(JournalError) -> Bool {
    try JournalError.attempt(path) {
      try database.writeWithoutTransaction { database in
        guard try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0 > 0 else {
          return false
        }
        _ = try Row.fetchAll(database, sql: "PRAGMA incremental_vacuum(\(Self.pagesAtATime))")
        return try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0 > 0
      }
    }
  }

  /// Gives up everything before the newest snapshot at a position or before it, and all the room.
  public func prune(before position: UInt64) throws(JournalError) {
    try deleteBefore(position)
    while try giveBackRoom() {}
    try checkpoint()
  }

  private func deleteBefore(_ position: UInt64) throws(JournalError) {
    try JournalError.attempt(path) {
      try database.write { database in
        guard
          let start = try Int64.fetchOne(
            database, sql: "SELECT max(position) FROM snapshot WHERE position <= ?",
            arguments: [Int64(clamping: position)])
        else { return }
        try database.execute(sql: "DELETE FROM records WHERE last <= ?", arguments: [start])
        try database.execute(sql: "DELETE FROM snapshot WHERE position < ?", arguments: [start])
        // What wrote the first tick that is kept stays.
        try database.execute(
          sql: """
            DELETE FROM origin WHERE id < (SELECT max(id) FROM origin WHERE position <= ?)
            """,
          arguments: [start])
      }
    }
  }

  /// Gives up everything after a position: the journal goes on from there. A group that reaches
  /// beyond it goes as a whole. Throws `tooEarly` if no world would be left to go on with.
  public func prune(after position: UInt64) throws(JournalError) {
    let floor = try origins().last { $0.beginning != .continued && $0.position <= position }
    guard let floor, let start = try newestSnapshot(upTo: position),
      start.position >= floor.position
    else { throw .tooEarly(path, first: try snapshotPositions().first ?? last) }
    try JournalError.attempt(path) {
      try database.write { database in
        for (table, column) in [
          ("records", "last"), ("snapshot", "position"), ("origin", "position"),
        ] {
          try database.execute(
            sql: "DELETE FROM \(table) WHERE \(column) > ?", arguments: [Int64(clamping: position)])
        }
      }
    }
    try readEnd()
  }
}
