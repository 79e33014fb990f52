import ArgumentParser
import Foundation
import Logging
import Server
import ServiceLifecycle
import TickLog
import Transport

/// `stickerpit replay`
struct Replay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Serve the past to pages: with a time line, at any speed, forwards and backwards.",
    discussion: "The server that writes there must have ended; 'journal export' takes files out.")

  @OptionGroup var place: JournalPlace
  @Option(
    parsing: .unconditional, help: .moment("Where pages begin (default: the first tick)"))
  var from: JournalMoment?
  @Option(
    parsing: .unconditional,
    help: "How fast they begin, 0.1…16 times as fast as it was; −16…−0.1 is backwards.")
  var speed = 1.0
  @Option(help: "The address to listen on.") var host = "0.0.0.0"
  @Option(help: "The TCP port; 0 takes any free one.") var port: UInt16 = 8080
  @Option(help: "The page's folder.") var web = "web"
  @Option(help: "The folder with the set of stickers that the world was made with.")
  var stickers: String?
  @Option(name: .customLong("allowed-host"), help: "A name that pages may call this server by.")
  var hosts: [String] = []
  @Option(name: .customLong("tls-cert"), help: "A PEM file with the certificate chain.")
  var tlsCertificate: String?
  @Option(help: "A PEM file with its key.") var tlsKey: String?

  func validate() throws {
    guard (0.1...16).contains(abs(speed)) else {
      throw ValidationError("--speed takes 0.1 to 16, or −16 to −0.1 for backwards")
    }
    guard (tlsCertificate == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-cert and --tls-key belong together")
    }
  }

  func run() async throws {
    let journal = try place.open()
    let past = try JournalPlace.explain { try JournalPast(journal) }
    let extent = try JournalPlace.explain { try past.extent() }
    let configuration = try configuration(extent, journal)
    let lines = LogQueue()
    defer { Output.finish(lines) }
    let logger = Logger(label: "stickerpit") {
      SharedLevelLog(label: $0, level: .info, queue: lines)
    }
    let service: ReplayService
    do throws(StartError) {
      service = try ReplayService(configuration, past: past, logger: logger)
    } catch {
      throw Failure(error.description)
    }
    let signals = await EndSignals()
    let greeting = greeting(extent, port: service.port)
    lines.add { Output.progress(greeting) }
    let group = ServiceGroup(
      configuration: .init(
        services: [.init(service: service), signals.inGroup], logger: logger))
    try await group.run()
  }

  private func configuration(
    _ extent: JournalPast.Extent, _ journal: Journal
  ) throws -> ReplayService.Configuration {
    var start = try JournalPlace.explain { try from?.position(in: journal) } ?? extent.first
    // A time before the beginning is the beginning; a tick is meant as it is named.
    if case .tick = from?.kind {} else { start = min(max(start, extent.first), extent.last) }
    guard (extent.first...extent.last).contains(start) else {
      throw Failure(
        "--from: tick \(start) is not in the journal, which has \(extent.first) to \(extent.last)")
    }
    var configuration = ReplayService.Configuration(start: start)
    (configuration.host, configuration.port) = (host, port)
    (configuration.webFolder, configuration.speed) = (web, speed)
    configuration.stickers = try ServerRun.stickers(stickers)
    configuration.allowedHosts = hosts
    if let tlsCertificate, let tlsKey {
      configuration.tls = .init(certificate: tlsCertificate, key: tlsKey)
    }
    return configuration
  }

  private func greeting(_ extent: JournalPast.Extent, port: UInt16) -> String {
    let scheme = tlsCertificate == nil ? "http" : "https"
    return """
      The past is open:
        here            \(scheme)://localhost:\(port)
        ticks           \(extent.first) to \(extent.last)
        times           \(JournalMoment.words(extent.firstTime)) to \
      \(JournalMoment.words(extent.lastTime))
      """
  }
}
