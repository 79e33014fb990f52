import Wire

/// The client's side of the state stream: keeps the last frames and shows the world between two of
/// them, a little behind the server, at an even speed.
///
///     let info = try playback.receive(frame, now: now)       // as frames come
///     playback.receive(echo, sent: sent, now: now)           // about once a second
///     playback.sample(now: now, into: &instances)            // as often as the screen wants
///
/// Times are milliseconds of a steady local clock. What is shown never runs backwards, except after
/// a keyframe of an earlier tick, which is a server that started again.
public final class Playback {
  /// The server's time, from echoes.
  public private(set) var clock = ServerClock()
  /// The decoder of the stream, with the newest world.
  public let decoder = StreamDecoder()
  /// Counts for a display of the link's quality.
  public private(set) var statistics = PlaybackStatistics()

  /// What there was to draw besides the stickers at the last `sample`.
  public private(set) var scenery = PictureScenery()

  var frames = FrameRing()
  var births = BirthTicks()
  private var arrivals = ArrivalDelay()
  private var steady = SteadyTick()
  /// The newest frame's tick there.
  private var newestPlace = 0.0
  private var time = LocalTime()
  /// All was calm between the last two frames.
  private var isCalm = false

  /// Ticks for which a server holds frames back at most, with some for the way.
  private static let calmTicks = Double(StreamShape.heldTicks + 8)
  /// Milliseconds added to the delay for the screen's own rhythm.
  private static let margin = 4.0

  public init() {}

  /// The tick that is shown, with its fraction, on the clock's line of ticks.
  var shown: Double? { steady.place }

  /// Takes a frame in. Throws as `StreamDecoder.decode` does; the frames so far stay.
  @discardableResult
  public func receive(
    _ bytes: UnsafeRawBufferPointer, now: Double
  ) throws(WireError) -> StateFrameInfo {
    let now = time.plausible(now)
    let info: StateFrameInfo
    do throws(WireError) {
      info = try decoder.decode(bytes)
    } catch {
      statistics.count(error)
      throw error
    }
    statistics.count(info)
    if let newest = frames.newest, isAnother(than: newest, info) { startAgain() }
    births.note(decoder.world, isFirst: frames.count == 0)
    // Up to the frame before this one all was calm: motion begins there, not long ago.
    if info.held > 0 { frames.repeatNewest(at: info.tick &- interval) }
    isCalm = frames.newest.map { decoder.world.isCalm(since: $0) } ?? false
    frames.append(decoder.world)
    newestPlace = clock.place(of: info.tick)
    clock.receive(frameAt: newestPlace, now: now)
    arrivals.receive(frameAt: newestPlace, now: now)
    return info
  }

  /// Whether a frame is of another server, or on another lattice, than the newest so far.
  private func isAnother(than newest: LatticeWorld, _ info: StateFrameInfo) -> Bool {
    info.tick.ticks(since: newest.tick) <= 0 || decoder.world.profile != newest.profile
  }

  /// Ticks from frame to frame.
  private var interval: UInt32 { decoder.shape?.rate.interval ?? 1 }

  /// Takes a clock echo in that was asked for at `sent`.
  public func receive(_ echo: ClockEcho, sent: Double, now: Double) {
    let now = time.plausible(now)
    clock.receive(
      tick: echo.tick, microseconds: echo.microseconds, sent: sent >= 0 ? sent : now, now: now)
  }

  /// Milliseconds that the shown world is behind the server's; 0 before the first frame.
  public var delay: Double {
    guard let origin = clock.origin, frames.count > 0 else { return 0 }
    let behind = arrivals.offset + slack - origin
    return behind > 0 ? behind : 0
  }

  /// Milliseconds by which the shown world stays behind the latest arrivals: until the next frame
  /// is there, and the screen's own rhythm.
  private var slack: Double {
    Double(interval) * ServerClock.tickLength + Playback.margin
  }

  /// Spread of the frames' arrivals in milliseconds.
  public var jitter: Double { arrivals.jitter }

  /// Fills `instances` with the stickers as they are to be shown at `now`, in order of slots.
  public func sample(now: Double, into instances: inout [StickerInstance]) {
    instances.removeAll(keepingCapacity: true)
    guard let newest = frames.newest, let oldest = frames.oldest else { return }
    advance(to: time.plausible(now))
    let kept = Double(newest.tick.ticks(since: oldest.tick))
    let position = SteadyTick.bounded((shown ?? newestPlace) - (newestPlace - kept), 0, kept)
    let index = frames.index(before: position)
    let from = frames[index]
    let to = frames[index + 1 < frames.count ? index + 1 : index]
    let between = Interpolation(
      from: from, to: to, at: position, after: oldest.tick, births: births)
    between.append(to: &instances)
    scenery.update(
      from: from.scenery, to: to.scenery, share: between.share, instances: instances)
  }

  /// Moves the shown tick on.
  private func advance(to now: Double) {
    guard frames.count > 0 else { return }
    // Without frames the world stands still rather than running ahead of what is known; but while
    // all is calm, the server holds frames back, and time goes on.
    steady.advance(
      towards: (now - arrivals.offset - slack) / ServerClock.tickLength,
      startingUpTo: newestPlace, limit: newestPlace + (isCalm ? Playback.calmTicks : 0), now: now)
  }

  /// Forgets the frames of a server that is no more; the clock is another one too.
  private func startAgain() {
    frames.removeAll()
    births = BirthTicks()
    clock = ServerClock()
    arrivals = ArrivalDelay()
    steady.startAgain()
    isCalm = false
  }
}

/// What a client counts of its stream.
public struct PlaybackStatistics: Equatable, Sendable {
  /// Frames that were taken, keyframes among them.
  public private(set) var frames: UInt32 = 0
  /// Keyframes.
  public private(set) var keyframes: UInt32 = 0
  /// Frames that the server announced as skipped.
  public private(set) var skipped: UInt32 = 0
  /// Frames that were refused because one before them was missing.
  public private(set) var gaps: UInt32 = 0
  /// Frames that were refused for anything else.
  public private(set) var errors: UInt32 = 0

  mutating func count(_ info: StateFrameInfo) {
    frames &+= 1
    skipped &+= info.skipped
    if info.isKeyframe { keyframes &+= 1 }
  }

  mutating func count(_ error: WireError) {
    switch error {
    case .gap, .noKeyframe: gaps &+= 1
    default: errors &+= 1
    }
  }
}
