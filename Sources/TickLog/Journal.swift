import GRDB
import Wire

/// The log on this machine's disk: a database of SQLite.
///
///     let journal = try Journal(JournalFolder("data", creates: true), durability: .full)
///     if let recovery = try journal.recover() { … }
///     try journal.append(entry)
///
/// Written by one thread at a time; `@unchecked Sendable` because any may read: only the database,
/// which has a lock of its own, is asked then.
public final class Journal: LogHome, @unchecked Sendable {
  /// The data folder, or the exported file, for messages.
  public let path: String
  let database: DatabaseQueue
  /// Held until the journal is closed.
  private var folder: JournalFolder?
  public private(set) var last: UInt64 = 0
  /// The link of the last group.
  private var link: UInt64 = 0
  /// What was damaged at its end when it was opened, and is gone, in words; nil for nothing.
  public let openingNote: String?
  /// Whether there is nothing in it yet.
  public private(set) var isNew = true

  /// Opens the journal of a folder, or makes one.
  public init(_ folder: JournalFolder, durability: Durability) throws(JournalError) {
    self.folder = folder
    let path = folder.path
    self.path = path
    openingNote = WriteAheadLog(folder.database + "-wal").note
    try folder.makeDatabase()
    database = try JournalError.attempt(path) {
      let queue = try DatabaseQueue(
        path: folder.database, configuration: JournalSchema.configuration(durability))
      try queue.write { try JournalSchema.prepare($0, path: path) }
      return queue
    }
    try JournalFolder.sync(folder.path)
    try readEnd()
  }

  /// Opens a file that `export` wrote, to read it.
  public init(exported path: String) throws(JournalError) {
    folder = nil
    openingNote = nil
    self.path = path
    database = try JournalError.attempt(path) {
      let queue = try DatabaseQueue(
        path: path, configuration: JournalSchema.configuration(.off, isReadOnly: true))
      try queue.read { try JournalSchema.prepare($0, path: path) }
      return queue
    }
    try readEnd()
  }

  /// Makes a file for an export.
  init(exporting path: String) throws(JournalError) {
    folder = nil
    openingNote = nil
    self.path = path
    let settings = JournalSchema.exportConfiguration
    database = try JournalError.attempt(path) {
      let queue = try DatabaseQueue(path: path, configuration: settings)
      try queue.write { try JournalSchema.prepare($0, path: path) }
      return queue
    }
  }

  /// Closes the database; nothing may be asked of it any more.
  public func close() throws(JournalError) {
    try JournalError.attempt(path) { try database.close() }
    folder = nil
  }

  func readEnd() throws(JournalError) {
    let end = try JournalError.attempt(path) {
      try database.read { database in
        (
          group: try Row.fetchOne(
            database, sql: "SELECT last, link FROM records ORDER BY last DESC LIMIT 1"
          ).map { (last: try $0.natural("last"), link: try $0.pattern("link")) },
          snapshot: try Int64.fetchOne(database, sql: "SELECT max(position) FROM snapshot"),
          origin: try Int64.fetchOne(database, sql: "SELECT max(position) FROM origin")
        )
      }
    }
    isNew = end.origin == nil
    let others = [end.snapshot, end.origin].compactMap { $0 }.map { UInt64(clamping: $0) }
    last = max(end.group?.last ?? 0, others.max() ?? 0)
    link = end.group?.link ?? 0
  }

  // MARK: Writing

  public func append(_ entry: LogEntry) throws(JournalError) {
    guard !entry.isEmpty else { return }
    let (end, endLink) = try followed(entry)
    let (path, before) = (path, link)
    try JournalError.attempt(path) {
      try database.write { try Self.write(entry, behind: before, in: $0) }
    }
    (last, link) = (end, endLink)
    if entry.origin != nil { isNew = false }
  }

  /// Where the entry ends; throws if it doesn't follow.
  private func followed(_ entry: LogEntry) throws(JournalError) -> (last: UInt64, link: UInt64) {
    var (end, endLink) = (last, link)
    if let origin = entry.origin {
      guard origin.position >= end, origin.beginning != .continued || origin.position == end
      else { throw .outOfOrder(expected: end, given: origin.position) }
      end = origin.position
    }
    for group in entry.groups {
      guard group.first == end + 1 else { throw .outOfOrder(expected: end + 1, given: group.first) }
      end = group.last
      endLink = LogLink.after(endLink, group)
    }
    if let snapshot = entry.snapshot, snapshot.position != end,
      snapshot.position != last, !entry.groups.contains(where: { $0.last == snapshot.position })
    {
      throw .outOfOrder(expected: end, given: snapshot.position)
    }
    return (end, endLink)
  }

  private static func write(_ entry: LogEntry, behind before: UInt64, in database: Database) throws
  {
    if let origin = entry.origin {
      try database.execute(
        sql: """
          INSERT INTO origin (position, beginning, time, version, core, world)
          VALUES (?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          Int64(origin.position), origin.beginning.rawValue, Int64(origin.time), origin.version,
          Int64(bitPattern: origin.core), origin.world.text,
        ])
    }
    var before = before
    let insert = try database.cachedStatement(
      sql: """
        INSERT INTO records (last, count, time, before, link, bytes) VALUES (?, ?, ?, ?, ?, ?)
        """)
    for group in entry.groups {
      let link = LogLink.after(before, group)
      try insert.execute(arguments: [
        Int64(group.last), group.count, Int64(group.time), Int64(bitPattern: before),
        Int64(bitPattern: link), blob(group.records),
      ])
      before = link
    }
    if let snapshot = entry.snapshot {
      try database.execute(
        sql: "INSERT OR REPLACE INTO snapshot (position, time, link, bytes) VALUES (?, ?, ?, ?)",
        arguments: [
          Int64(snapshot.position), Int64(snapshot.time),
          Int64(bitPattern: LogLink.of(snapshot)), blob(snapshot.bytes),
        ])
    }
    for person in entry.people { try write(person, in: database) }
  }

  private static func write(_ person: LoggedPerson, in database: Database) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO person (number, token, commands, left_at) VALUES (?, ?, ?, ?)",
      arguments: [
        Int(person.number), blob((0..<16).map(person.token.byte)), Int64(person.commands),
        person.leftAt.map(Int64.init),
      ])
  }
}

extension Journal {
  /// Forgets everybody but these: their time to come back is over.
  public func keepPeople(_ numbers: [UInt16]) throws(JournalError) {
    let kept = Set(numbers.map(Int64.init))
    try JournalError.attempt(path) {
      try database.write { database in
        let all = try Int64.fetchAll(database, sql: "SELECT number FROM person")
        for number in all where !kept.contains(number) {
          try database.execute(sql: "DELETE FROM person WHERE number = ?", arguments: [number])
        }
      }
    }
  }
}
