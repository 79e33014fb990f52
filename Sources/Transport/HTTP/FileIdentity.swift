import Glibc

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
