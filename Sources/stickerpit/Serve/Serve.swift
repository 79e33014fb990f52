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

  @OptionGroup var options: ServeOptions

  func run() async throws { try await ServerRun(options: options, isEdge: false).run() }
}

/// Serves a world that another server runs, until it is asked to end.
struct Edge: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edge",
    abstract: "Serve clients of a world that another server runs; both meet at NATS.",
    discussion: """
      Takes the options of serve but for those that decide about the world: that is the leader's, \
      'stickerpit serve' with the same --nats and --world.
      """)

  @OptionGroup var options: ServeOptions

  func run() async throws { try await ServerRun(options: options, isEdge: true).run() }
}

/// A server from its command line to its end.
struct ServerRun {
  let options: ServeOptions
  /// Whether another server runs the world.
  let isEdge: Bool

  func run() async throws {
    let resolved: ResolvedConfiguration
    let read: @Sendable () async throws(ConfigurationError) -> ResolvedConfiguration
    do throws(ConfigurationError) {
      let (flags, file) = (try options.flags(), options.config)
      let environment = ProcessInfo.processInfo.environment
      read = { () async throws(ConfigurationError) in
        try await ResolvedConfiguration.load(flags: flags, file: file, environment: environment)
      }
      resolved = try await read()
      if isEdge { try resolved.checkEdge() }
    } catch {
      guard error.isBadUsage else { throw Failure(error.description) }
      throw ValidationError(error.description)
    }
    guard !options.printConfig else {
      let printer = ConfigurationPrinter(configuration: resolved)
      Output.progress(printer.sources)
      Output.result(printer.file)
      return
    }
    try await serve(resolved.values) { try await read().values }
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
      keywords: files.keywords, tokenKey: tokenKey, hostToken: files.hostToken,
      stickers: try Self.stickers(values.stickers))
    configuration.cluster = values.cluster(isEdge: isEdge)
    configuration.handedSockets = try ServiceManager.takeSockets()
    let own = try Self.ownCertificate(values)
    configuration.tls = own?.files ?? configuration.tls
    let service: PitService
    do throws(StartError) {
      service = try PitService(configuration: configuration, logger: logger)
    } catch {
      throw Failure(error.description)
    }
    let signals = await EndSignals()
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
        services: services.map { .init(service: $0) } + [signals.inGroup], logger: logger))
    do {
      try await group.run()
    } catch let error as StartError {
      throw Failure(error.description)
    }
  }

  /// The set of stickers that was named, if one was.
  static func stickers(_ folder: String?) throws -> StickerFolder? {
    guard let folder else { return nil }
    do throws(StickerSetError) {
      return try StickerFolder(path: folder)
    } catch {
      throw Failure(error.description)
    }
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
