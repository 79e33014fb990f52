/// Many client connections to one server on one loop: ``WebSocketClients`` on sockets or
/// ``MemoryClients`` in memory.
public protocol ClientPool: AnyObject, Sendable {
  /// Starts one more connection and returns its number: 0 for the first, then counting up. The
  /// outcome comes through the delegate. May be called from any thread.
  @discardableResult
  func connect() -> UInt64

  /// Ends every connection and returns when no further delegate call can come. Not to be called
  /// from a delegate call. Safe to repeat.
  func stop()
}

/// Receives everything that happens to the connections of a client pool, on its one loop thread
/// (or from ``MemoryNetwork/advance(by:)``), never two calls at a time.
public protocol ClientDelegate: AnyObject {
  /// The handshake of a `connect()` is complete. `clientClosed` follows exactly once.
  func clientOpened(_ connection: any Connection)

  /// One whole binary message arrived. The bytes are valid during the call only.
  func client(_ connection: any Connection, received bytes: UnsafeRawBufferPointer)

  /// An open connection is over.
  ///
  /// - Parameter code: from the close frame that was received, else of our own close, else
  ///   ``CloseCode/abnormal``.
  func clientClosed(_ connection: any Connection, code: CloseCode, reason: String)

  /// A `connect()` did not lead to an open connection: ``TransportError/refused(_:)``,
  /// ``TransportError/handshakeRejected(status:)`` or ``TransportError/connectionFailed(_:)``.
  ///
  /// - Parameter id: what `connect()` returned.
  func clientFailed(_ id: UInt64, error: TransportError)

  /// The pool's interval has passed. Intervals are counted on absolute deadlines; those that were
  /// missed come as one call.
  ///
  /// - Parameter nowNanoseconds: ``MonotonicClock/nanoseconds()``, or the virtual time.
  func timerFired(nowNanoseconds: UInt64)

  /// ``WebSocketClients/wake()`` was called; several calls may come as one.
  func woken()
}

extension ClientDelegate {
  public func woken() {}

  public func timerFired(nowNanoseconds: UInt64) {}
}
