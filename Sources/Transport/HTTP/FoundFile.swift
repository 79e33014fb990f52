// A file that is to be sent: open for reading, known again, or why it can't be opened.

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

/// What the file system tells of a file, so that another one in its place, or other bytes in it,
/// are found out without reading it. Size and time of change alone can be those of another file:
/// whoever packs files may give all of them one time.
struct FileIdentity: Equatable, Sendable {
  /// In bytes.
  let size: Int
  /// When its bytes were changed, in nanoseconds since 1970. Anybody may set it, as `cp -p` does.
  let changed: Int
  /// When its bytes, its name, its rights or the time above were changed, in nanoseconds since
  /// 1970. The kernel alone sets it.
  let touched: Int
  /// Its number among the files of its disk.
  let inode: UInt64

  init(_ status: stat) {
    size = Int(status.st_size)
    changed = Self.nanoseconds(status.st_mtim)
    touched = Self.nanoseconds(status.st_ctim)
    inode = UInt64(status.st_ino)
  }

  /// That of the file of that name as it is now. Throws when there is none, or it can't be told.
  init(ofFileAt path: String) throws(FileTrouble) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileTrouble(code: errno) }
    self.init(status)
  }

  /// Whether another file of that name has size and time of change of this one: then its bytes may
  /// be the same. They are as a rule when only its rights, its names or its place on the disk are
  /// others, as after `chmod`, `cp -al` or a copy that keeps times.
  func mayHaveBytes(of other: FileIdentity) -> Bool {
    size == other.size && changed == other.changed
  }

  private static func nanoseconds(_ time: timespec) -> Int {
    Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }
}

/// Why a file is not opened.
enum FileTrouble: Error, Equatable {
  /// There is none of that name.
  case missing
  /// There may be one: the number is that of the system's error (`errno`).
  case unreadable(Int32)

  /// It is being changed, or can't be read: who asks again is told more.
  static let uncertain: FileTrouble = .unreadable(EAGAIN)

  /// - Parameter code: the system's error (`errno`).
  init(code: Int32) {
    self = code == ENOENT || code == ENOTDIR ? .missing : .unreadable(code)
  }

  /// Those that end by themselves, once others have closed files or the disk answers again.
  private static let passing: [Int32] = [EMFILE, ENFILE, ENOMEM, EINTR, EAGAIN, EIO]

  /// What somebody is answered who asks for any file: 503 for trouble that passes, 404 for all
  /// other, such as a name that is too long or a file that may not be read.
  var refusal: RequestRefusal {
    guard case .unreadable(let code) = self, Self.passing.contains(code) else {
      return WebFolder.nothingHere
    }
    return WebFolder.notNow
  }
}
