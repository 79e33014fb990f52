import Glibc

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
