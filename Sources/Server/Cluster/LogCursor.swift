import TickLog
import Wire

/// How far somebody has read the log between machines, or written it.
struct LogCursor {
  var epoch: UInt32 = 0
  /// The position of the last tick.
  var position: UInt64 = 0
  /// The number of the last message in the stream, 0 before the first.
  var sequence: UInt64 = 0
  /// The link of that message: the next one names it.
  var link: UInt64 = 0
  /// How many messages of each member ticks have taken.
  var taken: [MemberID: UInt32] = [:]

  init() {}

  /// Where a world stands that is kept beside the log.
  init(_ world: WorldMessage) {
    epoch = world.epoch
    position = world.position
    sequence = world.sequence
    link = world.link
    for entry in world.taken { taken[entry.member] = entry.count }
  }

  /// Why a message can't be the next one; nil if it can.
  func problem(_ message: LogMessage, at sequence: UInt64) -> String? {
    assert(sequence == self.sequence + 1, "messages are taken in the order of their numbers")
    guard message.before == link else { return "message \(sequence) follows on another one" }
    guard message.epoch >= epoch else { return "message \(sequence) is of a leader before" }
    guard message.position == position + (message.isTick ? 1 : 0) else {
      return "message \(sequence) has tick \(message.position) behind \(position)"
    }
    return nil
  }

  /// Goes on behind a message without a problem.
  mutating func advance(_ message: LogMessage, bytes: [UInt8]) {
    epoch = message.epoch
    position = message.position
    sequence += 1
    link = LogLink.of(message: bytes)
    for entry in message.taken { taken[entry.member] = entry.count }
  }

  /// Forgets what was taken of members that are gone, once the table is half full: until then one
  /// that only stood still goes on where it was.
  mutating func forgetGone(_ isHere: (MemberID) -> Bool) {
    guard taken.count > ClusterLimits.members / 2 else { return }
    taken = taken.filter { isHere($0.key) }
  }

  /// `taken` as messages tell it, in ascending order, so that equal worlds are told alike.
  var takenList: [InputsTaken] {
    taken.sorted { $0.key.value < $1.key.value }.map {
      InputsTaken(member: $0.key, count: $0.value)
    }
  }
}
