import CLibWebSockets

/// A raw socket with its descriptor and its TLS session. A WebSocket keeps one: asking
/// libwebsockets for both at each frame would cost as much as all else that is done here, but for
/// the system call.
struct RawSocket {
  let socket: OpaquePointer
  let descriptor: Int32
  /// OpenSSL's session; nil for plain text.
  let tls: OpaquePointer?

  init(_ socket: OpaquePointer) {
    self.socket = socket
    descriptor = lws_get_socket_fd(socket)
    tls = lws_get_ssl(socket)
  }

  var isEncrypted: Bool { tls != nil }

  /// How many bytes were taken, or -1 when the socket failed.
  func send(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    stickerpit_send(descriptor, tls, bytes.baseAddress, bytes.count)
  }
}

/// Writes to one raw socket, and keeps what the socket does not take.
struct SocketOutput {
  /// What the socket has yet to take of the last write, and how much of it it took.
  private var tail: [UInt8] = []
  private var taken = 0

  /// Whether a part of the last write is still here.
  var isPartial: Bool { !tail.isEmpty }

  /// Writes bytes; what is not taken follows when the socket is writable. Only when nothing is
  /// partial, so that no more than one write ever waits.
  ///
  /// - Returns: false when the socket failed.
  mutating func write(_ bytes: UnsafeBufferPointer<UInt8>, to socket: RawSocket) -> Bool {
    assert(!isPartial)
    return wrote(socket.send(bytes), of: bytes, to: socket)
  }

  /// Keeps what the socket did not take of a write that was made elsewhere.
  ///
  /// - Parameter count: how many bytes it took, or -1 when it failed.
  /// - Returns: false when the socket failed.
  mutating func wrote(
    _ count: Int, of bytes: UnsafeBufferPointer<UInt8>, to socket: RawSocket
  ) -> Bool {
    assert(!isPartial)
    guard count >= 0 else { return false }
    if count < bytes.count {
      tail = Array(bytes[count...])
      lws_callback_on_writable(socket.socket)
    }
    return true
  }

  mutating func write(_ bytes: [UInt8], to socket: RawSocket) -> Bool {
    bytes.withUnsafeBufferPointer { write($0, to: socket) }
  }

  /// Writes bytes, behind what was kept of a write just before.
  ///
  /// - Returns: false when the socket failed.
  mutating func writeBehind(_ bytes: UnsafeBufferPointer<UInt8>, to socket: RawSocket) -> Bool {
    guard isPartial else { return write(bytes, to: socket) }
    tail += bytes
    return true
  }

  /// Writes more of what was kept.
  ///
  /// - Returns: false when the socket failed.
  mutating func drain(to socket: RawSocket) -> Bool {
    guard isPartial else { return true }
    let count = tail[taken...].withUnsafeBufferPointer { socket.send($0) }
    guard count >= 0 else { return false }
    taken += count
    if taken == tail.count {
      (tail, taken) = ([], 0)
    } else {
      lws_callback_on_writable(socket.socket)
    }
    return true
  }
}
