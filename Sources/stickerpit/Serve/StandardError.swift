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
  static var hasRoom: Bool { isWritable(2) }

  private static func isWritable(_ descriptor: Int32) -> Bool {
    var question = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&question, 1, 250) != 0
  }

  /// From now on a pipe or a terminal takes what it has room for, and whoever writes to it waits
  /// for nobody.
  ///
  /// The shell that started the process may have the same one open, and whether it waits is not to
  /// be changed for it. So standard error is opened anew, which is another way to the same place.
  /// Only what can't be opened anew, and is no terminal, is changed for all who have it open.
  ///
  /// - Parameter descriptor: standard error's; a test has another one.
  static func waitForNobody(_ descriptor: Int32 = 2) {
    var status = stat()
    // A file keeps nobody waiting, and opened anew it would be written from its beginning.
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let anew = Glibc.open("/proc/self/fd/\(descriptor)", flags)
    let trouble = anew < 0 ? errno : 0
    if lead(descriptor, to: anew) { return }
    // A pipe with a name that nobody has open for reading: each write fails at once.
    if status.st_mode & S_IFMT == S_IFIFO, trouble == ENXIO { return }
    if isatty(descriptor) == 0 {
      // A socket, or a pipe that another user made, as where `sudo -u` or a service manager starts
      // the process: whoever shares it has the flag, too.
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    } else if !isWritable(descriptor) {
      // A terminal of somebody else, which only its owner may open.
      _ = lead(descriptor, to: Glibc.open("/dev/null", flags))
    }
  }

  /// Has a descriptor lead to what another one does, and closes that.
  /// - Parameter other: negative if it could not be opened.
  /// - Returns: whether it could.
  private static func lead(_ descriptor: Int32, to other: Int32) -> Bool {
    guard other >= 0 else { return false }
    let result = dup2(other, descriptor)
    close(other)
    return result == descriptor
  }
}
