/// Serves the page over HTTP and WebSocket connections on one port, on one network thread.
public final class WebSocketListener: Listener, @unchecked Sendable {
  /// The port that is listened on; before `start()`, the configured one.
  public private(set) var port: UInt16

  public init(configuration: ListenerConfiguration, delegate: any ListenerDelegate) {
    port = configuration.port
  }

  /// Binds the port, reads certificate and key, and starts the network thread.
  public func start() throws(TransportError) {
    throw .setupFailed("not built yet")
  }

  public func wake() {}

  public func stop() {}
}
