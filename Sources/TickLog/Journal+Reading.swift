import Foundation
import GRDB
import Wire

extension Journal {
  public func newestSnapshot(upTo position: UInt64) throws(JournalError) -> LogSnapshot? {
    try read { database in
      try Row.fetchOne(
        database,
        sql: """
          SELECT position, time, link, bytes FROM snapshot WHERE position <= ?
          ORDER BY position DESC LIMIT 1
          """,
        arguments: [Int64(clamping: position)]
      ).map(Self.snapshot)
    }
  }

  public func groups(after position: UInt64, limit: Int) throws(JournalError) -> [LogGroup] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT last, count, time, before, link, bytes FROM records WHERE last > ?
          ORDER BY last LIMIT ?
          """,
        arguments: [Int64(clamping: position), limit]
      ).map(Self.group)
    }
  }

  /// The positions of all snapshots, in ascending order.
  public func snapshotPositions() throws(JournalError) -> [UInt64] {
    try read { database in
      try Int64.fetchAll(database, sql: "SELECT position FROM snapshot ORDER BY position")
        .map { UInt64(clamping: $0) }
    }
  }

  /// What wrote the log, the first first.
  public func origins() throws(JournalError) -> [LogOrigin] {
    let path = path
    return try read { database in
      try Row.fetchAll(
        database,
        sql: "SELECT position, beginning, time, version, core, world FROM origin ORDER BY id"
      ).map { row in
        guard
          let beginning = LogOrigin.Beginning(
            rawValue: Int(clamping: try row.natural("beginning"))),
          let world = WorldSettings(text: try row.text("world"))
        else { throw JournalError.damaged(path, what: "an origin that can't be read") }
        return LogOrigin(
          position: try row.natural("position"), beginning: beginning,
          time: try row.natural("time"), version: try row.text("version"),
          core: try row.pattern("core"), world: world)
      }
    }
  }

  /// Everybody who may come back.
  public func people() throws(JournalError) -> [LoggedPerson] {
    try read { database in
      try Row.fetchAll(
        database, sql: "SELECT number, token, commands, left_at FROM person ORDER BY number"
      ).compactMap(Self.person)
    }
  }

  /// The position of the last tick of the first group whose first tick is of a time or later.
  /// - Parameter time: milliseconds since 1970.
  public func position(at time: UInt64) throws(JournalError) -> UInt64? {
    try read { database in
      try Int64.fetchOne(
        database, sql: "SELECT min(last) FROM records WHERE time >= ?",
        arguments: [Int64(clamping: time)]
      ).map { UInt64(clamping: $0) }
    }
  }

  /// Bytes that the journal takes, without what it could give back.
  public func byteCount() throws(JournalError) -> Int {
    try read { database in
      let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      let free = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
      return (pages - free) * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
    }
  }

  func read<Value>(_ work: (Database) throws -> Value) throws(JournalError) -> Value {
    try JournalError.attempt(path) { try database.read(work) }
  }

  // MARK: Rows

  /// A blob of ours.
  static func blob(_ bytes: [UInt8]) -> Data { Data(bytes) }

  private static func snapshot(_ row: Row) throws -> LogSnapshot {
    var snapshot = LogSnapshot(
      position: try row.natural("position"), time: try row.natural("time"),
      bytes: try row.bytes("bytes"))
    snapshot.isSound = LogLink.of(snapshot) == (try row.pattern("link"))
    return snapshot
  }

  private static func group(_ row: Row) throws -> LogGroup {
    let (last, count) = (try row.natural("last"), Int(clamping: try row.natural("count")))
    let isPlausible = (1...LogGroup.mostTicks).contains(count) && UInt64(count) <= last
    let counted = isPlausible ? count : 1
    var group = LogGroup(
      first: last &+ 1 &- UInt64(counted), count: counted,
      time: try row.natural("time"), records: try row.bytes("bytes"))
    let (before, link) = (try row.pattern("before"), try row.pattern("link"))
    group.links = (link, before)
    group.isSound = isPlausible && LogLink.after(before, group) == link
    return group
  }

  /// nil for a row that no version wrote: whoever it was comes back as somebody new.
  private static func person(_ row: Row) throws -> LoggedPerson? {
    let token = try row.bytes("token")
    guard token.count == 16, let number = UInt16(exactly: try row.natural("number")),
      let commands = UInt32(exactly: try row.natural("commands"))
    else { return nil }
    let halves = [token[..<8], token[8...]].map { half in
      half.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    return LoggedPerson(
      number: number, token: SessionToken(low: halves[0], high: halves[1]), commands: commands,
      leftAt: try row.decode(Int64?.self, forColumn: "left_at").map { UInt64(clamping: $0) })
  }
}

/// Columns that throw where a damaged database has something else in them.
extension Row {
  /// A number from 0 on.
  func natural(_ column: String) throws -> UInt64 {
    UInt64(clamping: try decode(Int64.self, forColumn: column))
  }

  /// 64 bits.
  func pattern(_ column: String) throws -> UInt64 {
    UInt64(bitPattern: try decode(Int64.self, forColumn: column))
  }

  func bytes(_ column: String) throws -> [UInt8] {
    Array(try decode(Data.self, forColumn: column))
  }

  func text(_ column: String) throws -> String { try decode(String.self, forColumn: column) }
}
