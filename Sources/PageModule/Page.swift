import Simulation
import Wire

/// What a page knows of its connection, its world and its people.
final class Page {
  /// The answer to the last hello; nil before it.
  var welcome: Welcome?
  /// Which of the two streams it asked for.
  var kind = StreamKind.state
  /// The state stream, and what is shown of it.
  var playback = Playback()
  /// The log, and the world that runs by it; nil with the state stream.
  var follower: PredictedPlayback?
  /// The world of the connection before, which the log may lead on.
  var kept: KeptWorld?
  /// Both worlds of the last divergence, for whoever looks for the fault, also when the page has
  /// connected anew since.
  var divergence: Divergence?
  /// The world that it has to itself, while it reaches no server.
  var alone: WorldAlone?
  /// Who it was before it connected anew, and the world that it showed then, to be played on alone.
  var lastWelcome: Welcome?
  var lastPit: Pit?
  /// The number of the last command that was sent.
  var lastCommand: UInt32 = 0
  /// When to report next how following goes, and what was reported before.
  var nextReport: Double?
  var reported = PredictionCounts()
  /// The last minute of the log, to be seen again.
  var recording = Recording()
  /// The past, while it is shown instead of the present.
  var past: RecordedPlayback?
  /// A world that only follows a log, for comparison.
  var checked: Replica?
  /// What to do about frames that were refused.
  var recovery = StreamRecovery()
  /// How many are connected, and the newest of them.
  var peopleCount: UInt16 = 0
  var people: [Person] = []
  /// Code of the last message notice, 0 for none.
  var noticeCode: UInt8 = 0
  /// What the host has decided.
  var hostNotice = HostNotice()
  /// Whose tilt counts.
  var tiltNotice = TiltNotice.everybody
  /// How people tilt, as far as they are told.
  var tilts: [PersonTilt] = []
  /// When to come back, in milliseconds after the server said so; nil if it didn't.
  var returnDelay: UInt16?
  /// What happened since the page last cleared it: kind, two numbers, a place in 1/8 pt, the tick.
  var events: [Int32] = []
  /// When the last frame came, for the quality.
  var lastFrame: Double?
  /// Now, as the page said last.
  var now = 0.0
  var instances: [StickerInstance] = []
  /// The effects that the page took last.
  private var effects: [TickEffect] = []

  /// The host's announcement.
  let announcement = SharedBuffer(limit: WireLimits.announcementBytes)

  /// Bytes that come from the page.
  let input = SharedBuffer(limit: WireLimits.serverMessageBytes)
  /// Bytes that go to the page: a message.
  let output = SharedBuffer(limit: WireLimits.clientMessageBytes)
  /// The message while it is written.
  var messageBytes: [UInt8] = []
  /// The resume token, 16 bytes; zeros for none.
  let token = SharedBuffer(limit: 16)
  /// The person's name, then the listed people's, then the captain's, 32 bytes each.
  let names = SharedBuffer(limit: (2 + WireLimits.listedPeople) * WireLimits.nameBytes)
  /// The instances of the last sample.
  let drawing = SharedBuffer(limit: WireLimits.bodies * MemoryLayout<StickerInstance>.stride)

  /// The scenery of the last sample: boundaries, rods.
  let boundaries = SharedBuffer(limit: Scenery.mostBoundaries * 20)
  let rods = SharedBuffer(limit: Scenery.mostRods * MemoryLayout<PictureScenery.Rod>.stride)

  /// The effects that the page took last.
  let effectNumbers = SharedBuffer(
    limit: TickEffect.most * MemoryLayout<TickEffect>.stride)

  /// How following the log goes: see `Exports+Following`.
  let following = SharedBuffer(limit: 17 * MemoryLayout<Double>.stride)
  /// What was different first when the world was last wrong: a short text.
  let difference = SharedBuffer(limit: 128)
  /// Both worlds of the last divergence, when they were asked for: see `Exports+Following`.
  let worlds = SharedBuffer(limit: Page.divergenceHead + 2 * Packing.mostBytes + 128)

  /// A stretch of a journal: a snapshot, then records.
  let stretch = SharedBuffer(limit: Page.mostStretchBytes)
  /// Ten times what a crowd makes of ten minutes.
  private static let mostStretchBytes = 1 << 24

  /// The events, six numbers each.
  let happenings = SharedBuffer(limit: Page.mostEvents * 6 * MemoryLayout<Int32>.stride)

