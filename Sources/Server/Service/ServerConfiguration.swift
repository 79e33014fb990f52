import Foundation
import Logging
import Simulation
import TickLog
import Transport

/// Everything the server needs to know before it starts, already validated.
public struct ServerConfiguration: Sendable {
  /// The address to listen on; `0.0.0.0` means every IPv4 interface.
  public var host: String
  /// The TCP port, 0…65535; 0 takes any free one.
  public var port: UInt16
  /// Where people find the page, such as `https://pit.example`; nil for whatever address they use.
  public var publicURL: String?
  /// This machine's address for others on the network, as it is when asked; nil if they can't reach
  /// the server. Shown where `publicURL` is not known to a visitor who sits at this machine.
  public var networkAddress: @Sendable () -> String? = { nil }
  /// Sockets to listen on instead, which listen already; see `ListenerConfiguration.handedSockets`.
  public var handedSockets: [Int32] = []
  /// The folder with `index.html`; nil serves no page.
  public var webFolder: String?
  /// The world to run.
  public var pit: PitConfiguration
  /// The pictures of `pit`'s stickers; nil where they are our own.
  public var stickers: StickerFolder?
  /// Whether one person's tilt counts at a time, for ten seconds, instead of everybody's.
  public var hasCaptain = false
  /// Where monitoring may ask; without it `/metrics` is on the page's port.
  public var admin: AdminAddress?
  /// Set to serve HTTPS and secure WebSockets.
  public var tls: ListenerConfiguration.TLSFiles?
  /// Origins besides the server's own whose pages may connect, such as `https://example.org`.
  public var allowedOrigins: [String]
  /// Names that this server goes by besides its addresses, such as `pit.example`; see
  /// `ListenerConfiguration.allowedHosts`.
  public var allowedHosts: [String]
  /// Proxies that are believed when they say for whom they connect; see
  /// `ListenerConfiguration.trustedProxies`.
  public var trustedProxies: [String]
  /// What a client may do and how much of it.
  public var limits: Limits
  /// How much traffic of sockets and HTTP is taken.
  public var traffic: TrafficLimits
  /// What tokens are signed with.
  public var tokenKey: TokenKey
  /// Who shows it is the host; nil for a server without one.
  public var hostToken: HostToken?
  /// The words that bring stickers where they rain.
  public var keywords: KeywordList
  /// Where the world and its people are kept; nil for a server that forgets both when it ends.
  public var journal: JournalSettings?
  /// How the world is shared with other servers; nil for a server on its own. Then there is no
  /// journal.
  public var cluster: ClusterSettings?
  /// Threads that serve connections, 1…`mostNetworkThreads`; they share the port.
  public var networkThreads: Int
  /// Lines of the log below this level are not written.
  public var logLevel = Logger.Level.info
  /// Whether everything that is written to clients is decoded and compared with the world, which
  /// costs as much as all of their decoders; a difference ends the process with a message that says
  /// where it is. On in debug builds, for soaks otherwise.
  public var checksFrames: Bool

  public init(
    host: String = "0.0.0.0", port: UInt16 = 8080, webFolder: String? = nil, pit: PitConfiguration,
    tls: ListenerConfiguration.TLSFiles? = nil, allowedOrigins: [String] = [],
    allowedHosts: [String] = [], trustedProxies: [String] = [],
    limits: Limits = Limits(), traffic: TrafficLimits = TrafficLimits(),
    tokenKey: TokenKey = TokenKey(), keywords: KeywordList = .standard, networkThreads: Int = 1,
    checksFrames: Bool = ServerConfiguration.isDebugBuild
  ) {
    self.host = host
    self.port = port
    self.webFolder = webFolder
    self.pit = pit
    self.tls = tls
    self.allowedOrigins = allowedOrigins
    self.allowedHosts = allowedHosts
    self.trustedProxies = trustedProxies
    self.limits = limits
    self.traffic = traffic
    self.tokenKey = tokenKey
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
  init(_ server: ServerConfiguration, log: ServerLog) {
    self.init(
      host: server.host, port: server.port, webFolder: server.webFolder,
      allowedOrigins: server.allowedOrigins, allowedHosts: server.allowedHosts,
      trustedProxies: server.trustedProxies,
      maximumMessageBytes: server.limits.messageBytes,
      maximumConnections: server.limits.connections,
      maximumConnectionsPerAddress: server.limits.connectionsPerAddress,
      pingSeconds: server.limits.pingSeconds, silenceSeconds: server.limits.silenceSeconds,
      traffic: server.traffic, tls: server.tls, log: { log.write(.warning, $0) })
    ticketSecret = server.tokenKey.ticketSecret
  }

  /// The port for monitoring. Nobody plays there.
  init(admin address: AdminAddress, allowedHosts: [String], log: ServerLog) {
    self.init(
      host: address.host, port: address.port, allowedHosts: allowedHosts, maximumConnections: 1,
      maximumConnectionsPerAddress: 1, log: { log.write(.warning, $0) })
  }
}

/// Where monitoring may ask: a host and a port.
public struct AdminAddress: Equatable, Sendable {
  /// A numeric address or a name of this machine.
  public let host: String
  /// The TCP port; 0 takes any free one.
  public let port: UInt16

  /// Reads `HOST:PORT`, an IPv6 address in brackets; nil for anything else.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = UInt16(digits) else {
      return nil
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty else { return nil }
    (self.host, self.port) = (String(host), port)
  }
}

/// How a server shares its world with others.
public struct ClusterSettings: Sendable {
  /// What this one does there.
  public enum Role: Equatable, Sendable {
    /// Runs the world and writes its log.
    case leader
    /// Follows the log, and runs the world when nobody else does any more.
    case standby
    /// Follows the log for clients of its own.
    case edge
  }

  /// The world's name.
  public var world: String
  public var role: Role
  /// Connects to the place where they meet.
  public var connect: @Sendable () throws(ClusterError) -> any ClusterLink

  public init(
    world: String, role: Role,
    connect: @escaping @Sendable () throws(ClusterError) -> any ClusterLink
  ) {
    self.world = world
    self.role = role
    self.connect = connect
  }
}
