import CLibWebSockets

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
}

/// The one callback of every protocol: C calls back a global function only.
func servicePeerCallback(
  socket: OpaquePointer?, reason: lws_callback_reasons, user: UnsafeMutableRawPointer?,
  input: UnsafeMutableRawPointer?, length: Int
) -> Int32 {
  guard let socket, let opaque = lws_get_opaque_user_data(socket) else { return 0 }
  // Retained for the call: its owner may let the peer go in the middle of it.
  let peer = Unmanaged<ServicePeer>.fromOpaque(opaque).takeUnretainedValue()
  return peer.handle(reason, socket: socket, input: input, length: length)
}

/// A descriptor that is no connection: a listening socket, an eventfd, a timer.
final class DescriptorPeer: ServicePeer {
  private let onReadable: () -> Void

  init(onReadable: @escaping () -> Void) {
    self.onReadable = onReadable
  }

  override func handle(
    _ reason: lws_callback_reasons, socket: OpaquePointer, input: UnsafeMutableRawPointer?,
    length: Int
  ) -> Int32 {
    if reason == LWS_CALLBACK_RAW_RX_FILE { onReadable() }
    return 0
  }
}
