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
  private var profile = CodecProfile.strict

  /// What it has of its stream; nil for nothing that a frame could build on.
  private(set) var position: StreamPosition?
  /// The list of people changed since this session was told.
  var needsPeople = true
  /// What there is to tell this session alone.
  var news: NoticeCode?
  /// A frame found its pipe full, and none was written since.
  private var isBlocked = false
  /// Frames for it alone are not tried before.
  private var nextTryTick: UInt32 = 0

  let openedTick: UInt32
  private(set) var lastWrittenTick: UInt32
  private var troubles = 0
  private var lastTroubleTick: UInt32 = 0

  private var tiltBucket: TokenBucket
  private var commandBucket: TokenBucket
  private var moveBucket: TokenBucket
  private var wordsBucket: TokenBucket
  private var clockBucket: TokenBucket

  init(connection: any Connection, limits: Limits, tick: UInt32) {
    self.connection = connection
    openedTick = tick
    lastWrittenTick = tick
    tiltBucket = TokenBucket(perSecond: limits.tiltsPerSecond, tick: tick)
    commandBucket = TokenBucket(perSecond: limits.commandsPerSecond, tick: tick)
    moveBucket = TokenBucket(perSecond: limits.movesPerSecond, tick: tick)
    wordsBucket = TokenBucket(perSecond: limits.wordsPerSecond, tick: tick)
    clockBucket = TokenBucket(perSecond: limits.clocksPerSecond, tick: tick)
  }

  func greeted(_ participant: Participant, hello: Hello, joined: Int) {
    self.participant = participant
    self.joined = joined
    askedRate = hello.rate
    rate = hello.rate
    profile = hello.profile
  }

  /// The stream that it receives.
  var stream: StreamKey { StreamKey(rate: rate, profile: profile) }

  // MARK: Limits

  /// The limit that this message breaks, if any.
  func limitBroken(by message: ClientMessage, at tick: UInt32) -> String? {
    switch message {
    case .tilt: tiltBucket.take(at: tick) ? nil : "too many tilt samples"
    case .drop, .throwSticker, .grab, .release, .snap:
      commandBucket.take(at: tick) ? nil : "too many commands"
    case .move: moveBucket.take(at: tick) ? nil : "too many moves"
    case .say: wordsBucket.take(at: tick) ? nil : "too many words"
    case .clock: clockBucket.take(at: tick) ? nil : "too many clock questions"
    case .hello, .stream: nil
    }
  }

  /// The stamp of the next command.
  func nextSequence() -> UInt32 {
    participant!.commands += 1
    return participant!.commands
  }

  // MARK: The stream

  /// What a session gets of one tick.
  enum Delivery {
    /// Nothing, and nothing is missing: nothing happened.
    case nothing
    /// Nothing: what it needs is not there yet.
    case wait
    case frame(OutgoingFrame, Kind, leadingTo: StreamPosition)

    enum Kind { case own, catchUp, keyframe }
  }

  /// Chooses what leads on from where it is.
  func delivery(from edition: Edition, at tick: UInt32) -> Delivery {
    guard edition.isOpen else { return .wait }
    if let position {
      if position.isInStep, position.tick == edition.base {
        guard edition.hasOwn else { return .nothing }
        return .frame(edition.own, .own, leadingTo: StreamPosition(tick: tick, isInStep: true))
      }
      fallBehind()
      if let catchUp = edition.catchUp(from: self.position!) {
        return .frame(catchUp.frame, .catchUp, leadingTo: catchUp.to)
      }
      if Int32(bitPattern: position.tick &- edition.oldest) < 0 { self.position = nil }
      return .wait
    }
    guard let next = edition.keyframePosition else { return .wait }
    return .frame(edition.keyframe, .keyframe, leadingTo: next)
  }

  private func fallBehind() {
    position?.isInStep = false
  }

  /// Notes what it needs encoded for the next frame, if now is the time to try.
  func addDemand(to demand: inout StreamDemand, at tick: UInt32) {
    demand.isWanted = true
    guard Int32(bitPattern: tick &- nextTryTick) >= 0 else { return }
    guard let position else {
      demand.wantsKeyframe = true
      return
    }
    if !position.isInStep { demand.add(position) }
  }

  // MARK: Backpressure

  /// Three times within ten seconds each that the pipe was full mean that the link can't carry this
  /// rate: it is lowered. After half a minute without, it is raised again, a step at a time.
  private static let blocksTolerated = 3
  private static let memoryTicks: UInt32 = 600
  private static let recoveryTicks: UInt32 = 1800
  /// A frame for it alone that found the pipe full is tried again after this many ticks: it is
  /// encoded anew each time.
  private static let retryTicks: UInt32 = 6

  /// The pipe was full: the session stays where it is, perhaps at a lower rate.
  func blocked(_ kind: Delivery.Kind, at tick: UInt32) {
    fallBehind()
    if kind != .own { nextTryTick = tick &+ Self.retryTicks }
    guard !isBlocked else { return }
    isBlocked = true
    if tick &- lastTroubleTick > Self.memoryTicks { troubles = 0 }
    troubles += 1
    lastTroubleTick = tick
    if troubles >= Self.blocksTolerated, rate != rate.slower {
      change(to: rate.slower)
      troubles = 0
      news = .slowedDown
    }
  }

  /// A frame was written.
  func wrote(leadingTo next: StreamPosition, at tick: UInt32) {
    position = next
    isBlocked = false
    lastWrittenTick = tick
    guard rate != askedRate, tick &- lastTroubleTick > Self.recoveryTicks else { return }
    change(to: rate.faster)
    lastTroubleTick = tick
    if rate == askedRate { news = .fullSpeed }
  }

  /// Another rate is another stream: it begins with a keyframe.
  private func change(to other: FrameRate) {
    rate = other
    position = nil
  }
}
