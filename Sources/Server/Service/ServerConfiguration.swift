import Foundation
import Logging
import Simulation
import Transport

/// Everything the server needs to know before it starts, already validated.
public struct ServerConfiguration: Sendable {
  /// The address to listen on; `0.0.0.0` means every IPv4 interface.
  public var host: String
  /// The TCP port, 0…65535; 0 takes any free one.
  public var port: UInt16
  /// The folder with `index.html`; nil serves no page.
  public var webFolder: String?
  /// The world to run.
  public var pit: PitConfiguration
  /// Set to serve HTTPS and secure WebSockets.
  public var tls: ListenerConfiguration.TLSFiles?
  /// Origins besides the server's own whose pages may connect, such as `https://example.org`.
  public var allowedOrigins: [String]
  /// Names that this server goes by besides its addresses, such as `pit.example`; see
  /// `ListenerConfiguration.allowedHosts`.
  public var allowedHosts: [String]
  /// What a client may do and how much of it.
  public var limits: Limits
  /// How much traffic of sockets and HTTP is taken.
  public var traffic: TrafficLimits
  /// The words that bring stickers where they rain.
  public var keywords: KeywordList
  /// Threads that serve connections, 1…`mostNetworkThreads`; they share the port.
  public var networkThreads: Int
  /// Whether everything that is written to clients is decoded and compared with the world, which
  /// costs as much as all of their decoders; a difference ends the process with a message that says
  /// where it is. On in debug builds, for soaks otherwise.
  public var checksFrames: Bool

  public init(
    host: String = "0.0.0.0", port: UInt16 = 8080, webFolder: String? = nil, pit: PitConfiguration,
    tls: ListenerConfiguration.TLSFiles? = nil, allowedOrigins: [String] = [],
    allowedHosts: [String] = [],
    limits: Limits = Limits(), traffic: TrafficLimits = TrafficLimits(),
    keywords: KeywordList = .standard, networkThreads: Int = 1,
    checksFrames: Bool = ServerConfiguration.isDebugBuild
  ) {
    self.host = host
    self.port = port
    self.webFolder = webFolder
    self.pit = pit
    self.tls = tls
    self.allowedOrigins = allowedOrigins
    self.allowedHosts = allowedHosts
    self.limits = limits
    self.traffic = traffic
    self.keywords = keywords
    self.networkThreads = networkThreads
    self.checksFrames = checksFrames
  }

  /// More threads than any machine needs that fans frames out.
  public static let mostNetworkThreads = 64

  /// As many as there are processors, eight at most: a single one serves a few thousand clients.
  public static var usualNetworkThreads: Int {
    min(8, max(1, ProcessInfo.processInfo.activeProcessorCount))
  }

  #if DEBUG
    /// Whether this is a debug build.
    public static let isDebugBuild = true
  #else
    /// Whether this is a debug build.
    public static let isDebugBuild = false
  #endif
}

extension ListenerConfiguration {
  init(_ server: ServerConfiguration, logger: Logger) {
    self.init(
      host: server.host, port: server.port, webFolder: server.webFolder,
      allowedOrigins: server.allowedOrigins, allowedHosts: server.allowedHosts,
      maximumMessageBytes: server.limits.messageBytes,
      maximumConnections: server.limits.connections,
      maximumConnectionsPerAddress: server.limits.connectionsPerAddress,
      pingSeconds: server.limits.pingSeconds, hangupSeconds: server.limits.silenceSeconds,
      traffic: server.traffic, tls: server.tls, log: { logger.warning("\($0)") })
  }
}
