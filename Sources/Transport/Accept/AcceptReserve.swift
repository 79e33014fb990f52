import CLibWebSockets
import Glibc

/// Accepts connections, also when the process has no descriptor left: then a reserved one is given
/// up for a moment, so that the visitor can be turned away. Otherwise the listening socket would
/// stay readable and the loop would spin.
struct AcceptReserve: ~Copyable {
  private var descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// - Returns: the next waiting connection, or -1 when there is none.
  mutating func accept(
    _ listening: Int32, _ address: inout sockaddr_storage, onTrouble: (String) -> Void
  ) -> Int32 {
    // Something else in this process may have taken it while it was given up.
    if descriptor < 0 { descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC) }
    while true {
      let client = stickerpit_accept(listening, &address)
      if client >= 0 { return client }
      switch errno {
      case EINTR, ECONNABORTED, EPROTO: continue
      case EMFILE, ENFILE:
        onTrouble("no file descriptor is left for a visitor: raise the limit (ulimit -n)")
        guard turnAway(listening) else { return -1 }
      default: return -1
      }
    }
  }

  private mutating func turnAway(_ listening: Int32) -> Bool {
    guard descriptor >= 0 else { return false }
    close(descriptor)
    var address = sockaddr_storage()
    let client = stickerpit_accept(listening, &address)
    if client >= 0 { close(client) }
    descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    return client >= 0
  }
}
