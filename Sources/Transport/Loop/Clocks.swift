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
