import Foundation
import Simulation
import TickLog
import Wire

/// A small world with people in it, and the entries that a server would write of it.
struct LogParty {
  private(set) var pit: Pit
  private var coder: RecordCoder
  private var position: UInt64 = 0
  private var waiting: [UInt8] = []
  private var count = 0
  private var sequence: UInt32 = 0
  /// The hash of the world after each tick, by position.
  private(set) var hashes: [UInt64]
  let settings: WorldSettings
  /// Milliseconds since 1970 at which the world began.
  static let began: UInt64 = 1_700_000_000_000

  /// What the host does, by position.
  var acts: [UInt64: HostAct] = [:]

  init(bodies: Int = 12, seed: UInt64 = 1) throws {
    let configuration = try PitConfiguration(bodies: bodies, maxBodies: 100, seed: seed)
    pit = try Pit(configuration)
    settings = WorldSettings(configuration)
    coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
    hashes = [pit.stateHash()]
  }

  private var time: UInt64 { Self.began + position * 1000 / 60 }

  /// The first entry of a new world.
  func beginning() -> LogEntry {
    var entry = LogEntry()
    entry.origin = LogOrigin(
      position: 0, beginning: .world, time: time, version: "1", world: settings)
    entry.snapshot = snapshot()
    return entry
  }

  /// What a process that goes on with the world writes first.
  func goingOn() -> LogEntry {
    var entry = LogEntry()
    entry.origin = LogOrigin(
      position: position, beginning: .continued, time: time, version: "2", world: settings)
    return entry
  }

  func snapshot() -> LogSnapshot {
    LogSnapshot(position: position, time: time, bytes: SavedWorld(pit, coder).packed())
  }

  /// Some ticks as one entry.
  mutating func entry(ticks: Int, snapshot: Bool = false) -> LogEntry {
    var records: [UInt8] = []
    let first = position + 1
    for index in 1...ticks { tick(dropsCaches: snapshot && index == ticks, into: &records) }
    var entry = LogEntry()
    entry.groups = [LogGroup(first: first, count: ticks, time: time, records: records)]
    if snapshot { entry.snapshot = self.snapshot() }
    return entry
  }

  private mutating func tick(dropsCaches: Bool, into records: inout [UInt8]) {
    position += 1
    let swing = Int16(truncatingIfNeeded: Int(position % 120) * 200 - 12_000)
    var inputs = TickInputs(gravity: QuantizedGravity(x: swing, y: 10_000))
    inputs.dropsCaches = dropsCaches
    if let act = acts[position] { inputs.acts = [act] }
    if position % 7 == 0 {
      sequence += 1
      let place = Int16(200 + position % 400)
      inputs.commands = [
        StampedCommand(
          person: 3, sequence: sequence,
          command: .drop(kind: UInt8(position % 16), x: place, y: 300))
      ]
    }
    coder.encode(pit.tick(inputs).record, into: &records)
    hashes.append(pit.stateHash())
  }

  /// Writes so many seconds, twenty groups of three ticks each, with a snapshot at the end of each.
  mutating func write(seconds: Int, to home: some LogHome) throws {
    for _ in 0..<seconds {
      for index in 1...20 { try home.append(entry(ticks: 3, snapshot: index == 20)) }
    }
  }
}

/// A folder that is gone at the end of a test.
final class TestFolder {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "journal-" + UUID().uuidString
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var database: String { path + "/journal.sqlite" }

  func open() throws -> Journal {
    try Journal(JournalFolder(path, creates: true), durability: .off)
  }

  /// Opens, does something and closes again.
  @discardableResult
  func with<Value>(_ work: (Journal) throws -> Value) throws -> Value {
    let journal = try open()
    let value = try work(journal)
    try journal.close()
    return value
  }

  /// A folder with the first seconds of a party.
  static func party(seconds: Int) throws -> (TestFolder, LogParty) {
    let folder = TestFolder()
    var party = try LogParty()
    try folder.with {
      try $0.append(party.beginning())
      try party.write(seconds: seconds, to: $0)
    }
    return (folder, party)
  }

  /// Changes the database behind everybody's back.
  func change(_ sql: String) throws {
    try with { try $0.execute(sql) }
  }
}
