import ArgumentParser
import Foundation
import TickLog

/// `stickerpit verify`
struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Replay a journal on all processors and compare every hash in it.")

  @OptionGroup var place: JournalPlace
  @Flag(help: "Replay with the browser's module under node instead.") var wasm = false
  @Option(help: "The page's folder, for --wasm.") var web = "web"
  @Flag(help: "Print JSON.") var json = false

  private struct Result: Encodable {
    let ticks: Int
    let hashes: Int
    let mismatches: Int
    let firstMismatch: PositionOrNull
    let foreignTicks: Int
    let seconds: Double
    let ticksPerSecond: Double
    let timesRealTime: Double
    let problems: [String]
  }

  /// A position that is printed as null where there is none: an optional would be left out, and
  /// whoever reads the report could not tell it from one of a version without the key.
  private struct PositionOrNull: Encodable {
    let position: UInt64?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if let position { try container.encode(position) } else { try container.encodeNil() }
    }
  }

  func run() throws {
    let journal = try place.open()
    let began = ContinuousClock.now
    let report = try JournalPlace.explain { try verification(journal).run() }
    let seconds = max((ContinuousClock.now - began) / .seconds(1), 1e-9)
    let pace = Double(report.ticks) / seconds
    let result = Result(
      ticks: report.ticks, hashes: report.hashes, mismatches: report.mismatches,
      firstMismatch: PositionOrNull(position: report.firstMismatch),
      foreignTicks: report.foreignTicks, seconds: seconds, ticksPerSecond: pace,
      timesRealTime: pace / 60, problems: report.problems)
    Output.result(json ? try Output.json(result) : Self.text(result))
    guard report.mismatches == 0 else {
      throw Failure("the journal in \(place.data) is not what it says")
    }
  }

  private func verification(_ journal: Journal) -> Verification {
    guard wasm else { return Verification(journal) }
    return Verification(journal) { [web] () throws(JournalError) in try WASMReplayer(web: web) }
  }

  private static func text(_ result: Result) -> String {
    var lines = [
      "\(result.ticks) ticks replayed in \(String(format: "%.2f", result.seconds)) s, "
        + "\(Int(result.timesRealTime)) times as fast as they were; "
        + "\(result.hashes) hashes compared, \(result.mismatches) mismatches"
    ]
    if result.foreignTicks > 0 {
      lines.append("\(result.foreignTicks) ticks are another version's and were not replayed")
    }
    return (lines + result.problems).joined(separator: "\n")
  }
}
