import ArgumentParser
import Bots
import Foundation
import Synchronization
import Transport
import Wire

/// Joins scripted clients and reports what they saw.
struct RunBots: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bots", abstract: "Soak a server with scripted clients that check every frame.")

  enum Stream: String, ExpressibleByArgument, CaseIterable {
    case state, replica
  }

  @Option(help: "The server, such as ws://localhost:8080/ws.")
  var url = "ws://localhost:8080/ws"

  @Option(help: "Clients at the same time, 1 to 10000.")
  var count = 50

  @Option(help: "How long, in seconds, 1 to 86400.")
  var seconds = 30

  @Option(help: "What to follow: state, or replica with a world of their own.")
  var stream = Stream.state

  @Option(help: "Frames a second to ask for: 60, 30, 20 or 10.")
  var rate: UInt8 = 60

  enum Profile: String, ExpressibleByArgument, CaseIterable {
    case strict, visual
  }

  @Option(help: "How exactly to be told where things are: strict or visual.")
  var profile = Profile.strict

  @Flag(
    help:
      "Decode and check no frames, for crowds that one core could not decode. They grab nothing.")
  var noDecoding = false

  @Option(help: "How many of them read slowly.")
  var slow = 0

  @Option(help: "How many of them leave and come back each second.")
  var churn = 0.0

  @Option(
    help: """
      A folder for both worlds, a file each, when a bot's world was another one than the server's: \
      for --stream replica, the first 20 times.
      """)
  var dump: String?

  @Option(help: "The seed of what the bots do.")
  var seed: UInt64 = 1

  @Flag(help: "Print the report as one JSON object on standard output.")
  var json = false

  func validate() throws {
    try require((1...10_000).contains(count), "--count must be 1 to 10000, not \(count)")
    try require((1...86_400).contains(seconds), "--seconds must be 1 to 86400, not \(seconds)")
    try require(FrameRate(rawValue: rate) != nil, "--rate must be 60, 30, 20 or 10, not \(rate)")
    try require(
      !noDecoding || stream == .state, "--no-decoding is for --stream state: a world needs its log")
    try require((0...count).contains(slow), "--slow must be 0 to --count, not \(slow)")
    try require((0...1000).contains(churn), "--churn must be 0 to 1000, not \(churn)")
    try require(
      dump == nil || stream == .replica,
      "--dump is for --stream replica: only bots with a world of their own can have a wrong one")
    _ = try dumpFolder()
  }

  /// The folder of `--dump`, if it was given.
  private func dumpFolder() throws -> DumpFolder? {
    guard let dump else { return nil }
    do throws(DumpError) { return try DumpFolder(dump) } catch {
      throw ValidationError("--dump: \(error)")
    }
  }

  private func require(_ holds: Bool, _ message: String) throws {
    if !holds { throw ValidationError(message) }
  }

  func run() async throws {
    let options = BotOptions(
      count: count, seconds: seconds, stream: stream == .state ? .state : .replica,
      rate: FrameRate(rawValue: rate)!,
      profile: profile == .strict ? .strict : .visual, decodes: !noDecoding, slow: slow,
      churn: churn, dump: try dumpFolder(), seed: seed)
    let report: BotReport
    do throws(TransportError) {
      let interrupt = Interrupt()
      report = try await SocketFleet.run(
        url: url, options: options, isInterrupted: { interrupt.hasCome },
        started: { Output.progress("\(count) bots join \(url) for \(seconds) s") })
    } catch .invalidURL(let url) {
      throw ValidationError("--url: \(TransportError.invalidURL(url))")
    } catch {
      throw Failure("\(error)")
    }
    try show(report)
    guard report.isGood(for: options) else {
      throw Failure(
        "\(report.errors) errors, \(report.gaps) gaps, \(report.connected) of \(count) connected, "
          + "\(report.lost) sessions lost, \(report.away) not back"
          + (report.messages.first.map { "; first: \($0)" } ?? ""))
    }
  }

  private func show(_ report: BotReport) throws {
    Output.result(try Output.json(report, isPretty: !json))
  }
}

/// Notes SIGINT and SIGTERM instead of dying from them, so that a run ends early with its report.
///
/// Sendable although it holds the signals' sources: nothing touches those after `init`.
final class Interrupt: @unchecked Sendable {
  private let isSet = Atomic(false)
  private var sources: [any DispatchSourceSignal] = []

  init() {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [weak self] in self?.isSet.store(true, ordering: .relaxed) }
      source.resume()
      return source
    }
  }

  /// Whether one of the signals came.
  var hasCome: Bool { isSet.load(ordering: .relaxed) }
}
