import Transport
import Wire

/// One connection's side of the conversation. Lives on the network thread.
final class Session {
  unowned let connection: any Connection
  /// Where it stands in the hub's array; the hub keeps it.
  var index = 0
  /// Nil until the hello.
  var participant: Participant?
  /// What the client asked for, and what it gets now: a slow one is lowered for a while.
  private(set) var askedRate = FrameRate.hz60
  private(set) var rate = FrameRate.hz60

  /// The next frame must be a keyframe: at the start, and after frames were skipped.
  var needsKeyframe = true
  /// The list of people changed since this session was told.
  var needsPeople = true

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

  func greeted(_ participant: Participant, rate: FrameRate) {
    self.participant = participant
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

  /// Three skips within ten seconds mean that the link can't carry this rate: it is lowered. After
  /// half a minute without one it is raised again, a step at a time.
  private static let skipsTolerated = 3
  private static let memoryTicks: UInt32 = 600
  private static let recoveryTicks: UInt32 = 1800

  /// The connection took no frame: what comes next must be a keyframe, perhaps at a lower rate.
  func skipped(at tick: UInt32) {
    guard !needsKeyframe else { return }
    needsKeyframe = true
    if tick &- lastTroubleTick > Self.memoryTicks { troubles = 0 }
    troubles += 1
    lastTroubleTick = tick
    if troubles >= Self.skipsTolerated {
      rate = rate.slower
      troubles = 0
    }
  }

  func wroteKeyframe(at tick: UInt32) {
    needsKeyframe = false
    lastWrittenTick = tick
  }

  func wroteFrame(at tick: UInt32) {
    lastWrittenTick = tick
    guard rate != askedRate, tick &- lastTroubleTick > Self.recoveryTicks else { return }
    rate = rate.faster
    lastTroubleTick = tick
    // Frames of another rate build on another tick.
    needsKeyframe = true
  }
}