  init() {
    _ = happenings.reserve(happenings.limit)
    _ = following.reserve(following.limit)
    _ = effectNumbers.reserve(effectNumbers.limit)
    _ = difference.reserve(difference.limit)
    _ = boundaries.reserve(boundaries.limit)
    _ = rods.reserve(rods.limit)
    _ = token.reserve(16)
    _ = names.reserve(names.limit)
    _ = announcement.reserve(announcement.limit)
    _ = output.reserve(output.limit)
    _ = drawing.reserve(MemoryLayout<StickerInstance>.stride)
  }

  /// Forgets everything but the token and the world: the page connects anew. Who plays alone goes
  /// on until somebody answers.
  func reset() {
    // After an attempt that failed, the world of the connection before is still the newest. A
    // server that ended took its world with it.
    kept = returnDelay == nil ? follower.flatMap { KeptWorld($0, at: lastFrame) } ?? kept : nil
    returnDelay = nil
    lastPit = follower?.prediction?.pit ?? lastPit
    lastWelcome = welcome ?? lastWelcome
    welcome = nil
    playback = Playback()
    follower = nil
    recovery = StreamRecovery()
    peopleCount = 0
    people.removeAll()
    noticeCode = 0
    hostNotice = HostNotice()
    tiltNotice = .everybody
    tilts.removeAll()
    events.removeAll()
    lastFrame = nil
  }

  /// Runs the world to a moment that is ahead of the log, if this page follows the log, or that it
  /// has to itself.
  func run(to now: Double) {
    self.now = now
    guard let alone else {
      follower?.run(to: now)
      return
    }
    alone.playback.run(to: now) { event, tick in take(event, at: tick) }
  }

  /// Samples the world at a moment into `drawing` and returns the number of instances.
  func sample(at now: Double) -> Int32 {
    self.now = now
    if let alone {
      alone.playback.sample(into: &instances)
    } else if let follower {
      follower.sample(now: now, into: &instances)
    } else {
      playback.sample(now: now, into: &instances)
    }
    return writeSample()
  }

  /// Writes the sample where JavaScript reads it; returns the number of instances.
  func writeSample() -> Int32 {
    let bytes = instances.count * MemoryLayout<StickerInstance>.stride
    guard drawing.reserve(bytes) else { return 0 }
    instances.withUnsafeBytes { drawing.copy($0, at: 0) }
    writeScenery()
    return Int32(instances.count)
  }

  /// Who the page is, and in what kind of world.
  var person: Welcome? { alone?.welcome ?? welcome }

  /// Writes the effects since the last call where JavaScript reads them; returns their number.
  func takeEffects() -> Int32 {
    if let alone {
      alone.playback.takeEffects(into: &effects)
    } else if let follower {
      follower.takeEffects(into: &effects)
    } else {
      return 0
    }
    assert(effects.count <= TickEffect.most)
    effects.withUnsafeBytes { effectNumbers.copy($0, at: 0) }
    return Int32(effects.count)
  }

  /// The gravity of what is shown, and the last tick that is certain.
  var gravity: QuantizedGravity {
    if let past { return past.gravity }
    if let alone { return alone.playback.pit.gravity }
    guard let follower else { return playback.decoder.world.gravity }
    return follower.prediction?.pit.gravity ?? .down
  }
  var tick: UInt32 {
    if let alone { return alone.playback.pit.tick }
    guard let follower else { return playback.decoder.world.tick }
    return follower.prediction?.replica.pit.tick ?? 0
  }

  /// Messages that brought the world, and those among them that brought it whole.
  var frames: UInt32 {
    follower.map { $0.statistics.messages } ?? playback.statistics.frames
  }
  var keyframes: UInt32 {
    follower.map { $0.statistics.snapshots } ?? playback.statistics.keyframes
  }

  /// The server's time.
  var clock: ServerClock { follower?.clock ?? playback.clock }

  /// Spread of the frames' arrivals in milliseconds; who predicts doesn't wait for frames.
  var jitter: Double { follower == nil ? playback.jitter : 0 }

  /// What there is besides the stickers, in the last sample.
  var scenery: PictureScenery {
    past?.scenery ?? alone?.playback.scenery ?? follower?.scenery ?? playback.scenery
  }

  /// Milliseconds from what a person does to its effect in the picture.
  var leadTime: Double {
    if alone != nil { return 0 }
    guard let follower else { return playback.delay + playback.clock.roundTrip / 2 }
    return Double(follower.runAhead.inputDelay) * ServerClock.tickLength
  }

  /// The link in bars, 0…4: none without frames for 2 s, else by round trip and jitter.
  var quality: Int32 {
    guard let lastFrame, now - lastFrame < 2000 else { return 0 }
    let roundTrip = clock.roundTrip
    if roundTrip < 80 && jitter < 25 { return 4 }
    if roundTrip < 160 && jitter < 60 { return 3 }
    if roundTrip < 350 && jitter < 150 { return 2 }
    return 1
  }
}
