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
