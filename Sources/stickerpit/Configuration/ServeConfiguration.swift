import Server
import Simulation
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
  /// nil for as many as there are processors.
  var networkThreads: Int?
  var keywords: [String] = []
  var keywordFile: String?
  var tlsCertificate: String?
  var tlsKey: String?
  var origins: [String] = []
  var allowedHosts: [String] = []
  var checkFrames = false
  var limits = Limits()
  var traffic = TrafficLimits()
}

extension ServeConfiguration {
  /// The world to make. Throws `PitError` where bodies, their limit and the scene don't fit.
  func pit() throws(PitError) -> PitConfiguration {
    try PitConfiguration(scene: scene, bodies: bodies, maxBodies: maxBodies, seed: seed)
  }

  /// Both files, or nil for plain text.
  var tls: ListenerConfiguration.TLSFiles? {
    guard let tlsCertificate, let tlsKey else { return nil }
    return .init(certificate: tlsCertificate, key: tlsKey)
  }

  /// What the server starts with. `keywords` are given apart, because a file may hold them.
  func server(keywords: KeywordList) throws(PitError) -> ServerConfiguration {
    ServerConfiguration(
      host: host, port: UInt16(port), webFolder: web, pit: try pit(), tls: tls,
      allowedOrigins: origins, allowedHosts: allowedHosts, limits: limits, traffic: traffic,
      keywords: keywords,
      networkThreads: networkThreads ?? ServerConfiguration.usualNetworkThreads,
      checksFrames: checkFrames || ServerConfiguration.isDebugBuild)
  }
}
