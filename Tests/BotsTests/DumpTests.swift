import Foundation
import Testing
import Wire

@testable import Bots
@testable import Simulation

/// What bots leave behind whose world was another one than the server's.
@Suite struct DumpTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("stickerpit-dump-\(UUID().uuidString)").path
  /// The type of a snapshot's message.
  private static let snapshot: UInt8 = 0x8A

  /// Runs with an empty folder.
  private func withFolder(_ work: (DumpFolder) throws -> Void) throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try work(try DumpFolder(folder))
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
  }

  private func bytes(of name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
  }

  /// A bot begins with another world than the log's, is found out in tick 30, and gets a snapshot.
  /// - Parameter lost: ticks before that snapshot whose records are lost.
  /// - Returns: the server's world.
  @discardableResult
  private func mislead(
    into dump: DumpFolder?, lost: Int = 0, _ tally: inout BotTally
  ) throws -> Pit {
    let options = BotOptions(count: 8, seconds: 60, stream: .replica, dump: dump)
    let bot = Bot(index: 7, options: options, now: 0)
    func hear(_ message: [UInt8]) {
      message.withUnsafeBytes { bot.received($0, now: 0, into: &tally) }
    }
    var pit = try Pit(PitConfiguration(bodies: 0, seed: 3))
    var coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
    var wrong = pit
    wrong.playground.chance.state ^= 1
    var welcome: [UInt8] = []
    ServerMessage.welcome(
      Welcome(
        clientID: 1, colour: 0, name: try Name("Fox"), token: SessionToken(low: 1, high: 2),
        tick: 0, worldWidth: 720, worldHeight: 960, scene: 0, bodyCap: 8)
    ).encode(into: &welcome)
    hear(welcome)
    hear(SavedWorld(wrong, coder).packed(behind: [Self.snapshot]))
    var records: [UInt8] = []
    for _ in 0..<30 { coder.encode(pit.tick(TickInputs()).record, into: &records) }
    hear(records)
    for _ in 0..<lost { coder.encode(pit.tick(TickInputs()).record, into: &records) }
    hear(SavedWorld(pit, coder).packed(behind: [Self.snapshot]))
    return pit
  }

  @Test func bothWorldsAreLeftInTheFolder() throws {
    try withFolder { dump in
      var tally = BotTally()
      let pit = try mislead(into: dump, &tally)
      #expect((tally.report.mismatches, tally.report.errors) == (1, 1))
      #expect(try files == ["pit-30-bot-7.bin", "pit-30-server.bin"])
      let servers = try Pit.restore(from: try bytes(of: "pit-30-server.bin"))
      #expect(servers.stateHash() == pit.stateHash())
      let bots = try Pit.restore(from: try bytes(of: "pit-30-bot-7.bin"))
      #expect(bots.firstDifference(from: servers) == "chance")
    }
  }

  @Test func worldsOfTwoTicksAreNotLeft() throws {
    try withFolder { dump in
      var tally = BotTally()
      try mislead(into: dump, lost: 1, &tally)
      #expect(tally.report.mismatches == 1)
      #expect(try files == [])
    }
  }

  @Test func withoutAFolderNothingIsLeft() throws {
    var tally = BotTally()
    try mislead(into: nil, &tally)
    #expect((tally.report.mismatches, tally.report.errors, tally.dumps) == (1, 1, 0))
  }

  @Test func aWrongProgramFillsNoDisk() throws {
    try withFolder { dump in
      var tally = BotTally()
      for _ in 0...BotTally.mostDumps { try mislead(into: dump, &tally) }
      #expect(tally.report.mismatches == BotTally.mostDumps + 1)
      #expect(tally.dumps == BotTally.mostDumps)
    }
  }

  @Test func aFullDiskIsSaidAndHalfAFileRemoved() throws {
    try withFolder { dump in
      // Whatever is written there meets the end of a disk.
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/pit-30-bot-7.bin", withDestinationPath: "/dev/full")
      var tally = BotTally()
      try mislead(into: dump, &tally)
      #expect(tally.report.errors == 2)
      #expect(tally.report.messages.last == "bot 7: the disk of \(folder) is full")
      #expect(try files == [])
    }
  }

  @Test func aFolderMustBeOne() throws {
    #expect(throws: DumpError.noFolder(folder)) { try DumpFolder(folder) }
    try withFolder { _ in
      let file = folder + "/file"
      FileManager.default.createFile(atPath: file, contents: nil)
      #expect(throws: DumpError.noFolder(file)) { try DumpFolder(file) }
    }
  }
}
