import DequeModule
import TickLog
import Wire

/// An edge's inputs on their way to the leader: in numbered messages, each sent again until the log
/// says that a tick took it.
struct InputForwarder {
  /// Messages that may be under way: two seconds of them. Inputs beyond wait in the lanes, where
  /// tilts and moves replace each other.
  private static let mostUnderWay = 120
  /// Nanoseconds without news of a message until it is sent again.
  private static let patience: UInt64 = 250_000_000
  /// Messages that are sent again at a time: those of half a second.
  private static let burst = 32

  private let member: MemberID
  private var underWay: Deque<InputsMessage> = []
  private var next: UInt32 = 1
  /// When the oldest one was sent, or the last one that the log told was taken.
  private var since: UInt64 = 0
  private(set) var repeated = 0

  init(_ member: MemberID) {
    self.member = member
  }

  /// Whether another message may be sent.
  var hasRoom: Bool { underWay.count < Self.mostUnderWay }

  /// Sends inputs; those that are too many for a message go in the next ones.
  mutating func send(
    _ inputs: [MemberInput], wantsWorld: Bool, to link: any ClusterLink, now: UInt64
  ) {
    var rest = inputs[...]
    repeat {
      if underWay.isEmpty { since = now }
      let message = InputsMessage(
        member: member, number: next, wantsWorld: wantsWorld,
        inputs: Array(rest.prefix(ClusterLimits.inputs)))
      rest = rest.dropFirst(ClusterLimits.inputs)
      next += 1
      underWay.append(message)
      link.send(inputs: message.encoded())
    } while !rest.isEmpty
  }

  /// The log says how many messages were taken.
  mutating func taken(_ count: UInt32, now: UInt64) {
    while let first = underWay.first, first.number <= count {
      underWay.removeFirst()
      since = now
    }
  }

  /// Everything that the log did not tell of: this member is the leader now.
  mutating func takeBack() -> [MemberInput] {
    defer { underWay.removeAll() }
    return underWay.flatMap(\.inputs)
  }

  /// Sends again what the log did not tell of.
  mutating func turn(_ link: any ClusterLink, now: UInt64) {
    guard !underWay.isEmpty, now - min(since, now) > Self.patience else { return }
    since = now
    for message in underWay.prefix(Self.burst) {
      link.send(inputs: message.encoded())
      repeated += 1
    }
  }
}
