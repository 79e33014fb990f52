import TickLog
import Wire

/// Reads the log between machines message by message, without a gap: what comes early waits, what
/// is missing is asked for by its number, and what was trimmed before it was read is told.
///
/// A state machine: whoever has it tells it what the link tells, and calls `turn` now and then.
struct LogReader {
  /// What can't go on by itself.
  enum Problem: Equatable {
    /// The log begins behind what is needed next: a newer world is needed.
    case trimmed
    /// The next message does not follow on the last one.
    case broken(String)
  }

  /// Messages that wait behind a gap, and are asked for at a time. At 60 a second these are four
  /// seconds; the rest is asked for afterwards.
  private static let window: UInt64 = 256
  /// Nanoseconds until something is asked for again.
  private static let patience: UInt64 = 200_000_000
  /// Nanoseconds for which the log is told to end too early until it counts as another one: of
  /// several NATS servers, one that has just begun to lead may have yet to look at all that it has.
  static let doubt: UInt64 = 2_000_000_000

  private(set) var cursor: LogCursor
  private var waiting: [UInt64: [UInt8]] = [:]
  /// The highest number that the log is known to have.
  private var end: UInt64
  /// Whether the log told its end since this reader began.
  private(set) var knowsEnd = false
  /// When something was asked for last, and up to which message.
  private var asked: (at: UInt64, through: UInt64)?
  /// When the last message came.
  private(set) var heard: UInt64
  /// The last question for the log's end: its token, and when it was asked.
  private var askedEnd: (token: UInt64, at: UInt64)?
  /// When the first question was asked that was answered with an end before the cursor.
  private var shortSince: UInt64?

  init(_ cursor: LogCursor, now: UInt64) {
    self.cursor = cursor
    end = cursor.sequence
    heard = now
  }

  /// Whether everything is read that the log is known to have.
  var isAtEnd: Bool { knowsEnd && cursor.sequence >= end }

  /// Messages that the log is known to have and that were not read.
  var missing: Int {
    assert(end >= cursor.sequence, "what was read is known to be there")
    return Int(end - cursor.sequence)
  }

  /// Forgets how far the log goes, so that it is asked again.
  mutating func forgetEnd() {
    knowsEnd = false
    askedEnd = nil
  }

  /// Takes a message of the log, and those that waited for it.
  /// - Parameter take: is given each message in its turn.
  mutating func receive(
    _ bytes: [UInt8], _ sequence: UInt64, now: UInt64, _ take: (LogMessage) throws -> Void
  ) throws -> Problem? {
    // What lies further ahead the log's own answers tell: one message is not believed so much.
    end = max(end, min(sequence, cursor.sequence + Self.window))
    if sequence > end, knowsEnd { forgetEnd() }
    guard sequence > cursor.sequence else { return nil }
    heard = now
    shortSince = nil
    guard sequence == cursor.sequence + 1 else {
      if sequence - cursor.sequence <= Self.window { waiting[sequence] = bytes }
      return nil
    }
    var next: [UInt8]? = bytes
    while let bytes = next {
      if let problem = try takeNext(bytes, take) { return problem }
      next = waiting.removeValue(forKey: cursor.sequence + 1)
    }
    return nil
  }

  private mutating func takeNext(
    _ bytes: [UInt8], _ take: (LogMessage) throws -> Void
  ) throws -> Problem? {
    let message: LogMessage
    do throws(WireError) { message = try LogMessage(bytes) } catch {
      return .broken("message \(cursor.sequence + 1): \(error)")
    }
    if let problem = cursor.problem(message, at: cursor.sequence + 1) { return .broken(problem) }
    cursor.advance(message, bytes: bytes)
    try take(message)
    return nil
  }

  /// Takes what the log told of its ends.
  /// - Parameter token: of the question.
  mutating func receiveEnd(token: UInt64, first: UInt64, last: UInt64) -> Problem? {
    guard let asked = askedEnd, asked.token == token else { return nil }
    askedEnd = nil
    // Messages may overtake an answer, but not those that were here when it was asked for.
    guard last >= cursor.sequence || asked.at <= heard else {
      knowsEnd = false
      let since = shortSince ?? asked.at
      shortSince = since
      guard asked.at - since >= Self.doubt else {
        // Asked again in a while and not at once.
        askedEnd = (token: 0, at: asked.at)
        return nil
      }
      return .broken("the log ends at \(last), before \(cursor.sequence), which was read")
    }
    (knowsEnd, shortSince) = (true, nil)
    end = max(end, last)
    return end > cursor.sequence && first > cursor.sequence + 1 ? .trimmed : nil
  }

  /// Asks for what is missing.
  /// - Returns: how many messages were asked for.
  mutating func turn(_ link: any ClusterLink, now: UInt64, token: UInt64) -> Int {
    let isMissing = end > cursor.sequence && waiting[cursor.sequence + 1] == nil
    let asked = isMissing ? askMissing(link, now, token) : 0
    askEnd(link, now, token)
    return asked
  }

  private mutating func askEnd(_ link: any ClusterLink, _ now: UInt64, _ token: UInt64) {
    let isQuiet = now - min(heard, now) > Self.patience
    guard !knowsEnd || isQuiet, askedEnd.map({ now - $0.at > Self.patience }) ?? true else {
      return
    }
    askedEnd = (token, now)
    link.askEnd(token: token)
  }

  private mutating func askMissing(
    _ link: any ClusterLink, _ now: UInt64, _ token: UInt64
  ) -> Int {
    let next = cursor.sequence + 1
    if let asked, next <= asked.through, now - asked.at <= Self.patience { return 0 }
    let through = min(end, next + Self.window - 1)
    asked = (now, through)
    var count = 0
    for sequence in next...through where waiting[sequence] == nil {
      link.askMessage(sequence, token: token)
      count += 1
    }
    return count
  }
}

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
