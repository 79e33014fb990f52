/// Something that accepts WebSocket connections: ``WebSocketListener`` on sockets or
/// ``MemoryListener`` in memory.
public protocol Listener: AnyObject, Sendable {
  /// Has the network thread call ``ListenerDelegate/woken()`` soon. May be called from any thread,
  /// neither waits nor allocates; a call after `stop` does nothing.
  func wake()

  /// Lets nobody in any more: the port is closed, so that another process can have it at once, and
  /// no WebSocket is opened. Connections go on, and visitors who are here get their answers, until
  /// `stop`. Returns before it has happened. Safe to repeat.
  func closePort()

  /// Closes every connection with ``CloseCode/goingAway``, stops accepting and returns when no
  /// further delegate call can come. Not to be called from a delegate call. Safe to repeat.
  func stop()
}

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

  /// The network thread was not run for a while: the process was stopped, or the machine is
  /// overloaded. Called before anything that arrived meanwhile is delivered, so that limits by the
  /// clock can forgive what honest clients sent in that time.
  ///
  /// - Parameter nanoseconds: how long it stood still, more than half a second.
  func stoodStill(nanoseconds: UInt64)

  /// Answers a plain HTTP request that wants to be told something, a `GET` or `HEAD`. Must not
  /// block: the frames of all clients wait behind it. What takes long to make is made elsewhere and
  /// answered through `later`.
  func respond(to request: HTTPRequest, later: HTTPLater) -> HTTPReply

  /// The same for a request that wants something done, a `POST`, which has no body. Whatever is
  /// left to the web folder is answered 405: files are only read.
  func act(on request: HTTPRequest, later: HTTPLater) -> HTTPReply
}

extension ListenerDelegate {
  public func woken() {}
  public func stoodStill(nanoseconds: UInt64) {}
  public func respond(to request: HTTPRequest, later: HTTPLater) -> HTTPReply { .file }
  public func act(on request: HTTPRequest, later: HTTPLater) -> HTTPReply { .file }
}
