import CLibWebSockets
import Glibc

/// Accepts connections, also when the process has no descriptor left: then a reserved one is given
/// up for a moment, so that whoever connects can be refused. Otherwise the listening socket would
/// stay readable and the loop would spin.
struct AcceptReserve: ~Copyable {
  /// What became of the next waiting connection.
  enum Outcome: Equatable {
    /// It is the caller's from now on.
    case accepted(Int32)
    /// No descriptor was left, so it was closed.
    case refused
    /// No descriptor was left, not even for closing it: it goes on waiting.
    case leftWaiting
    /// There is none.
    case nobody
  }

  private var descriptor = AcceptReserve.openDescriptor()

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  private static func openDescriptor() -> Int32 { Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) }

  /// Takes the next waiting connection.
  ///
  /// - Parameter address: becomes the address of whoever was accepted.
  mutating func accept(_ listening: Int32, _ address: inout sockaddr_storage) -> Outcome {
    // Something else in this process may have taken it while it was given up.
    if descriptor < 0 { descriptor = Self.openDescriptor() }
    while true {
      let client = stickerpit_accept(listening, &address)
      if client >= 0 { return .accepted(client) }
      switch errno {
      case EINTR, ECONNABORTED, EPROTO: continue
      // The kernel says so before it looks whether anybody waits.
      case EMFILE, ENFILE: return refuse(listening)
      default: return .nobody
      }
    }
  }

  private mutating func refuse(_ listening: Int32) -> Outcome {
    guard descriptor >= 0 else { return .leftWaiting }
    close(descriptor)
    defer { descriptor = Self.openDescriptor() }
    var address = sockaddr_storage()
    let client = stickerpit_accept(listening, &address)
    guard client >= 0 else { return errno == EAGAIN ? .nobody : .leftWaiting }
    close(client)
    return .refused
  }
}
