import Glibc

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
