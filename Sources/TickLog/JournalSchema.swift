import GRDB

/// How much a power cut may take; a process that ends takes nothing that was written either way.
public enum Durability: String, CaseIterable, Sendable {
  /// Each group is on the disk before the next is written.
  case full
  /// SQLite lets the disk write when it likes and keeps the order: a power cut takes seconds.
  case normal
  /// Nothing is waited for: a power cut may take the whole journal.
  case off
}

/// The database's form, and how it is opened.
enum JournalSchema {
  /// "STKP", by which `file` and we know the database.
  static let applicationID = 0x5354_4B50
  /// The form's version.
  static let format = 1
  /// Bytes that the write-ahead log keeps after it was copied back: more than it grows to between
  /// two checkpoints, which are ten seconds apart.
  private static let mostLogBytes = 8 << 20

  /// `link` ties a group to the one before (`LogLink`); `before` is that one's link, told again so
  /// that a group can be checked by itself.
  private static let tables = """
    CREATE TABLE origin (
      id INTEGER PRIMARY KEY, position INTEGER NOT NULL, beginning INTEGER NOT NULL,
      time INTEGER NOT NULL, version TEXT NOT NULL, core INTEGER NOT NULL, world TEXT NOT NULL
    ) STRICT;
    CREATE TABLE snapshot (
      position INTEGER PRIMARY KEY, time INTEGER NOT NULL, link INTEGER NOT NULL,
      bytes BLOB NOT NULL
    ) STRICT;
    CREATE INDEX snapshot_time ON snapshot (time);
    CREATE TABLE records (
      last INTEGER PRIMARY KEY, count INTEGER NOT NULL, time INTEGER NOT NULL,
      before INTEGER NOT NULL, link INTEGER NOT NULL, bytes BLOB NOT NULL
    ) STRICT;
    CREATE TABLE person (
      number INTEGER PRIMARY KEY, token BLOB NOT NULL, commands INTEGER NOT NULL, left_at INTEGER
    ) STRICT;
    """

  /// One connection, which nobody else has beside it: the write-ahead log of SQLite 3.7 to 3.51.2
  /// may lose commits when two connections reset it (sqlite.org/wal.html), and alone none needs
  /// shared memory.
  static func configuration(_ durability: Durability, isReadOnly: Bool = false) -> Configuration {
    var configuration = Configuration()
    configuration.label = "journal"
    configuration.readonly = isReadOnly
    guard !isReadOnly else { return configuration }
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      // It is kept in the file, and to say it again would write there.
      if try Int.fetchOne(database, sql: "PRAGMA page_count") == 0 {
        try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
      }
      try database.execute(
        sql: """
          PRAGMA journal_mode = WAL;
          PRAGMA synchronous = \(durability.rawValue.uppercased());
          PRAGMA wal_autocheckpoint = 0;
          PRAGMA journal_size_limit = \(mostLogBytes);
          PRAGMA temp_store = MEMORY;
          """)
    }
    return configuration
  }

  /// A file that is worth nothing until it is whole: nothing is waited for on the way.
  static var exportConfiguration: Configuration {
    var configuration = Configuration()
    configuration.label = "export"
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
    }
    return configuration
  }

  /// Checks that the database is ours, and gives a new one its tables.
  static func prepare(_ database: Database, path: String) throws {
    let id = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    let hasTables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0 > 0
    if id == 0, !hasTables {
      try database.execute(
        sql: """
          PRAGMA application_id = \(applicationID);
          PRAGMA user_version = \(format);
          \(tables)
          """)
      return
    }
    guard id == applicationID else { throw JournalError.foreign(path) }
    let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    guard found <= format else { throw JournalError.newer(path, format: found) }
  }
}
