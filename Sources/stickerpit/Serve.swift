import ArgumentParser
import Foundation
import Logging
import Server
import ServiceLifecycle
import Simulation
import Transport

/// Runs the server until it is asked to end.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve a pit: the world, the page and the WebSocket on one port.")

  @Option(help: "The address to listen on.")
  var host = "0.0.0.0"

  @Option(help: "The port to listen on; 0 takes any free one.")
  var port = 8080

  @Option(help: "The folder with the page.")
  var web = "web"

  @Option(help: "The scene: pit, rain, gallery, drag or toss.")
  var scene = "pit"

  @Option(
    help: """
      Stickers at the start. The pit (30) grows to give them room; gallery takes 0 to 4 (4), drag \
      0 to 6 (4), toss 0 to 5 (3), and rain starts without any.
      """)
  var bodies: Int?

  @Option(
    name: .customLong("keyword"),
    help: """
      A phrase that brings stickers where it rains, such as 'merry christmas=snow'; repeatable, \
      and takes the place of the usual ones.
      """)
  var keywords: [String] = []

  @Option(help: "A file with such phrases, one a line.")
  var keywordFile: String?

  @Option(help: "The most stickers there may be, unless the world is full before; see --bodies.")
  var maxBodies = 4096

  @Option(help: "The seed of everything that is left to chance in the world.")
  var seed: UInt64 = 1

  @Option(name: .customLong("tls-cert"), help: "A PEM certificate chain; serves HTTPS.")
  var tlsCertificate: String?

  @Option(name: .customLong("tls-key"), help: "The certificate's private key, PEM.")
  var tlsKey: String?

  @Option(
    name: .customLong("origin"),
    help: "Another origin whose pages may connect, such as https://example.org; repeatable.")
  var origins: [String] = []

  @Option(
    name: .customLong("allowed-host"),
    help: """
      A name that this server goes by besides its addresses, such as pit.example; repeatable. \
      Requests to other names are refused; '*' allows them all.
      """)
  var hosts: [String] = []

  @Option(help: "Connections from one address at the same time; a venue is one address.")
  var maxPerAddress = 512

  @Flag(
    help: """
      Decode everything that is sent and compare it with the world, for soaks: a difference ends \
      the server. Debug builds always do.
      """)
  var checkFrames = false

  func validate() throws {
    guard (1...Limits.mostConnections).contains(maxPerAddress) else {
      throw ValidationError(
        "--max-per-address must be 1 to \(Limits.mostConnections), not \(maxPerAddress)")
    }
    guard (0...65535).contains(port) else {
      throw ValidationError("--port must be 0 to 65535, not \(port)")
    }
    guard (tlsCertificate == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-cert and --tls-key go together")
    }
    guard Scene(name: scene) != nil else {
      throw ValidationError("--scene must be one of \(Scene.names), not '\(scene)'")
    }
    // A file is looked at when the server starts: it is no part of the command line.
    if keywordFile == nil {
      do throws(KeywordError) { _ = try KeywordList(lines: keywords) } catch {
        throw ValidationError("--keyword: \(error)")
      }
    }
    do throws(PitError) {
      _ = try pitConfiguration()
    } catch {
      throw ValidationError(error.explanation)
    }
  }

  func run() async throws {
    var limits = Limits()
    limits.connectionsPerAddress = maxPerAddress
    limits.connections = max(limits.connections, maxPerAddress)
    let configuration = ServerConfiguration(
      host: host, port: UInt16(port), webFolder: web, pit: try pitConfiguration(), tls: tls,
      allowedOrigins: origins, allowedHosts: hosts, limits: limits, keywords: try keywordList(),
      checksFrames: checkFrames || ServerConfiguration.isDebugBuild)
    var logger = Logger(label: "stickerpit") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .info
    let service: PitService
    do throws(StartError) {
      service = try PitService(configuration: configuration, logger: logger)
    } catch {
      throw Failure(error.description)
    }
    Output.progress(
      Greeting(
        configuration: configuration, port: service.port, bodyCap: service.bodyCap
      ).text)
    let group = ServiceGroup(
      configuration: .init(
        services: [.init(service: service)],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    try await group.run()
  }

  private var tls: ListenerConfiguration.TLSFiles? {
    guard let tlsCertificate, let tlsKey else { return nil }
    return .init(certificate: tlsCertificate, key: tlsKey)
  }

  /// The phrases of the flags and the file, or the usual ones.
  private func keywordList() throws -> KeywordList {
    var lines = keywords
    if let keywordFile {
      guard let text = try? String(contentsOfFile: keywordFile, encoding: .utf8) else {
        throw Failure("the keyword file '\(keywordFile)' can't be read: name a file of UTF-8 text")
      }
      lines += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    guard !keywords.isEmpty || keywordFile != nil else { return .standard }
    do throws(KeywordError) { return try KeywordList(lines: lines) } catch {
      throw Failure("the keyword file: \(error)")
    }
  }

  private func pitConfiguration() throws(PitError) -> PitConfiguration {
    try PitConfiguration(
      scene: Scene(name: scene) ?? .pit, bodies: bodies, maxBodies: maxBodies, seed: seed)
  }
}
