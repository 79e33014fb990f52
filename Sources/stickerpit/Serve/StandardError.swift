import Foundation
import Glibc

/// Standard error without the C library's stream of that name: a write that nobody reads would keep
/// the stream locked, and the end of the process may wait for that lock.
struct StandardError: TextOutputStream, Sendable {
  func write(_ text: String) {
    // There is nowhere left to say that this failed.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Whether it takes anything now, or within a quarter of a second.
  static var hasRoom: Bool {
    var question = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
    return poll(&question, 1, 250) != 0
  }

  /// From now on a pipe or a terminal takes what it has room for, and whoever writes to it waits
  /// for nobody.
  ///
  /// The shell that started the process may have the same one open, and whether it waits is not to
  /// be changed for it. So standard error is opened anew, which is another way to the same place.
  static func waitForNobody() {
    var status = stat()
    // A file keeps nobody waiting, and opened anew it would be written from its beginning.
    guard fstat(2, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    if lead(to: Glibc.open("/proc/self/fd/2", flags)) { return }
    if isatty(2) == 0 {
      // A socket, which can't be opened anew: whoever shares it has the flag, too.
      _ = fcntl(2, F_SETFL, fcntl(2, F_GETFL) | O_NONBLOCK)
    } else if !hasRoom {
      // A terminal of somebody else, which only its owner may open.
      _ = lead(to: Glibc.open("/dev/null", flags))
    }
  }

  /// Has standard error lead to what a descriptor does, and closes that.
  /// - Parameter descriptor: negative if it could not be opened.
  /// - Returns: whether it could.
  private static func lead(to descriptor: Int32) -> Bool {
    guard descriptor >= 0 else { return false }
    let result = dup2(descriptor, 2)
    close(descriptor)
    return result == 2
  }
}
