import CLibWebSockets

/// Writes to one raw socket, and keeps what the socket does not take.
struct SocketOutput {
  /// What the socket has yet to take of the last write, and how much of it it took.
  private var tail: [UInt8] = []
  private var taken = 0

  /// Whether a part of the last write is still here.
  var isPartial: Bool { !tail.isEmpty }

  /// Writes bytes; what is not taken follows when the socket is writable. Only when nothing is
  /// partial: nothing is ever queued.
  ///
  /// - Returns: false when the socket failed.
  mutating func write(_ bytes: UnsafeBufferPointer<UInt8>, to socket: OpaquePointer) -> Bool {
    assert(!isPartial)
    let count = stickerpit_send(socket, bytes.baseAddress, bytes.count)
    guard count >= 0 else { return false }
    if count < bytes.count {
      tail = Array(bytes[count...])
      lws_callback_on_writable(socket)
    }
    return true
  }

  mutating func write(_ bytes: [UInt8], to socket: OpaquePointer) -> Bool {
    bytes.withUnsafeBufferPointer { write($0, to: socket) }
  }

  /// Writes more of what was kept.
  ///
  /// - Returns: false when the socket failed.
  mutating func drain(to socket: OpaquePointer) -> Bool {
    guard isPartial else { return true }
    let count = tail[taken...].withUnsafeBufferPointer {
      stickerpit_send(socket, $0.baseAddress, $0.count)
    }
    guard count >= 0 else { return false }
    taken += count
    if taken == tail.count {
      (tail, taken) = ([], 0)
    } else {
      lws_callback_on_writable(socket)
    }
    return true
  }
}
