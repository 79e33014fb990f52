import Transport
import Wire

/// One connection's side of the conversation. Lives on the network thread.
final class Session {
  unowned let connection: any Connection
  /// Where it stands in the hub's array; the hub keeps it.
  var index = 0
  /// Nil until the hello, and again when the session is over.
  var participant: Participant?
  /// The server has closed it; the peer's answer is still out.
  var isOver = false
  /// The hello's place among all hellos.
  private(set) var joined = 0
  /// What the client asked for, and what it gets now: a slow one is lowered for a while.
  private(set) var askedRate = FrameRate.hz60
  private(set) var rate = FrameRate.hz60

  /// The next frame must be a keyframe: at the start, and after frames were skipped.
  var needsKeyframe = true
  /// The list of people changed since this session was told.
  var needsPeople = true
  /// What there is to tell this session alone.
  var news: NoticeCode?
  /// It has had a keyframe.
  private(set) var hasWorld = false
  private var nextKeyframeTick: UInt32 = 0

  let openedTick: UInt32
  private(set) var lastWrittenTick: UInt32
  private var troubles = 0
  private var lastTroubleTick: UInt32 = 0

  private var tiltBucket: TokenBucket
  private var commandBucket: TokenBucket
  private var clockBucket: TokenBucket

  init(connection: any Connection, limits: Limits, tick: UInt32) {
    self.connection = connection
    openedTick = tick
    lastWrittenTick = tick
    tiltBucket = TokenBucket(perSecond: limits.tiltsPerSecond, tick: tick)
    commandBucket = TokenBucket(perSecond: limits.commandsPerSecond, tick: tick)
    clockBucket = TokenBucket(perSecond: limits.clocksPerSecond, tick: tick)
  }

  func greeted(_ participant: Participant, rate: FrameRate, joined: Int) {
    self.participant = participant
    self.joined = joined
    askedRate = rate
    self.rate = rate
  }

  // MARK: Limits

  /// The limit that this message breaks, if any.
  func limitBroken(by message: ClientMessage, at tick: UInt32) -> String? {
    switch message {
    case .tilt: tiltBucket.take(at: tick) ? nil : "too many tilt samples"
    case .drop, .throwSticker: commandBucket.take(at: tick) ? nil : "too many commands"
    case .clock: clockBucket.take(at: tick) ? nil : "too many clock questions"
    case .hello: nil
    }
  }

  /// The stamp of the next command.
  func nextSequence() -> UInt32 {
    participant!.commands += 1
    return participant!.commands
  }

  // MARK: Backpressure

  /// Three skips, each within ten seconds of the one before, mean that the link can't carry this
  /// rate: it is lowered. After half a minute without one it is raised again, a step at a time.
  private static let skipsTolerated = 3
  private static let memoryTicks: UInt32 = 600
  private static let recoveryTicks: UInt32 = 1800
  /// A keyframe that found the pipe full is tried again after this many ticks: it is encoded anew
  /// each time.
  private static let keyframeRetryTicks: UInt32 = 6

  /// The connection took no frame: what comes next must be a keyframe, perhaps at a lower rate.
  func skipped(at tick: UInt32) {
    guard !needsKeyframe else { return }
    needsKeyframe = true
    if tick &- lastTroubleTick > Self.memoryTicks { troubles = 0 }
    troubles += 1
    lastTroubleTick = tick
    if troubles >= Self.skipsTolerated, rate != rate.slower {
      rate = rate.slower
      troubles = 0
      news = .slowedDown
    }
  }

  /// Whether a keyframe is worth encoding for this session.
  func wantsKeyframe(at tick: UInt32) -> Bool {
    needsKeyframe && Int32(bitPattern: tick &- nextKeyframeTick) >= 0
  }

  func missedKeyframe(at tick: UInt32, offered: Bool) {
    if offered { nextKeyframeTick = tick &+ Self.keyframeRetryTicks }
  }

  func wroteKeyframe(at tick: UInt32) {
    needsKeyframe = false
    hasWorld = true
    lastWrittenTick = tick
  }

  func wroteFrame(at tick: UInt32) {
    lastWrittenTick = tick
    guard rate != askedRate, tick &- lastTroubleTick > Self.recoveryTicks else { return }
    rate = rate.faster
    lastTroubleTick = tick
    if rate == askedRate { news = .fullSpeed }
    // Frames of another rate build on another tick.
    needsKeyframe = true
  }
}
