/// Many WebSocket client connections to one server on one loop thread: what bots are made of.
public final class WebSocketClients: ClientPool, @unchecked Sendable {
  /// - Parameters:
  ///   - url: `ws://host:port/path` or `wss://host:port/path`.
  ///   - timerIntervalMilliseconds: 0 for no timer.
  ///   - acceptsAnyCertificate: lets a server in that signed its certificate itself.
  public init(
    url: String, subprotocol: String = "stickerpit.v1", delegate: any ClientDelegate,
    timerIntervalMilliseconds: Int = 0, acceptsAnyCertificate: Bool = false
  ) throws(TransportError) {}

  /// Starts the loop thread.
  public func start() throws(TransportError) {
    throw .setupFailed("not built yet")
  }

  @discardableResult
  public func connect() -> UInt64 { 0 }

  public func stop() {}
}
