import Glibc

/// The process's limit on open files: each connection is one.
enum FileLimit {
  /// libwebsockets keeps a table with an entry for each possible descriptor; beyond this the table
  /// would be larger than everything else.
  private static let maximum: rlim_t = 1 << 20

  /// Raises the soft limit to `descriptors`, as far as the hard limit lets it, and lowers a soft
  /// limit that is absurdly high.
  static func raise(to descriptors: Int) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    let wanted = min(max(limit.rlim_cur, rlim_t(descriptors)), limit.rlim_max, maximum)
    guard wanted != limit.rlim_cur else { return }
    limit.rlim_cur = wanted
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
