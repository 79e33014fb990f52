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

  private static func failure() -> Unreadable {
    Unreadable(reason: String(cString: strerror(errno)))
  }
}
