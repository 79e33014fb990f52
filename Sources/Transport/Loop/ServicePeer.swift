import CLibWebSockets
import Glibc

/// The Swift object behind one socket of libwebsockets. The socket carries an unretained pointer to
/// it, so a callback finds its object without a look-up; whoever makes a peer keeps it alive until
/// it was told `LWS_CALLBACK_WSI_DESTROY`.
class ServicePeer {
  /// Handles one callback of libwebsockets on the service thread.
  ///
  /// - Returns: 0 to go on, -1 to close the socket; some reasons define more.
  func handle(
    _ reason: lws_callback_reasons, socket: OpaquePointer, input: UnsafeMutableRawPointer?,
    length: Int
  ) -> Int32 {
    0
  }

  final var opaque: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// A callback that a raw socket of a listener never gets: libwebsockets has begun to read the
  /// protocol itself, which its parsers are not fit for. The socket is closed.
  final func unexpected(_ reason: lws_callback_reasons) -> Int32 {
    assertionFailure("unexpected callback \(reason.rawValue)")
    return -1
  }
}

/// The one callback of every protocol: C calls back a global function only.
func servicePeerCallback(
  socket: OpaquePointer?, reason: lws_callback_reasons, user: UnsafeMutableRawPointer?,
  input: UnsafeMutableRawPointer?, length: Int
) -> Int32 {
  guard let socket else { return 0 }
  if reason == LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS {
    // Not a socket yet: the context's TLS is being set up.
    let loop = Unmanaged<ServiceLoop>.fromOpaque(lws_context_user(lws_get_context(socket)))
    if let user { loop.takeUnretainedValue().prepare(tls: OpaquePointer(user)) }
    return 0
  }
  guard reason != LWS_CALLBACK_WSI_CREATE, let opaque = lws_get_opaque_user_data(socket) else {
    return 0
  }
  // Retained for the call: its owner may let the peer go in the middle of it.
  let peer = Unmanaged<ServicePeer>.fromOpaque(opaque).takeUnretainedValue()
  return peer.handle(reason, socket: socket, input: input, length: length)
}

/// The protocol table of a context in memory that stays where it is, as libwebsockets needs it.
///
/// The first protocol handles plain HTTP. All share one callback: which object handles an event is
/// decided by the socket, not by its protocol.
final class ServiceProtocols {
  let base: UnsafeMutablePointer<lws_protocols>
  private let names: [UnsafeMutablePointer<CChar>]

  init(names: [String], receiveBufferBytes: Int) {
    self.names = names.map { strdup($0) }
    base = .allocate(capacity: names.count + 1)
    base.initialize(repeating: lws_protocols(), count: names.count + 1)
    for (index, name) in self.names.enumerated() {
      base[index].name = UnsafePointer(name)
      base[index].callback = servicePeerCallback
      base[index].rx_buffer_size = receiveBufferBytes
      // Largest piece given to send() at once. 0 would fall back to the receive buffer's size and
      // tear every frame apart.
      base[index].tx_packet_size = 1 << 20
      base[index].id = UInt32(index)
    }
  }

  deinit {
    for name in names { free(name) }
    base.deallocate()
  }
}

/// A descriptor that is no connection: a listening socket, an eventfd, a timer.
final class DescriptorPeer: ServicePeer {
  private let onReadable: () -> Void
  /// Set when libwebsockets has taken the descriptor over.
  var socket: OpaquePointer?

  init(onReadable: @escaping () -> Void) {
    self.onReadable = onReadable
  }

  /// Whether the loop watches the descriptor, at first it does.
  var isWatched = true {
    didSet {
      guard isWatched != oldValue, let socket else { return }
      lws_rx_flow_control(socket, isWatched ? 1 : 0)
    }
  }

  /// Closes the descriptor, from a callback about something else.
  func close() {
    guard let socket else { return }
    lws_set_timeout(socket, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC)
  }

  override func handle(
    _ reason: lws_callback_reasons, socket: OpaquePointer, input: UnsafeMutableRawPointer?,
    length: Int
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_RAW_RX_FILE: onReadable()
    case LWS_CALLBACK_WSI_DESTROY: self.socket = nil
    default: break
    }
    return 0
  }
}
