import ArgumentParser
import Foundation
import Logging
import Server
import ServiceLifecycle
import Transport

/// Runs the server until it is asked to end.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve a pit: the world, the page and the WebSocket on one port.",
    discussion: """
      Every option can also be given by the environment (--max-bodies by STICKERPIT_MAX_BODIES) \
      and by a file of JSON (--config). A flag goes before the environment, that before the file, \
      and that before the default. CONFIGURATION.md lists all keys.
      """)

  @Option(help: .setting("host")) var host: String?
  @Option(help: .setting("port")) var port: String?
  @Option(help: .setting("web")) var web: String?
  @Option(help: .setting("scene")) var scene: String?
  @Option(help: .setting("bodies")) var bodies: String?
  @Option(name: .customLong("keyword"), help: .setting("keyword")) var keywords: [String] = []
  @Option(help: .setting("keyword-file")) var keywordFile: String?
  @Option(help: .setting("max-bodies")) var maxBodies: String?
  @Option(help: .setting("seed")) var seed: String?
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

  func run() async throws {
    let resolved: ResolvedConfiguration
    let read: @Sendable () async throws(ConfigurationError) -> ResolvedConfiguration
    do throws(ConfigurationError) {
      let (flags, file) = (try flags(), config)
      let environment = ProcessInfo.processInfo.environment
      read = { () async throws(ConfigurationError) in
        try await ResolvedConfiguration.load(flags: flags, file: file, environment: environment)
      }
      resolved = try await read()
    } catch {
      guard error.isBadUsage else { throw Failure(error.description) }
      throw ValidationError(error.description)
    }
    guard !printConfig else {
      let printer = ConfigurationPrinter(configuration: resolved)
      Output.progress(printer.sources)
      Output.result(printer.file)
      return
    }
    try await serve(resolved.values) { try await read().values }
  }

  /// What the command line says, by keys.
  private func flags() throws(ConfigurationError) -> GivenFlags {
    var flags = GivenFlags()
    try flags.add("host", host)
    try flags.add("port", port)
    try flags.add("web", web)
    try flags.add("scene", scene)
    try flags.add("bodies", bodies)
    try flags.add("keyword", keywords)
    try flags.add("keyword-file", keywordFile)
    try flags.add("max-bodies", maxBodies)
    try flags.add("seed", seed)
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

  /// - Parameter read: reads the configuration again.
  private func serve(
    _ values: ServeConfiguration, read: @escaping @Sendable () async throws -> ServeConfiguration
  ) async throws {
    let requests = ReloadRequests()
    let logger = Logger(label: "stickerpit") {
      SharedLevelLog(label: $0, level: values.logLevel)
    }
    let tokenKey = try self.tokenKey(values)
    let files = NamedFiles(
      keywords: try Self.keywordList(values), hostToken: try Self.hostToken(values))
    var configuration = try values.server(
      keywords: files.keywords, tokenKey: tokenKey, hostToken: files.hostToken)
    configuration.handedSockets = try ServiceManager.takeSockets()
    let own = try Self.ownCertificate(values)
    configuration.tls = own?.files ?? configuration.tls
    let service: PitService
    do throws(StartError) {
      service = try PitService(configuration: configuration, logger: logger)
    } catch {
      throw Failure(error.description)
    }
    Output.progress(
      Greeting(
        configuration: configuration, port: service.port, adminPort: service.adminPort,
        scene: service.scene, bodyCap: service.bodyCap, resumedTick: service.resumedTick,
        joinCode: service.joinCode, certificate: own
      ).text)
    if tokenKey.isReadableByAll {
      logger.warning(
        "everybody on this machine can read the token key: 'chmod 600' its file",
        metadata: ["file": "\(values.tokenKeyFile ?? "")"])
    }
    files.warn(of: values, logger)
    let reloading = Reloading(
      service: service, running: (values, files), requests: requests, read: read,
      files: { NamedFiles(keywords: try Self.keywordList($0), hostToken: try Self.hostToken($0)) },
      logger: logger)
    var services: [any Service] = [service, reloading]
    if let pair = configuration.tls {
      services.append(CertificateWatch(files: pair, requests: requests))
    }
    services.append(Readiness(service: service))
    let group = ServiceGroup(
      configuration: .init(
        services: services.map { .init(service: $0) },
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    let signals = EndSignals()
    do {
      try await group.run()
    } catch let error as StartError {
      throw Failure(error.description)
    }
    withExtendedLifetime(signals) {}
  }

  private static func ownCertificate(
    _ values: ServeConfiguration
  ) throws -> SelfSignedCertificate? {
    do throws(TransportError) {
      return try values.ownCertificate()
    } catch {
      throw Failure("\(error)")
    }
  }

  /// The key in the file that was named, or one that is forgotten with this process.
  private func tokenKey(_ values: ServeConfiguration) throws -> TokenKey {
    guard let file = values.tokenKeyFile else { return TokenKey() }
    do throws(TokenKeyError) {
      return try TokenKey(file: file)
    } catch {
      throw Failure(error.description)
    }
  }

  /// The token by which the host is known, if there is one.
  private static func hostToken(_ values: ServeConfiguration) throws -> HostToken? {
    guard let file = values.adminTokenFile else { return nil }
    do throws(HostTokenError) {
      return try HostToken(file: file)
    } catch {
      throw Failure(error.description)
    }
  }

  /// The phrases that were given and those of the file, or the usual ones.
  private static func keywordList(_ values: ServeConfiguration) throws -> KeywordList {
    var lines = values.keywords
    if let file = values.keywordFile {
      guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
        throw Failure("the keyword file '\(file)' can't be read: name a file of UTF-8 text")
      }
      lines += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    guard !values.keywords.isEmpty || values.keywordFile != nil else { return .standard }
    do throws(KeywordError) { return try KeywordList(lines: lines) } catch {
      throw Failure("the keyword file: \(error)")
    }
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
