import Foundation
import TickLog

/// The subjects and streams of a world.
struct StreamNames {
  let log: String
  let stored: String
  let world: String
  let inputs: String
  let presence: String
  private let leader: String
  private let block: String
  let logStream: String
  let worldStream: String
  private let leaderStream: String
  private let blockStream: String

  init(_ name: String) {
    let subject = "pit.\(name)"
    let stream = "PIT_\(name)"
    (log, stored, world) = ("\(subject).log", "\(subject).stored", "\(subject).world")
    (inputs, presence) = ("\(subject).inputs", "\(subject).presence")
    (leader, block) = ("\(subject).leader", "\(subject).block")
    (logStream, worldStream) = (stream, "\(stream)_WORLDS")
    (leaderStream, blockStream) = ("\(stream)_LEADER", "\(stream)_BLOCKS")
  }

  func subject(of key: ClaimKey) -> String {
    switch key {
    case .leader: leader
    case .block(let index): "\(block).\(index)"
    }
  }

  /// Where a stream's messages are asked for by number or subject, without JSON around them.
  func get(_ stream: String) -> String { "$JS.API.DIRECT.GET.\(stream)" }

  /// Where is asked how far a stream is.
  func info(_ stream: String) -> String { "$JS.API.STREAM.INFO.\(stream)" }

  /// Where a stream is asked for, which makes it unless there is one of its name.
  static func create(_ stream: String) -> String { "$JS.API.STREAM.CREATE.\(stream)" }

  /// The log keeps so much: ten minutes of ticks at 60 Hz. Whoever joins needs those since the last
  /// snapshot, some seconds; whoever was cut off for longer than this begins with a snapshot.
  private static let mostTicks = 36_000
  private static let mostLogBytes = 256 << 20

  /// How JetStream is to keep all of it.
  func streams(replicas: Int) -> [StreamSettings] {
    [
      StreamSettings(
        name: logStream, subjects: [log], replicas: replicas, mostMessages: Self.mostTicks,
        mostBytes: Self.mostLogBytes, republishes: .init(src: log, dest: stored)),
      StreamSettings(
        name: worldStream, subjects: [world], replicas: replicas, mostMessages: 2,
        mostBytes: 64 << 20),
      StreamSettings(
        name: leaderStream, subjects: [leader], replicas: replicas, mostMessages: 1,
        mostBytes: 1 << 20, seconds: ClaimKey.leaderSeconds),
      StreamSettings(
        name: blockStream, subjects: ["\(block).*"], replicas: replicas, mostMessages: 256,
        mostBytes: 1 << 20, mostPerSubject: 1, seconds: ClaimKey.blockSeconds),
    ]
  }
}

/// A stream as `$JS.API.STREAM.CREATE` takes it (nats-server 2.9, `StreamConfig`).
struct StreamSettings: Encodable, Equatable {
  /// What is stored under `src` is published again under `dest`.
  struct Republish: Encodable, Equatable {
    var src: String
    var dest: String
  }

  var name: String
  var subjects: [String]
  var replicas: Int
  var mostMessages: Int
  var mostBytes: Int
  var mostPerSubject = -1
  /// How old messages get; nil for any age.
  var seconds: Double?
  var republishes: Republish?

  /// The request that makes it.
  var request: [UInt8] { (try? JSONEncoder().encode(self)).map { Array($0) } ?? [] }

  private enum CodingKeys: String, CodingKey {
    case name, subjects, retention, storage, discard, republish
    case replicas = "num_replicas"
    case mostMessages = "max_msgs"
    case mostBytes = "max_bytes"
    case mostPerSubject = "max_msgs_per_subject"
    case age = "max_age"
    case allowsDirect = "allow_direct"
    case duplicateWindow = "duplicate_window"
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    try values.encode(subjects, forKey: .subjects)
    try values.encode("limits", forKey: .retention)
    try values.encode("file", forKey: .storage)
    try values.encode("old", forKey: .discard)
    try values.encode(replicas, forKey: .replicas)
    try values.encode(mostMessages, forKey: .mostMessages)
    try values.encode(mostBytes, forKey: .mostBytes)
    try values.encode(mostPerSubject, forKey: .mostPerSubject)
    let age = Int64((seconds ?? 0) * 1e9)
    try values.encode(age, forKey: .age)
    try values.encode(true, forKey: .allowsDirect)
    // It must not be longer than messages live.
    try values.encode(
      age == 0 ? 120_000_000_000 : min(age, 120_000_000_000), forKey: .duplicateWindow)
    try values.encodeIfPresent(republishes, forKey: .republish)
  }
}
