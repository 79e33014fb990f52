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
    try await serve(resolved) { try await read() }
  }

  /// - Parameter read: reads the configuration again.
  private func serve(
    _ resolved: ResolvedConfiguration,
    read: @escaping @Sendable () async throws -> ResolvedConfiguration
  ) async throws {
    let values = resolved.values
    let requests = ReloadRequests()
    // All that is said from here on goes through it, so that whoever says it waits for nobody.
    let lines = LogQueue()
    defer { Output.finish(lines) }
    let logger = Logger(label: "stickerpit") {
      SharedLevelLog(label: $0, level: values.logLevel, queue: lines)
    }
    let tokenKey = try Self.tokenKey(resolved)
    let files = try Self.namedFiles(values, resolved)
    var configuration = try values.server(
      keywords: files.keywords, tokenKey: tokenKey, hostToken: files.hostToken,
      stickers: try Self.stickers(resolved))
    configuration.cluster = values.cluster(isEdge: isEdge)
    configuration.handedSockets = try ServiceManager.takeSockets()
    let own = try Self.ownCertificate(values, resolved)
    configuration.tls = own?.files ?? configuration.tls
    // Before the files are read, so that it notices what happens to them meanwhile.
    let watch = configuration.tls.map { CertificateWatch(files: $0, requests: requests) }
    let service: PitService
    do throws(StartError) {
      service = try PitService(configuration: configuration, logger: logger, queue: lines)
    } catch {
      throw resolved.failure(error)
    }
    let signals = await EndSignals()
    let greeting = Greeting(
      configuration: configuration, port: service.port, adminPort: service.adminPort,
      scene: service.scene, capacity: service.capacity, resumedTick: service.resumedTick,
      joinCode: service.joinCode, certificate: own
    ).text
    lines.add { Output.progress(greeting) }
    if tokenKey.isReadableByAll {
      logger.warning(
        "everybody on this machine can read the token key: 'chmod 600' its file",
        metadata: ["file": "\(values.tokenKeyFile ?? "")"])
    }
    files.warn(of: values, logger)
    let reloading = Reloading(
      service: service, running: .init(values: values, files: files, resolved: resolved),
      requests: requests, read: read, files: { try Self.namedFiles($0, $1) }, logger: logger)
    var services: [any Service] = [service, reloading]
    if let watch { services.append(watch) }
    services.append(Readiness(service: service))
    let group = ServiceGroup(
      configuration: .init(
        services: services.map { .init(service: $0) } + [signals.inGroup], logger: logger))
    do {
      try await group.run()
    } catch let error as StartError {
      throw resolved.failure(error)
    }
  }

  /// The set of stickers that was named, if one was.
  static func stickers(_ folder: String?) throws(Failure) -> StickerFolder? {
    guard let folder else { return nil }
    do throws(StickerSetError) {
      return try StickerFolder(path: folder)
    } catch {
      throw Failure(error.description)
    }
  }

  private static func stickers(_ resolved: ResolvedConfiguration) throws -> StickerFolder? {
    do throws(Failure) {
      return try stickers(resolved.values.stickers)
    } catch {
      throw resolved.failure(error.description, ["stickers"])
    }
  }

  /// The certificate that the server makes and keeps, if it is to have one of its own.
  /// - Parameters:
  ///   - values: with which it runs, or will.
  ///   - resolved: what was read last, which tells where those values come from.
  static func ownCertificate(
    _ values: ServeConfiguration, _ resolved: ResolvedConfiguration
  ) throws -> SelfSignedCertificate? {
    do throws(TransportError) {
      return try values.ownCertificate()
    } catch {
      throw resolved.failure(error.description, error.keys)
    }
  }

  /// The key in the file that was named, or one that is forgotten with this process.
  private static func tokenKey(_ resolved: ResolvedConfiguration) throws -> TokenKey {
    guard let file = resolved.values.tokenKeyFile else { return TokenKey() }
    do throws(TokenKeyError) {
      return try TokenKey(file: file)
    } catch {
      throw resolved.failure(error.description, ["token-key-file"])
    }
  }

  /// What the files say that a running server reads again.
  /// - Parameters:
  ///   - values: with which it runs, or will.
  ///   - resolved: what was read last, which tells where those files' names come from.
  static func namedFiles(
    _ values: ServeConfiguration, _ resolved: ResolvedConfiguration
  ) throws -> NamedFiles {
    NamedFiles(
      keywords: try keywordList(values, resolved), hostToken: try hostToken(values, resolved))
  }

  /// The token by which the host is known, if there is one.
  private static func hostToken(
    _ values: ServeConfiguration, _ resolved: ResolvedConfiguration
  ) throws -> HostToken? {
    guard let file = values.adminTokenFile else { return nil }
    do throws(HostTokenError) {
      return try HostToken(file: file)
    } catch {
      throw resolved.failure(error.description, ["admin-token-file"])
    }
  }

  /// The phrases that were given and those of the file, or the usual ones.
  private static func keywordList(
    _ values: ServeConfiguration, _ resolved: ResolvedConfiguration
  ) throws -> KeywordList {
    let key = "keyword-file"
    var lines = values.keywords
    if let file = values.keywordFile {
      guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
        throw resolved.failure(
          in: file, namedBy: key, "the file can't be read: name a file of UTF-8 text")
      }
      let own = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      // By itself first, so that what is wrong is told by its line in the file.
      do throws(KeywordError) { _ = try KeywordList(lines: own) } catch {
        throw resolved.failure(in: file, namedBy: key, "\(error)")
      }
      lines += own
    }
    guard !values.keywords.isEmpty || values.keywordFile != nil else { return .standard }
    do throws(KeywordError) { return try KeywordList(lines: lines) } catch {
      throw resolved.failure("keyword and keyword-file together: \(error)", ["keyword", key])
    }
  }
}
