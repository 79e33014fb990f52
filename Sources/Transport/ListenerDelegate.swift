/// Receives everything that happens to a listener's connections. All calls come on the one network
/// thread of the listener (or from ``MemoryNetwork/advance(by:)``), never two at a time.
///
/// The listener holds its delegate from `init` on.
public protocol ListenerDelegate: AnyObject {
  /// A WebSocket handshake is complete. `connectionClosed` follows exactly once.
  func connectionOpened(_ connection: any Connection)

  /// One whole binary message arrived, at most ``ListenerConfiguration/maximumMessageBytes`` long.
  /// The bytes are valid during the call only.
  func connection(_ connection: any Connection, received bytes: UnsafeRawBufferPointer)

  /// The connection is over, whoever ended it. It takes no frame any more.
  func connectionClosed(_ connection: any Connection)

  /// ``Listener/wake()`` was called since the last time; several calls may arrive as one.
  func woken()

  /// Answers a plain HTTP request, or returns `nil` to let the web folder answer it (404 when it
  /// has no such file). Must not block: the frames of all clients wait behind it.
  func respond(to request: HTTPRequest) -> HTTPResponse?
}

extension ListenerDelegate {
  public func woken() {}
  public func respond(to request: HTTPRequest) -> HTTPResponse? { nil }
}
