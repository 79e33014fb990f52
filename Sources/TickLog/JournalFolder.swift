import Foundation
import Glibc

/// The folder that a server keeps its journal and its key in. Whoever has it keeps all others out,
/// until it is let go of or the process ends.
public final class JournalFolder: Sendable {
  public let path: String
  private let lock: Int32

  /// Takes the folder.
  /// - Parameter creates: whether it is made if it is not there.
  /// - Throws: `inUse` while another process has it, `unreachable`, or `missing`.
  public init(_ path: String, creates: Bool) throws(JournalError) {
    self.path = path
    var status = stat()
    if stat(path, &status) != 0 {
      guard errno == ENOENT else { throw .unreachable(path, reason: Self.reason) }
      guard creates else { throw .missing(path) }
      try Self.make(path)
    } else if status.st_mode & S_IFMT != S_IFDIR {
      throw .unreachable(path, reason: "it is no folder")
    }
    lock = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw .unreachable(path, reason: Self.reason) }
    // From here on the file is closed with this object, also when the start of it fails.
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      guard errno == EWOULDBLOCK else { throw .unreachable(path, reason: Self.reason) }
      throw .inUse(path, process: Self.text(lock))
    }
    let own = Array("\(getpid())\n".utf8)
    guard ftruncate(lock, 0) == 0 else { throw .unreachable(path, reason: Self.reason) }
    let written = pwrite(lock, own, own.count, 0)
    guard written == own.count else {
      // A write that is short without an error has met the end of the disk.
      throw written >= 0 || errno == ENOSPC
        ? .full(path) : .unreachable(path, reason: Self.reason)
    }
    try Self.sync(path)
  }

  deinit { close(lock) }

  /// The database.
  public var database: String { path + "/" + Self.databaseName }

  /// Makes the database's file, for its owner alone: everybody's tokens stand in it. SQLite gives
  /// its write-ahead log the same permissions.
  func makeDatabase() throws(JournalError) {
    let file = open(database, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .unreachable(path, reason: Self.reason) }
    close(file)
  }
  static let databaseName = "journal.sqlite"

  /// The key that tokens are signed with, where no other file is named.
  public var tokenKey: String { path + "/token-key" }

  /// Writes a folder's entries through to the disk: until then a power cut may take a new file with
  /// it, however safe its contents are.
  static func sync(_ path: String) throws(JournalError) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .unreachable(path, reason: reason) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw .unwritable(path, reason: reason) }
  }

  private static func make(_ path: String) throws(JournalError) {
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if access(parent, F_OK) != 0 { try make(parent) }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw errno == ENOSPC ? .full(parent) : .unreachable(path, reason: reason)
    }
    try sync(parent)
  }

  private static var reason: String { String(cString: strerror(errno)) }

  private static func text(_ file: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = pread(file, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    let digits = text.prefix { $0.isNumber }
    return digits.isEmpty ? nil : String(digits)
  }
}
