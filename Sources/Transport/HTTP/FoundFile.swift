import Glibc

/// A regular file that is open for reading. Whoever opened it closes its descriptor.
struct FoundFile {
  let descriptor: Int32
  let size: Int
  /// When it was changed, in nanoseconds since 1970.
  let changed: Int

  /// Throws 404 when there is none, and 503 when no descriptor is left for it.
  init(path: String) throws(RequestRefusal) {
    let number = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else {
      let isFull = errno == EMFILE || errno == ENFILE
      throw isFull ? RequestRefusal(503, "too much is open: try again") : WebFolder.nothingHere
    }
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(number)
      throw WebFolder.nothingHere
    }
    (descriptor, size) = (number, Int(status.st_size))
    changed = Self.changed(status)
  }

  /// Another one whenever size or time of change are others.
  var version: String { Self.version(size: size, changed: changed) }

  /// The version of the file of that name as it is now; nil if there is none.
  static func version(ofFileAt path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return version(size: Int(status.st_size), changed: changed(status))
  }

  /// When an open file was changed last, in nanoseconds since 1970; nil if that can't be told.
  static func changed(_ descriptor: Int32) -> Int? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? changed(status) : nil
  }

  /// All of a file of which nothing was read yet; nil if it can't be read.
  func contents() -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let more = Glibc.read(descriptor, buffer.baseAddress! + count, size - count)
        guard more > 0 else { break }
        count += more
      }
    }
    return bytes.count == size ? bytes : nil
  }

  private static func changed(_ status: stat) -> Int {
    status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
  }

  private static func version(size: Int, changed: Int) -> String {
    "\(String(changed, radix: 36))-\(String(size, radix: 36))"
  }
}
