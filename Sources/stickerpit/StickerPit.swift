// The command line: a thin shell that turns flags into validated configurations, errors into one
// line and an exit code, and hands over to Server and Bots.

import ArgumentParser
import Foundation
import Server

/// The command line: `stickerpit serve`, `stickerpit bots`, `stickerpit bench`.
@main
struct StickerPit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stickerpit",
    abstract: "A pit of stickers that everybody tilts together.",
    version: ServerVersion.text,
    subcommands: [
      Serve.self, Edge.self, RunBots.self, BenchCommand.self, Verify.self, Replay.self,
      JournalCommand.self, AdminCommand.self,
    ])

  /// Parses and runs. Exit codes: 0 success, 1 a start or run that failed, 2 bad usage; an error is
  /// one line on standard error.
  static func main() async {
    // A pipe that closed early (`stickerpit bots --json | head`) ends writes with an error, not us.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      if var command = command as? AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let failure as Failure {
      Output.error(failure.description)
      Foundation.exit(1)
    } catch {
      finish(error)
    }
  }

  /// Help and version texts go out as they are; a usage error becomes one line.
  private static func finish(_ error: Error) -> Never {
    guard exitCode(for: error) != .success else {
      print(fullMessage(for: error))
      Foundation.exit(0)
    }
    Output.error("\(message(for: error)); see \(helpCommand)")
    Foundation.exit(2)
  }

  /// How to ask for the help of the command that was meant.
  private static var helpCommand: String {
    let names = configuration.subcommands.compactMap { $0.configuration.commandName }
    guard let meant = CommandLine.arguments.dropFirst().first, names.contains(meant) else {
      return "stickerpit --help"
    }
    return "stickerpit \(meant) --help"
  }
}

/// A start or a run that failed, explained in one line.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Measurements of the parts, each on its own.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measure a part of the server.",
    subcommands: [
      BenchPhysics.self, BenchSnapshots.self, BenchCodec.self, BenchReplica.self, BenchTrace.self,
      BenchJournal.self, BenchList.self,
    ])
}

/// Where text goes: results to standard output, everything else to standard error.
enum Output {
  static func error(_ text: String) {
    progress("stickerpit: \(text)")
  }

  static func progress(_ text: String) { StandardError().write(text + "\n") }

  /// Waits for a log's last lines. Where nobody reads them, nobody would read what is said after
  /// them either, such as why the server ended: that holds up the end as little.
  static func finish(_ lines: LogQueue) {
    if !lines.finish() || !StandardError.hasRoom { StandardError.waitForNobody() }
  }

  /// A report as JSON, on one line unless it is for a person.
  static func json(_ report: some Encodable, isPretty: Bool = false) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = isPretty ? [.sortedKeys, .prettyPrinted] : [.sortedKeys]
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }

  /// Ends the process with code 1 when nobody can get the result: the reader of a pipe has gone, or
  /// the disk that it is written to is full.
  static func result(_ text: String) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    } catch {
      Self.error("standard output can't be written")
      exit(1)
    }
  }
}
