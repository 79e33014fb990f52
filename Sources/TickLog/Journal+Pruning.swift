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
  /// the disk. Whatever is kept can be replayed: it begins with a snapshot. The last two snapshots
  /// stay, whatever the limits are, because one of them may be damaged.
  /// - Parameter now: milliseconds since 1970.
  /// - Returns: whether more is to be given up.
  @discardableResult
  public func prune(to limits: JournalLimits, at now: UInt64) throws(JournalError) -> Bool {
    let positions = try snapshotPositions()
    guard positions.count > 2 else { return false }
    let isTooLarge = try byteCount() > limits.bytes
    let oldest = now > limits.age ? now - limits.age : 0
    let young = try read { database in
      try Int64.fetchOne(
        database, sql: "SELECT max(position) FROM snapshot WHERE time < ?",
        arguments: [Int64(clamping: oldest)])
    }
    // A tenth more than has to go, so that it is not every time.
    let forRoom = isTooLarge ? min(max(1, positions.count / 10), Self.mostAtATime) : 0
    let forAge = young.map { limit in positions.count { $0 < UInt64(clamping: limit) } } ?? 0
    let wanted = min(max(forRoom, forAge), positions.count - 2)
    guard wanted > 0 else { return false }
    let given = min(wanted, Self.mostAtATime)
    try prune(before: positions[given])
    return wanted > given || isTooLarge
  }

  /// Gives up everything before the newest snapshot at a position or before it.
  public func prune(before position: UInt64) throws(JournalError) {
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
      _ = try database.writeWithoutTransaction { database in
        try Row.fetchAll(database, sql: "PRAGMA incremental_vacuum(\(Self.pagesAtATime))")
      }
    }
  }

  /// Gives up everything after a position: the journal goes on from there. A group that reaches
  /// beyond it goes as a whole.
  public func prune(after position: UInt64) throws(JournalError) {
    try JournalError.attempt(path) {
      try database.write { database in
        let limit = Int64(clamping: position)
        try database.execute(sql: "DELETE FROM records WHERE last > ?", arguments: [limit])
        let end =
          try Int64.fetchOne(database, sql: "SELECT max(last) FROM records") ?? limit
        try database.execute(
          sql: "DELETE FROM snapshot WHERE position > max(?, ?)", arguments: [end, 0])
        try database.execute(
          sql: "DELETE FROM origin WHERE position > ?", arguments: [limit])
      }
    }
    try readEnd()
  }
}
