import Transport

/// A fleet over real sockets.
public enum SocketFleet {
  /// How often bots act: shorter than a tick, so that a tilt is never much late.
  private static let timerMilliseconds = 10

  /// Runs the bots to the end.
  /// - Throws: when the network can't be set up at all; refused connections are in the report.
  public static func run(
    url: WebSocketURL, options: BotOptions
  ) async throws(TransportError) -> BotReport {
    let result = ResultBox()
    let clients = WebSocketClients(url: url, timerMilliseconds: timerMilliseconds)
    let fleet = BotFleet(
      options: options, dial: { clients.connect() }, finished: { result.put($0) })
    try clients.start(delegate: fleet)
    let report = await result.value()
    clients.stop()
    return report
  }
}
