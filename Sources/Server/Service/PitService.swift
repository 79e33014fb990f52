import Logging
import ServiceLifecycle
import Simulation
import Transport

/// The running server: a tick thread and network threads around a `PitServer`, from start to
/// graceful shutdown.
public final class PitService: Service {
  private let configuration: ServerConfiguration
  private let logger: Logger
  private let listeners: ListenerGroup
  private let loop: TickLoop
  private let server: PitServer

  /// Binds the port and makes the world; nothing ticks yet.
  /// - Throws: `StartError`, each with one line that says what to do.
  public init(configuration: ServerConfiguration, logger: Logger) throws(StartError) {
    self.configuration = configuration
    self.logger = logger
    if let problem = configuration.limits.problem { throw .badLimit(problem) }
    try WebFolder.check(configuration.webFolder)
    do throws(PitError) {
      server = try PitServer(
        configuration: configuration, clock: { MonotonicClock.nanoseconds() })
    } catch {
      throw .badWorld(error)
    }
    listeners = ListenerGroup(
      configuration: ListenerConfiguration(configuration, logger: logger), delegates: server.hubs)
    let (runner, listeners) = (server.runner, listeners)
    loop = TickLoop { deadline, lost in
      runner.runTick(deadline: deadline, lostTicks: lost)
      listeners.wake()
    }
    do throws(TransportError) {
      try listeners.start()
    } catch {
      throw .network(error)
    }
  }

  /// The most stickers that this world takes.
  public var bodyCap: Int { server.runner.bodyCap }

  /// The port it listens on.
  public var port: UInt16 { listeners.port }

  /// Serves until the process is asked to end (SIGINT or SIGTERM), then closes every connection.
  public func run() async throws {
    loop.start(now: MonotonicClock.nanoseconds())
    logger.info(
      "ticking", metadata: ["seed": "\(configuration.pit.seed)", "port": "\(port)"])
    try? await gracefulShutdown()
    loop.stop()
    listeners.stop()
    logger.info("stopped", metadata: ["tick": "\(server.exchange.health.tick)"])
  }
}
