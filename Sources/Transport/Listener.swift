/// Something that accepts WebSocket connections: ``WebSocketListener`` on sockets or
/// ``MemoryListener`` in memory.
public protocol Listener: AnyObject, Sendable {
  /// Has the network thread call ``ListenerDelegate/woken()`` soon. May be called from any thread,
  /// neither waits nor allocates; a call after `stop` does nothing.
  func wake()

  /// Closes every connection with ``CloseCode/goingAway``, stops accepting and returns when no
  /// further delegate call can come. Not to be called from a delegate call. Safe to repeat.
  func stop()
}
