import Foundation
import Logging
import NATSLink
import Server
import Simulation
import TickLog
import Transport

/// What `stickerpit serve` can be told, with its defaults: every key of the table (`Setting.all`)
/// has its place here. `ResolvedConfiguration` fills it in and checks it.
struct ServeConfiguration: Equatable, Sendable {
  var host = "0.0.0.0"
  var port = 8080
  var web = "web"
  var scene = Scene.pit
  /// nil for the scene's own number.
  var bodies: Int?
  var maxBodies = PitConfiguration.defaultMaxBodies
  var seed: UInt64 = 1
  /// The folder of a set of stickers; nil for our own.
  var stickers: String?
  var shape = WorldShape.upright
  var tilt = TiltChoice.mean
  /// nil for as many as there are processors.
  var networkThreads: Int?
  var adminListen: String?
  /// nil for a server without a host.
  var adminTokenFile: String?
  var keywords: [String] = []
  var keywordFile: String?
  var tlsCertificate: String?
  var tlsKey: String?
  /// Whether the server makes a certificate for itself.
  var makesCertificate = false
  /// Where people find it; nil for the addresses of this machine.
  var publicURL: String?
  /// nil for a key that is forgotten at the end.
  var tokenKeyFile: String?
  /// The data folder; nil for a server that forgets everything when it ends.
  var data: String?
  var durability = Durability.full
  var journalDays = 30
  var journalMegabytes = 2000
  var stopsWithoutJournal = false
  /// Where servers that share a world meet; nil for a server on its own.
  var nats: String?
  /// The name of the world that they share.
  var world: String?
  /// Whether this one follows the world until nobody else runs it.
  var isStandby = false
  /// On how many servers of a NATS cluster the world is kept.
  var natsReplicas = 1
  var natsCredentials: String?
  var natsAuthority: String?
  var origins: [String] = []
  var allowedHosts: [String] = []
  var trustedProxies: [String] = []
  var checkFrames = false
  var logLevel = Logger.Level.info
  var limits = Limits()
  var traffic = TrafficLimits()
}

/// Whose tilt makes the world's gravity.
enum TiltChoice: String, CaseIterable, Sendable {
  /// Everybody's, together.
  case mean
  /// One person's at a time.
  case captain
}

extension ServeConfiguration {
  /// The world to make. Throws `PitError` where bodies, their limit, the shape and the scene
  /// don't fit.
  /// - Parameter stickers: what the folder holds that is named.
  func pit(_ stickers: StickerSet? = nil) throws(PitError) -> PitConfiguration {
    try PitConfiguration(
      scene: scene, bodies: bodies, maxBodies: maxBodies, shape: shape, seed: seed,
      stickers: stickers)
  }

  /// Both files, or nil where none are named.
  var tls: ListenerConfiguration.TLSFiles? {
    guard let tlsCertificate, let tlsKey else { return nil }
    return .init(certificate: tlsCertificate, key: tlsKey)
  }

  /// The certificate that the server makes and keeps, if it is to have one of its own.
  func ownCertificate() throws(TransportError) -> SelfSignedCertificate? {
    guard makesCertificate else { return nil }
    return try SelfSignedCertificate(keptIn: certificateFolder, for: MachineNames.subjects)
  }

  /// Beside the world, or where programs keep what is theirs (XDG Base Directory Specification).
  private var certificateFolder: String {
    if let data { return data + "/tls" }
    let environment = ProcessInfo.processInfo.environment
    let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (state ?? NSHomeDirectory() + "/.local/state") + "/sticker-pit/tls"
  }

  /// How the world is shared, if it is.
  /// - Parameter isEdge: whether this one never runs the world.
  func cluster(isEdge: Bool) -> ClusterSettings? {
    guard let nats, let world else { return nil }
    let settings = JetStreamLink.Settings(
      url: nats, world: world, replicas: natsReplicas, credentials: natsCredentials,
      authority: natsAuthority)
    return ClusterSettings(world: world, role: isEdge ? .edge : isStandby ? .standby : .leader) {
      () throws(ClusterError) in try JetStreamLink(settings)
    }
  }

  /// What the server starts with. Keywords, key, the host's token and stickers are given apart,
  /// because files hold them.
  func server(
    keywords: KeywordList, tokenKey: TokenKey = TokenKey(), hostToken: HostToken? = nil,
    stickers: StickerFolder? = nil
  ) throws(PitError) -> ServerConfiguration {
    var server = ServerConfiguration(
      host: host, port: UInt16(port), webFolder: web, pit: try pit(stickers?.set), tls: tls,
      allowedOrigins: origins, allowedHosts: allowedHosts,
      trustedProxies: trustedProxies, limits: limits, traffic: traffic,
      tokenKey: tokenKey, keywords: keywords,
      networkThreads: networkThreads ?? ServerConfiguration.usualNetworkThreads,
      checksFrames: checkFrames || ServerConfiguration.isDebugBuild)
    server.admin = adminListen.flatMap { AdminAddress($0) }
    server.hostToken = hostToken
    server.stickers = stickers
    server.hasCaptain = tilt == .captain
    server.logLevel = logLevel
    server.publicURL = publicURL
    if MachineNames.areCalled(by: host) {
      server.networkAddress = { MachineNames.addresses().first }
    }
    if let origin = publicURL.flatMap(PageOrigin.init) {
      server.allowedHosts.append(origin.host)
      server.allowedOrigins.append(origin.text)
    }
    server.journal = data.map {
      JournalSettings(
        folder: $0, durability: durability,
        limits: JournalLimits(
          age: UInt64(journalDays) * 86_400_000, bytes: journalMegabytes * 1_000_000),
        stopsOnFailure: stopsWithoutJournal)
    }
    return server
  }
}
