// The log of the world, kept: every tick's record, a snapshot now and then, the people, and what
// built it. One protocol for its homes, and the one on this machine's disk: the journal.

import Determinism
import Wire

/// A home of the log, where it outlives the process.
///
/// Ticks have positions here: the number of the tick without the wrap of its 32 bits, so that a
/// world can grow older than two years.
public protocol LogHome: AnyObject {
  /// Where it is, for messages.
  var path: String { get }

  /// The position of the last tick that is kept; where the world began if there is none.
  var last: UInt64 { get }

  /// Keeps an entry, all of it or nothing.
  ///
  /// Its groups must follow on `last`, unless it has an origin that begins with a snapshot.
  /// Throws `outOfOrder` if they don't, and otherwise whatever keeps the home from writing; then
  /// the same entry can be tried again.
  func append(_ entry: LogEntry) throws(JournalError)

  /// The newest snapshot at a position or before it. A damaged one is told as such in `isSound`.
  func newestSnapshot(upTo position: UInt64) throws(JournalError) -> LogSnapshot?

  /// The groups that hold ticks after a position, in ascending order, `limit` of them at most.
  func groups(after position: UInt64, limit: Int) throws(JournalError) -> [LogGroup]

  /// What wrote the log, the first first.
  func origins() throws(JournalError) -> [LogOrigin]

  /// Everybody who may come back.
  func people() throws(JournalError) -> [LoggedPerson]

  /// Gives up everything after a position: the log goes on from there. Throws `tooEarly` if no
  /// world would be left to go on with.
  func prune(after position: UInt64) throws(JournalError)

  /// Gives up some of what is older than the limits allow; see `Journal`.
  func prune(to limits: JournalLimits, at now: UInt64) throws(JournalError) -> Bool

  /// Bytes that it takes.
  func byteCount() throws(JournalError) -> Int

  /// Nothing is asked of it any more.
  func close() throws(JournalError)
}

/// What is kept at a time.
public struct LogEntry: Sendable {
  /// Told when a process begins to write: what it is.
  public var origin: LogOrigin?
  /// Ticks, in ascending order and without a gap.
  public var groups: [LogGroup] = []
  /// The world after one of these ticks, or after the last one before them.
  public var snapshot: LogSnapshot?
  /// People of whom something changed.
  public var people: [LoggedPerson] = []

  public init() {}

  /// Whether there is nothing in it.
  public var isEmpty: Bool {
    origin == nil && groups.isEmpty && snapshot == nil && people.isEmpty
  }
}

/// Records of ticks in a row, as they are written.
public struct LogGroup: Equatable, Sendable {
  /// The position of the first one.
  public var first: UInt64
  /// How many there are, 1…`mostTicks`.
  public var count: Int
  /// When it was written, in milliseconds since 1970.
  public var time: UInt64
  /// The records as `RecordCoder` wrote them, one after the other.
  public var records: [UInt8]
  /// Whether what was read is what was written. Always so for one that is to be written.
  public var isSound = true
  /// Of a group that was read: its own link, and that of the group before it.
  var links: (own: UInt64, before: UInt64)?

  /// Most ticks of a group: ten seconds. Groups are of 50 ms as a rule and larger after a time in
  /// which the disk took nothing.
  public static let mostTicks = 600

  /// Groups that are read at a time: those of half a minute, some tens of kilobytes.
  static let mostRead = 600

  public init(first: UInt64, count: Int, time: UInt64, records: [UInt8]) {
    precondition((1...Self.mostTicks).contains(count))
    self.first = first
    self.count = count
    self.time = time
    self.records = records
  }

  /// The position of the last one.
  public var last: UInt64 { first + UInt64(count) - 1 }

  public static func == (one: LogGroup, other: LogGroup) -> Bool {
    one.first == other.first && one.count == other.count && one.time == other.time
      && one.records == other.records && one.isSound == other.isSound
  }

  /// Whether it is sound and follows on another one, or on a snapshot at a position.
  func follows(_ position: UInt64, _ before: LogGroup?) -> Bool {
    guard isSound, first == position + 1 else { return false }
    guard let before = before?.links, let links else { return true }
    return links.before == before.own
  }
}

/// The world after a tick.
public struct LogSnapshot: Sendable {
  /// The tick's position.
  public var position: UInt64
  /// When it was written, in milliseconds since 1970.
  public var time: UInt64
  /// What `SavedWorld.packed()` gave.
  public var bytes: [UInt8]
  /// Whether what was read is what was written.
  public var isSound = true

  public init(position: UInt64, time: UInt64, bytes: [UInt8]) {
    self.position = position
    self.time = time
    self.bytes = bytes
  }
}

/// Somebody who may come back.
public struct LoggedPerson: Equatable, Sendable {
  /// The person's number, of which name and colour follow.
  public var number: UInt16
  /// What the page shows to be the same person again.
  public var token: SessionToken
  /// The number of the last command that was received.
  public var commands: UInt32
  /// When the person left, in milliseconds since 1970; nil for one who was there to the end.
  public var leftAt: UInt64?

  public init(number: UInt16, token: SessionToken, commands: UInt32, leftAt: UInt64? = nil) {
    self.number = number
    self.token = token
    self.commands = commands
    self.leftAt = leftAt
  }
}

/// Ties each group to the one before it, and tells damage: FNV-1a of 64 bits over words of eight
/// bytes, with the high bits brought down. It finds accidents, not forgers.
package struct LogLink {
  private var hash = FNVHash()

  var value: UInt64 { hash.value }

  mutating func add(_ word: UInt64) { hash.addFolded(word) }

  mutating func add(_ bytes: [UInt8]) {
    add(UInt64(bytes.count))
    bytes.withUnsafeBytes { raw in
      var offset = 0
      while offset + 8 <= raw.count {
        add(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        offset += 8
      }
      var rest: UInt64 = 0
      for byte in raw[offset...].reversed() { rest = rest << 8 | UInt64(byte) }
      add(rest)
    }
  }

  /// The link of a group behind another one.
  static func after(_ before: UInt64, _ group: LogGroup) -> UInt64 {
    var link = LogLink()
    link.add(before)
    link.add(group.first)
    link.add(UInt64(group.count))
    link.add(group.time)
    link.add(group.records)
    return link.value
  }

  /// The link of a message of the log between machines; it holds the link of the one before.
  package static func of(message bytes: [UInt8]) -> UInt64 {
    var link = LogLink()
    link.add(bytes)
    return link.value
  }

  static func of(_ snapshot: LogSnapshot) -> UInt64 {
    var link = LogLink()
    link.add(snapshot.position)
    link.add(snapshot.bytes)
    return link.value
  }
}
