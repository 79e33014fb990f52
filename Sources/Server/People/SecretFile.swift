import Glibc

/// A file that holds a secret.
struct SecretFile {
  let bytes: [UInt8]
  /// Whether everybody on this machine may read it.
  let isReadableByAll: Bool

  /// Why one can't be read: the system's reason.
  struct Unreadable: Error {
    let reason: String
  }

  /// Why one can't be written: the system's reason.
  struct Unwritable: Error {
    let reason: String
  }

  /// - Parameter most: bytes that are read at most, because a device file must not be read for
  ///   ever.
  init(_ path: String, most: Int) throws(Unreadable) {
    guard let file = fopen(path, "re") else { throw Self.failure() }
    defer { fclose(file) }
    var status = stat()
    guard fstat(fileno(file), &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      throw Unreadable(reason: "it is a folder")
    }
    var buffer = [UInt8](repeating: 0, count: most)
    let count = fread(&buffer, 1, most, file)
    guard ferror(file) == 0 else { throw Self.failure() }
    bytes = Array(buffer[..<count])
    isReadableByAll = status.st_mode & S_IROTH != 0
  }

  /// Writes a secret so that it is there as a whole or not at all, for the owner alone.
  static func write(_ bytes: [UInt8], to path: String) throws(Unwritable) {
    let draft = path + ".new"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Unwritable(reason: reason(errno)) }
    defer { close(file) }
    let written = Glibc.write(file, bytes, bytes.count)
    guard written == bytes.count else {
      // A write that is short without an error has met the end of the disk.
      throw Unwritable(reason: reason(written < 0 ? errno : ENOSPC))
    }
    guard fsync(file) == 0, rename(draft, path) == 0 else {
      throw Unwritable(reason: reason(errno))
    }
  }

  private static func failure() -> Unreadable { Unreadable(reason: reason(errno)) }

  /// What the system says of an error's number.
  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
