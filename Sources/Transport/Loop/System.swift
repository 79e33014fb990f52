// What is asked of the operating system: the time, descriptors, names of threads, waking one.

import CLibWebSockets
import Glibc

/// The clock that deadlines are measured with: never set back, not bound to the calendar.
public enum MonotonicClock {
  /// Nanoseconds since some fixed moment before the process started.
  public static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}

/// The clock on the wall, which may be set at any time.
public enum WallClock {
  /// Milliseconds since 1970.
  public static func milliseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(clamping: time.tv_sec) &* 1000 &+ UInt64(time.tv_nsec / 1_000_000)
  }
}

/// The process's limit on open files: each connection is one.
enum FileLimit {
  /// Descriptors for files being sent and whatever else the program has open.
  private static let spare = 512
  /// libwebsockets keeps a table with an entry for each possible descriptor; beyond this the table
  /// would be larger than everything else.
  private static let maximum: rlim_t = 1 << 20

  /// Lets the process have as many descriptors as a listener may have connections.
  static func raise(for configuration: ListenerConfiguration) {
    // With TLS, as many again may wait for their handshake.
    let visitors = configuration.traffic.visitors * (configuration.tls == nil ? 1 : 2)
    raise(forConnections: configuration.maximumConnections + visitors)
  }

  /// Raises the soft limit for so many connections, as far as the hard limit lets it, and lowers a
  /// soft limit that is absurdly high.
  static func raise(forConnections connections: Int) {
    assert(connections >= 0)
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    let descriptors = rlim_t(connections + spare)
    let wanted = min(max(limit.rlim_cur, descriptors), limit.rlim_max, maximum)
    guard wanted != limit.rlim_cur else { return }
    limit.rlim_cur = wanted
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}

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

/// What wakes a loop, from any thread: an eventfd, which the loop watches.
///
/// Whoever wakes keeps it until that is done, whatever becomes of the loop meanwhile: so no lock is
/// held while it is written to, and its number is nobody else's descriptor by then.
final class WakeSignal: Sendable {
  private let descriptor = stickerpit_eventfd()

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Another descriptor for the same signal, whose owner closes it; negative if there is none.
  func duplicate() -> Int32 { dup(descriptor) }

  /// Wakes the loop. Several signals that the loop has not taken yet are one.
  func send() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }

  /// Takes the signals that were sent.
  /// - Returns: whether there were any since the last time.
  func take() -> Bool {
    var count: UInt64 = 0
    return read(descriptor, &count, 8) == 8
  }
}
