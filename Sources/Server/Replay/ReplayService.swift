import Logging
import ServiceLifecycle
import TickLog
import Transport

/// Serves the past to pages, each of which plays it by itself: at its own speed, forwards,
/// backwards and step by step.
public final class ReplayService: Service {
  /// What it serves, and where.
  public struct Configuration: Sendable {
    /// A numeric address or a name of this machine.
    public var host = "0.0.0.0"
    /// The TCP port; 0 takes any free one.
    public var port: UInt16 = 8080
    /// The page's folder.
    public var webFolder = "web"
    /// The pictures of the world's stickers; nil where they are our own.
    public var stickers: StickerFolder?
    /// See `ListenerConfiguration.allowedHosts`.
    public var allowedHosts: [String] = []
    /// PEM files for TLS; nil serves plain text.
    public var tls: ListenerConfiguration.TLSFiles?
    /// The position that pages begin at.
    public var start: UInt64
    /// How fast they begin: 1 is as fast as it was, −1 backwards.
    public var speed = 1.0

    public init(start: UInt64) { self.start = start }
  }

  private let listeners: ListenerGroup
  private let log: ServerLog

  /// Binds the port.
  /// - Throws: `StartError`, each with one line that says what to do.
  public init(
    _ configuration: Configuration, past: JournalPast, logger: Logger
  ) throws(StartError) {
    try WebFolderCheck.run(configuration.webFolder)
    let log = ServerLog(logger) { MonotonicClock.nanoseconds() }
    self.log = log
    let pages: ReplayPages
    do throws(JournalError) {
      pages = try ReplayPages(
        past, start: configuration.start, speed: configuration.speed,
        stickers: configuration.stickers, run: Worker.thread("journal")
      ) { log.write(.warning, $0) }
    } catch {
      throw .journal(error)
    }
    var port = ListenerConfiguration(
      host: configuration.host, port: configuration.port, webFolder: configuration.webFolder,
      allowedHosts: configuration.allowedHosts, tls: configuration.tls,
      log: { log.write(.warning, $0) })
    port.maximumConnections = 1
    port.maximumConnectionsPerAddress = 1
    listeners = ListenerGroup(configuration: port, delegates: [pages])
    do throws(TransportError) { try listeners.start() } catch { throw .network(error) }
  }

  /// The port it listens on.
  public var port: UInt16 { listeners.port }

  /// Serves until the process is asked to end (SIGINT or SIGTERM).
  public func run() async throws {
    try? await gracefulShutdown()
    listeners.stop()
    log.flush()
  }
}
