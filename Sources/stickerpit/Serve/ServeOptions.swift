import ArgumentParser

/// What the command line can say to a server: every setting that has a flag of its own.
struct ServeOptions: ParsableArguments {
  @Option(help: .setting("host")) var host: String?
  @Option(help: .setting("port")) var port: String?
  @Option(help: .setting("web")) var web: String?
  @Option(help: .setting("scene")) var scene: String?
  @Option(help: .setting("stickers")) var stickers: String?
  @Option(help: .setting("bodies")) var bodies: String?
  @Option(name: .customLong("keyword"), help: .setting("keyword")) var keywords: [String] = []
  @Option(help: .setting("keyword-file")) var keywordFile: String?
  @Option(help: .setting("max-bodies")) var maxBodies: String?
  @Option(help: .setting("seed")) var seed: String?
  @Option(help: .setting("shape")) var shape: String?
  @Option(help: .setting("tilt")) var tilt: String?
  @Option(help: .setting("network-threads")) var networkThreads: String?
  @Option(help: .setting("admin-listen")) var adminListen: String?
  @Option(help: .setting("admin-token-file")) var adminTokenFile: String?
  @Option(name: .customLong("tls-cert"), help: .setting("tls-cert")) var tlsCertificate: String?
  @Option(help: .setting("tls-key")) var tlsKey: String?
  @Flag(inversion: .prefixedNo, help: .setting("tls-self-signed")) var tlsSelfSigned: Bool?
  @Option(help: .setting("public-url")) var publicURL: String?
  @Option(help: .setting("token-key-file")) var tokenKeyFile: String?
  @Option(help: .setting("data")) var data: String?
  @Option(help: .setting("durability")) var durability: String?
  @Option(help: .setting("journal-days")) var journalDays: String?
  @Option(help: .setting("journal-megabytes")) var journalMegabytes: String?
  @Flag(inversion: .prefixedNo, help: .setting("stop-without-journal"))
  var stopWithoutJournal: Bool?
  @Option(help: .setting("nats")) var nats: String?
  @Option(help: .setting("world")) var world: String?
  @Flag(inversion: .prefixedNo, help: .setting("standby")) var standby: Bool?
  @Option(help: .setting("nats-replicas")) var natsReplicas: String?
  @Option(help: .setting("nats-credentials")) var natsCredentials: String?
  @Option(name: .customLong("nats-ca"), help: .setting("nats-ca")) var natsAuthority: String?
  @Option(name: .customLong("origin"), help: .setting("origin")) var origins: [String] = []
  @Option(name: .customLong("allowed-host"), help: .setting("allowed-host"))
  var hosts: [String] = []
  @Option(name: .customLong("trusted-proxy"), help: .setting("trusted-proxy"))
  var proxies: [String] = []
  @Option(help: .setting("limits.connections-per-address")) var maxPerAddress: String?
  @Flag(inversion: .prefixedNo, help: .setting("check-frames")) var checkFrames: Bool?

  @Option(help: .setting("log-level")) var logLevel: String?

  @Option(
    name: .customLong("limit"),
    help: """
      A limit and its number, such as connections=600; repeatable. --print-config shows all of \
      them.
      """)
  var limits: [String] = []

  @Option(help: "A file of JSON with any of these; STICKERPIT_CONFIG names it as well.")
  var config: String?

  @Flag(
    help: """
      Print what the server would start with, in the form of that file, and on standard error \
      where each value comes from.
      """)
  var printConfig = false

  /// What the command line says, by keys.
  func flags() throws(ConfigurationError) -> GivenFlags {
    var flags = GivenFlags()
    try flags.add("host", host)
    try flags.add("port", port)
    try flags.add("web", web)
    try flags.add("scene", scene)
    try flags.add("stickers", stickers)
    try flags.add("bodies", bodies)
    try flags.add("keyword", keywords)
    try flags.add("keyword-file", keywordFile)
    try flags.add("max-bodies", maxBodies)
    try flags.add("seed", seed)
    try flags.add("shape", shape)
    try flags.add("tilt", tilt)
    try flags.add("network-threads", networkThreads)
    try flags.add("admin-listen", adminListen)
    try flags.add("admin-token-file", adminTokenFile)
    try flags.add("tls-cert", tlsCertificate)
    try flags.add("tls-key", tlsKey)
    try flags.add("tls-self-signed", tlsSelfSigned.map { "\($0)" })
    try flags.add("public-url", publicURL)
    try flags.add("token-key-file", tokenKeyFile)
    try flags.add("data", data)
    try flags.add("durability", durability)
    try flags.add("journal-days", journalDays)
    try flags.add("journal-megabytes", journalMegabytes)
    try flags.add("stop-without-journal", stopWithoutJournal.map { "\($0)" })
    try flags.add("nats", nats)
    try flags.add("world", world)
    try flags.add("standby", standby.map { "\($0)" })
    try flags.add("nats-replicas", natsReplicas)
    try flags.add("nats-credentials", natsCredentials)
    try flags.add("nats-ca", natsAuthority)
    try flags.add("origin", origins)
    try flags.add("allowed-host", hosts)
    try flags.add("trusted-proxy", proxies)
    try flags.add("check-frames", checkFrames.map { "\($0)" })
    try flags.add("log-level", logLevel)
    if let maxPerAddress {
      try flags.add(
        "limits.connections-per-address", .string(maxPerAddress), as: "--max-per-address")
    }
    for limit in limits { try flags.add(limit: limit) }
    return flags
  }
}

extension ArgumentHelp {
  /// A setting's help, with its default.
  fileprivate static func setting(_ key: String) -> ArgumentHelp {
    guard let setting = Setting.named(key) else { preconditionFailure("no setting \(key)") }
    let standard: String? =
      switch setting.value(in: ServeConfiguration()) {
      case .text(let text): text
      case .number(let number): "\(number)"
      case .none, .list, .toggle: nil
      }
    return ArgumentHelp(
      stringLiteral: setting.meaning + (standard.map { " (default: \($0))" } ?? ""))
  }
}
