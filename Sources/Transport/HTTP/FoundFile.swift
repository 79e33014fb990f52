import Glibc

/// A regular file that is open for reading. Whoever opened it closes its descriptor.
struct FoundFile {
  let descriptor: Int32
  /// As it was when it was opened.
  let identity: FileIdentity

  /// Throws when there is none, or it can't be opened now.
  init(path: String) throws(FileTrouble) {
    let number = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw FileTrouble(code: errno) }
    var status = stat()
    guard fstat(number, &status) == 0 else {
      let trouble = FileTrouble(code: errno)
      close(number)
      throw trouble
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(number)
      throw FileTrouble.missing
    }
    descriptor = number
    identity = FileIdentity(status)
  }

  /// In bytes.
  var size: Int { identity.size }

  /// Another one whenever size or time of change are others. The same on every machine that has the
  /// file with its time.
  var version: String {
    "\(String(identity.changed, radix: 36))-\(String(identity.size, radix: 36))"
  }

  /// Whether its bytes are those that it had when it was opened.
  var isUnchanged: Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    let now = FileIdentity(status)
    if now == identity { return true }
    // When another file takes its name it is touched, too, and keeps its bytes.
    let isNameless = status.st_nlink == 0
    return isNameless && now.mayHaveBytes(of: identity)
  }

  /// All of it, however much of it was read before, which is read on from the same place; nil if it
  /// can't be read.
  func contents() -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let more = pread(descriptor, buffer.baseAddress! + count, size - count, off_t(count))
        guard more > 0 else { break }
        count += more
      }
    }
    return bytes.count == size ? bytes : nil
  }
}
