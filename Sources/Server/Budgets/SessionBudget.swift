import Transport
import Wire

/// What one connection may still say. More than that is no person at a phone: the session ends.
struct SessionBudget {
  private var tilts: TokenBucket
  private var commands: TokenBucket
  /// What the host lets a person give; nil where the host has said nothing.
  private var hosted: TokenBucket?
  private var moves: TokenBucket
  private var words: TokenBucket
  private var clocks: TokenBucket
  private var streams: TokenBucket

  init(_ limits: Limits) {
    tilts = TokenBucket(twoSecondsOf: limits.tiltsPerSecond)
    commands = TokenBucket(twoSecondsOf: limits.commandsPerSecond)
    moves = TokenBucket(twoSecondsOf: limits.movesPerSecond)
    words = TokenBucket(twoSecondsOf: limits.wordsPerSecond)
    clocks = TokenBucket(twoSecondsOf: limits.clocksPerSecond)
    streams = TokenBucket(perSecond: limits.streamsPerSecond, burst: limits.streamBurst)
  }

  /// Counts a message.
  /// - Parameter now: monotonic nanoseconds.
  /// - Returns: the limit that it breaks, in words; nil if it breaks none.
  mutating func limitBroken(by message: ClientMessage, at now: UInt64) -> String? {
    switch message {
    case .hello: nil
    case .aimed(_, let message): limitBroken(by: message, at: now)
    case .tilt: tilts.take(at: now) ? nil : "too many tilt samples"
    case .drop, .throwSticker, .grab, .release, .snap:
      commands.take(at: now) ? nil : "too many commands"
    case .move: moves.take(at: now) ? nil : "too many moves"
    case .say: words.take(at: now) ? nil : "too many words"
    case .clock, .report: clocks.take(at: now) ? nil : "too many clock questions"
    case .stream: streams.take(at: now) ? nil : "too many streams asked for"
    }
  }

  /// From now on what the host decided about commands holds.
  /// - Parameters:
  ///   - perSecond: what the host lets a person give; nil for no more than the configuration says.
  ///   - limits: those in force.
  mutating func take(hostsCommands perSecond: Int?, _ limits: Limits) {
    hosted = perSecond.map { TokenBucket(twoSecondsOf: $0) }
    commands = TokenBucket(twoSecondsOf: limits.commandsPerSecond)
  }

  /// Counts a command; false if the host lets the person give no more of them.
  /// - Parameter now: monotonic nanoseconds.
  mutating func mayCommand(at now: UInt64) -> Bool { hosted?.take(at: now) ?? true }

  /// Grants what a standstill of this process held up.
  mutating func forgive(_ nanoseconds: UInt64) {
    tilts.forgive(nanoseconds)
    commands.forgive(nanoseconds)
    hosted?.forgive(nanoseconds)
    moves.forgive(nanoseconds)
    words.forgive(nanoseconds)
    clocks.forgive(nanoseconds)
    streams.forgive(nanoseconds)
  }
}

extension TokenBucket {
  /// A bucket that takes two seconds' worth at once: what a network holds up arrives together.
  init(twoSecondsOf perSecond: Int) {
    self.init(perSecond: perSecond, burst: 2 * perSecond)
  }
}

/// When a session may be given another snapshot: two in four seconds at most. Five bytes ask for
/// some ten thousand, and who needs them more often can't follow; but a world may turn out to be
/// wrong right after one.
struct SnapshotBudget {
  private static let pause: UInt64 = 4_000_000_000
  /// Nanoseconds after which it is tried again when the address's allowance was used up.
  private static let refusalPause: UInt64 = 500_000_000

  /// Monotonic nanoseconds.
  private var next: UInt64 = 0
  private var last: UInt64 = 0

  /// Whether it may be given one.
  /// - Parameter now: monotonic nanoseconds.
  func allows(at now: UInt64) -> Bool { now >= next }

  /// It was given one.
  /// - Parameter now: monotonic nanoseconds.
  mutating func took(at now: UInt64) {
    next = last == 0 ? 0 : last + Self.pause
    last = now
  }

  /// The allowance of its address was used up.
  /// - Parameter now: monotonic nanoseconds.
  mutating func refused(at now: UInt64) { next = now + Self.refusalPause }
}
