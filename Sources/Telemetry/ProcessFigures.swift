import Glibc

/// What this process takes of its machine, from `/proc/self`.
public struct ProcessFigures: Equatable, Sendable {
  /// Bytes of memory that are present.
  public var residentBytes = 0
  /// Open file descriptors, and how many there may be.
  public var openDescriptors = 0
  public var mostDescriptors = 0
  /// Seconds of processor time so far.
  public var processorSeconds = 0.0
  /// Threads.
  public var threads = 0

  /// Reads them now. What can't be read is 0.
  public static func read() -> ProcessFigures {
    var figures = ProcessFigures()
    let statm = text(of: "/proc/self/statm").split(separator: " ")
    if statm.count > 1, let pages = Int(statm[1]) {
      figures.residentBytes = pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
    figures.openDescriptors = descriptors()
    figures.threads = entries(of: "/proc/self/task")
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
      figures.mostDescriptors = Int(clamping: limit.rlim_cur)
    }
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    figures.processorSeconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    return figures
  }

  /// Linux tells since 6.2 how many there are as the folder's size. Before, it is a walk: 8000
  /// take some milliseconds, which is why a busy server is asked on a port of its own.
  private static func descriptors() -> Int {
    var status = stat()
    guard stat("/proc/self/fd", &status) == 0, status.st_size > 0 else {
      return entries(of: "/proc/self/fd")
    }
    return Int(status.st_size)
  }

  private static func text(of path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private static func entries(of path: String) -> Int {
    guard let folder = opendir(path) else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
      if entry.pointee.d_name.0 != 46 { count += 1 }
    }
    return count
  }
}

/// The clock that never jumps.
public enum Monotonic {
  /// Nanoseconds since some moment before the start.
  public static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
