import ArgumentParser
import Foundation
import Server
import TickLog

/// What an operator does with a journal whose server has ended.
struct JournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "Look at a data folder, cut it short, or take a stretch out of it.",
    discussion: "The server that writes there must have ended.",
    subcommands: [CheckJournal.self, ExportJournal.self, PruneJournal.self, UpgradeJournal.self])
}

/// The journal that a command works on.
struct JournalPlace: ParsableArguments {
  @Option(help: "The data folder, or a file that 'journal export' wrote.") var data: String

  /// Opens it.
  /// - Parameter isChanged: whether the command changes it, which an exported file doesn't take.
  func open(isChanged: Bool = false) throws -> Journal {
    try JournalPlace.explain {
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(atPath: data, isDirectory: &isFolder)
      if isThere, !isFolder.boolValue {
        guard !isChanged else {
          throw Failure("\(data) is a file: only a data folder can be changed")
        }
        return try Journal(exported: data)
      }
      let folder = try JournalFolder(data, creates: false)
      guard FileManager.default.fileExists(atPath: folder.database) else {
        throw JournalError.missing(data)
      }
      let journal = try Journal(folder, durability: .full)
      if let note = journal.openingNote { Output.error(note) }
      return journal
    }
  }

  /// Turns the journal's errors into one line.
  static func explain<Value>(_ work: () throws -> Value) throws -> Value {
    do { return try work() } catch let error as JournalError { throw Failure(error.description) }
  }
}

/// `stickerpit journal check`
struct CheckJournal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Read everything, and say what is there and what is damaged.",
    discussion: """
      What can be read stays as it is. SQLite's write-ahead log is brought in order as at the \
      start of a server: what is whole in it is copied into the database, and what is damaged is \
      cut off and told. Copy the folder first to keep that as well.
      """)

  @OptionGroup var place: JournalPlace
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let check = try JournalPlace.explain { try place.open().check() }
    Output.result(json ? try Output.json(check) : Self.text(check))
    guard check.problems.isEmpty else {
      throw Failure(
        "the journal in \(place.data) has \(check.problems.count) "
          + (check.problems.count == 1 ? "problem" : "problems"))
    }
  }

  private static func text(_ check: JournalCheck) -> String {
    var lines = [
      "ticks      \(check.first) to \(check.last)"
        + " (\(JournalMoment.words(check.firstTime)) to \(JournalMoment.words(check.lastTime)))",
      "snapshots  \(check.snapshots)",
      "people     \(check.people) who may come back",
      "size       \(check.bytes / 1000) kB",
    ]
    if let hash = check.hash { lines.append("world      \(hash)") }
    lines += check.notes.map { "note       \($0)" }
    lines += check.problems.map { "PROBLEM    \($0)" }
    return lines.joined(separator: "\n")
  }
}

/// `stickerpit journal export`
struct ExportJournal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a stretch to one file that anybody can replay; people stay here.")

  @OptionGroup var place: JournalPlace
  @Option(parsing: .unconditional, help: .moment("Where it begins")) var from: JournalMoment
  @Option(parsing: .unconditional, help: .moment("Where it ends")) var to: JournalMoment?
  @Option(name: .shortAndLong, help: "The file to write.") var output: String

  func run() throws {
    try JournalPlace.explain {
      let journal = try place.open()
      let (from, end) = (
        try from.position(in: journal), try to?.position(in: journal) ?? journal.last
      )
      guard from <= end else { throw ValidationError("--from must not be after --to") }
      let written = try journal.export(to: output, from: from, through: end)
      Output.progress("\(output): ticks \(written.first) to \(written.last)")
    }
  }
}

/// `stickerpit journal prune`
struct PruneJournal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Give up the past before a tick, or everything after one.")

  @OptionGroup var place: JournalPlace
  @Option(
    parsing: .unconditional,
    help: .moment("What is before this goes, as far as the next snapshot allows"))
  var before: JournalMoment?
  @Option(
    parsing: .unconditional, help: .moment("What is after this goes: a server goes on from there"))
  var after: JournalMoment?

  func validate() throws {
    guard (before == nil) != (after == nil) else {
      throw ValidationError("give one of --before and --after")
    }
  }

  func run() throws {
    try JournalPlace.explain {
      let journal = try place.open(isChanged: true)
      if let before { try journal.prune(before: try before.position(in: journal)) }
      if let after { try journal.prune(after: try after.position(in: journal)) }
      let first = try journal.snapshotPositions().first ?? 0
      Output.progress("\(place.data): ticks \(first) to \(journal.last)")
      try journal.close()
    }
  }
}

/// `stickerpit journal upgrade`
struct UpgradeJournal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upgrade",
    abstract: "Let this version go on with a journal that another one wrote.")

  @OptionGroup var place: JournalPlace

  func run() throws {
    try JournalPlace.explain {
      let journal = try place.open(isChanged: true)
      guard try !journal.isOurs() else {
        Output.progress("\(place.data): nothing to do, this version can go on with it")
        return
      }
      let now = UInt64(Date().timeIntervalSince1970 * 1000)
      let result = try journal.upgrade(version: ServerVersion.text, at: now)
      Output.progress(
        "\(place.data): goes on after tick \(result.position), "
          + "\(result.lost) ticks behind its last snapshot were given up")
      try journal.close()
    }
  }
}
