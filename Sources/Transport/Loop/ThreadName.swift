import CLibWebSockets
import Glibc

/// What `top -H`, a debugger and tests call a thread.
public enum ThreadName {
  /// Names the calling thread. Foundation's `Thread.name` comes to the system's ears only by
  /// chance: never before the thread runs, and in its first moments not always.
  /// - Parameter name: of 15 bytes at most; the system takes no longer one.
  public static func take(_ name: String) {
    precondition(name.utf8.count <= 15)
    stickerpit_name_thread(pthread_self(), name)
  }
}
