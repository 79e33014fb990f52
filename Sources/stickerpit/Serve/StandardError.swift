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

  /// From now on a pipe takes what it has room for, and whoever writes to it waits for nobody.
  static func waitForNobody() {
    _ = fcntl(2, F_SETFL, fcntl(2, F_GETFL) | O_NONBLOCK)
  }
}
