import Simulation
import Transport
import Wire

/// The server's two halves wired together, without threads or sockets of its own: whoever holds it
/// decides what calls them. `PitService` does so with a real clock, a thread and a listener; tests
/// do with the in-memory network and a clock that they turn by hand.
final class PitServer: Sendable {
  let exchange: Exchange
  let runner: WorldRunner
  let hub: SessionHub

  /// - Parameters:
  ///   - clock: monotonic nanoseconds.
  ///   - makeToken: gives the secret that a returning page shows, 16 bytes.
  init(
    configuration: ServerConfiguration, clock: @escaping () -> UInt64,
    makeToken: @escaping () -> SessionToken = People.secretToken
  ) throws(PitError) {
    let limits = configuration.limits
    exchange = Exchange(limits: limits)
    runner = try WorldRunner(
      configuration: configuration.pit, limits: limits, exchange: exchange, clock: clock)
    let world = WorldDescription(
      width: runner.worldSize.width, height: runner.worldSize.height,
      scene: configuration.pit.scene.rawValue, bodyCap: runner.bodyCap)
    hub = SessionHub(
      exchange: exchange, limits: limits, world: world, keywords: configuration.keywords,
      people: People(capacity: limits.connections, makeToken: makeToken), clock: clock)
  }
}
