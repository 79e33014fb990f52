import GRDB

/// Why the journal can't be opened, read or written, in one line that says what to do.
public enum JournalError: Error, Equatable, CustomStringConvertible {
  /// Another process has the folder; its number if it told it.
  case inUse(String, process: String?)
  /// The folder or a file in it can't be opened, made or locked, for the system's reason.
  case unreachable(String, reason: String)
  /// There is no journal.
  case missing(String)
  /// The file is something else.
  case foreign(String)
  /// It was written by a newer version of this program, in a format that this one doesn't know.
  case newer(String, format: Int)
  /// It can't be read, for a reason and in a place that are told.
  case damaged(String, what: String)
  /// Records are damaged and sound ones follow them: from the first position on, up to the last
  /// that is sound again.
  case damagedMiddle(String, first: UInt64, resumes: UInt64)
  /// None of the snapshots can be used.
  case noSnapshot(String)
  /// It begins with a later tick than the one that was named.
  case tooEarly(String, first: UInt64)
  /// The file that is to be written is there.
  case exists(String)
  /// What should replay the records can't be asked, for a reason.
  case noReplayer(String)
  /// The disk is full.
  case full(String)
  /// The disk has not answered for ten seconds.
  case stuck(String)
  /// The disk refuses to write.
  case unwritable(String, reason: String)
  /// Its world is in another scene than the one that is asked for, and was not made in that either.
  case otherScene(String, has: String, wanted: String)
  /// Its world's stickers are of another set than the one that is asked for, or of none.
  case otherStickers(String)
  /// It was written by a version whose core differs: the same records would make another world.
  case otherCore(String, version: String)
  /// The world that the records make is not the one that was there.
  case diverged(String, position: UInt64)
  /// Ticks were given that don't follow on the last one.
  case outOfOrder(expected: UInt64, given: UInt64)

  public var description: String {
    switch self {
    case .inUse(let path, let process):
      "another server\(process.map { " (process \($0))" } ?? "") uses the data folder \(path): end "
        + "it, or name another folder"
    case .unreachable(let path, let reason): "the data folder \(path) can't be used: \(reason)"
    case .missing(let path): "there is no journal in \(path)"
    case .foreign(let path): "\(path) is not a journal of Sticker Pit; name another folder"
    case .newer(let path, let format):
      "the journal \(path) has format \(format), which is newer than this program: use a newer one"
    case .damaged(let path, let what):
      "the journal in \(path) is damaged (\(what)): 'stickerpit journal check --data \(path)' "
        + "tells more; name another data folder to go on without it"
    case .damagedMiddle(let path, let first, let resumes):
      "the journal in \(path) is damaged from tick \(first) to \(resumes): 'stickerpit journal "
        + "prune --data \(path) --after \(first - 1)' gives up what follows"
    case .noSnapshot(let path):
      "the journal in \(path) has no snapshot that can be used: keep it for a look, and name "
        + "another data folder"
    case .tooEarly(let path, let first):
      "the journal in \(path) begins with tick \(first): name that or a later one"
    case .exists(let path): "\(path) is there already: name another file"
    case .noReplayer(let reason): "nothing can be replayed: \(reason)"
    case .full(let path): "the disk of \(path) is full: make room there, or name another place"
    case .stuck(let path): "the disk of \(path) does not answer: see to it, or name another place"
    case .unwritable(let path, let reason):
      "\(path) can't be written: \(reason); see to its disk, or name another place"
    case .otherScene(let path, let has, let wanted):
      "the journal in \(path) holds the scene \(has): start with '--scene \(has)', or name another "
        + "data folder for \(wanted)"
    case .otherStickers(let path):
      "the journal in \(path) holds a world with other stickers: start with the --stickers that it "
        + "was made with, or without if there were none, or name another data folder"
    case .otherCore(let path, let version):
      "the journal in \(path) was written by version \(version), whose physics differ from this "
        + "one's: 'stickerpit journal upgrade --data \(path)' goes on from its last snapshot"
    case .diverged(let path, let position):
      "the journal in \(path) leads to another world than was there at tick \(position): "
        + "'stickerpit journal prune --data \(path) --after \(position - 1)' goes back before it"
    case .outOfOrder(let expected, let given):
      "the log goes on with tick \(expected), not \(given)"
    }
  }
}

extension JournalError {
  /// Does something with the database of a file.
  static func attempt<Value>(
    _ path: String, _ work: () throws -> Value
  ) throws(JournalError) -> Value {
    do {
      return try work()
    } catch let error as JournalError {
      throw error
    } catch let error as DatabaseError {
      throw JournalError(error, path)
    } catch let error as RowDecodingError {
      throw .damaged(path, what: "a row that can't be read: \(error)")
    } catch {
      throw .unwritable(path, reason: "\(error)")
    }
  }

  private init(_ error: DatabaseError, _ path: String) {
    let reason = error.message ?? "error \(error.resultCode.rawValue) of SQLite"
    self =
      switch error.resultCode {
      case .SQLITE_FULL: .full(path)
      case .SQLITE_BUSY, .SQLITE_LOCKED: .inUse(path, process: nil)
      case .SQLITE_CORRUPT: .damaged(path, what: reason)
      case .SQLITE_NOTADB: .foreign(path)
      case .SQLITE_CANTOPEN, .SQLITE_PERM: .unreachable(path, reason: reason)
      default: .unwritable(path, reason: reason)
      }
  }
}
