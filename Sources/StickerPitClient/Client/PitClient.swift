import Simulation
import Wire

/// A person in a pit, or somebody who only looks on.
///
///     let client = PitClient(url: url)        // on Linux: try PitClient(socket: "ws://…")
///     client.connect()
///     let picture = client.picture()          // as often as the screen wants
///
/// It works when it is asked for pictures: `picture()` takes in what came, keeps the connection,
/// sends tilt and moves, runs the world, and returns the stickers. Between two pictures nothing
/// happens, so an app in the background costs nothing; if it stays there, the server or the link
/// ends the connection, and the next picture begins with a new one.
///
/// A client belongs to one thread or actor, such as the main one, and has no lock. Its token is
/// good for a minute after a connection ended: with it the same person comes back, by itself after
/// a lost connection, or by handing it to a new client.
public final class PitClient {
  /// The subprotocol that a link must offer to the server.
  public static let subprotocol = "stickerpit.v1"
  /// Stickers that a client may hold at a time; the server refuses a fourth.
  public static let mostHands = 3
  /// What happened and waits for `takeHappenings()` at most: ten seconds of a lively gallery.
  public static let mostHappenings = 256

  /// What a client wants to be sent.
  public struct Wishes: Equatable, Sendable {
    /// Which stream. `.replica` is the log: the app runs the same world as the server, and what a
    /// person does shows in the next tick of 1/60 s. `.state` is frames of places, for devices that
    /// can't run the world; what a person does shows after a round trip.
    public var stream: StreamKind
    /// Frames of the state stream a second, or messages of the log.
    public var rate: FrameRate
    /// How near to the truth the state stream keeps stickers: `.visual` to half a point, `.strict`
    /// to a sixteenth of one.
    public var profile: CodecProfile
    /// Whether the client only looks on: it is nobody in the pit and sends no tilt or commands.
    public var isWatching: Bool
    /// Whether it keeps to the log, however slow the device or the line is; otherwise it asks for
    /// the state stream instead then.
    public var keepsToStream: Bool

    /// The wishes of an app as a rule: the log, 60 times a second.
    public init(
      stream: StreamKind = .replica, rate: FrameRate = .hz60, profile: CodecProfile = .visual,
      isWatching: Bool = false, keepsToStream: Bool = false
    ) {
      self.stream = stream
      self.rate = rate
      self.profile = profile
      self.isWatching = isWatching
      self.keepsToStream = keepsToStream
    }
  }

  /// What the client wants to be sent. Its stream becomes `.state` where the log is too much.
  public internal(set) var wishes: Wishes
  /// Where the client is on its way to the world.
  public internal(set) var state = PitClientState.idle
  /// What went wrong last, even if it has been mended since; nil for nothing.
  public internal(set) var lastError: PitClientError?
  /// With what this person may come back; nil before the first welcome, and after the host removed
  /// the person.
  public internal(set) var token: SessionToken?
  /// Who this client is: number, name and colour; nil before the first welcome.
  public internal(set) var person: Person?
  /// How many people are here, 0…65 535.
  public internal(set) var peopleCount = 0
  /// The newest of them, at most 12.
  public internal(set) var people: [Person] = []
  /// What the host has decided: whether the world stands still, whether nobody new may join, and
  /// what the host has to say.
  public internal(set) var host = HostNotice()
  /// Whose tilt counts: everybody's, unless the server was started with `--tilt captain`.
  public internal(set) var tilting = TiltNotice.everybody
  /// How people tilt, in 1/64: up to 12 of them, perhaps this client's own person too. Empty where
  /// nobody does, or where one person's tilt counts at a time.
  public internal(set) var tilts: [PersonTilt] = []

  /// How the phone leans: gravity in the screen's axes, of length 1 at most (longer ones are
  /// shortened); nil for somebody who doesn't tilt and has no say in everybody's gravity. The next
  /// pictures tell the server. `TiltSensor` reads it from a phone.
  public var tilt: PitVector?

  let clock: () -> Double
  private let dial: () -> any PitLink
  var link: (any PitLink)?
  /// The world of the connection; nil before the welcome.
  var player: WorldPlayer?
  var welcome: Welcome?
  /// The world of the connection before, which the log may lead on.
  var kept: KeptWorld?
  /// The number of the last command that was sent.
  var lastCommand: UInt32 = 0
  var shown = PitPicture()
  var happenings: [PitHappening] = []
  var tiltPace = TiltPace()
  var movePace = MovePace()
  var waits: Waits
  var timers = Timers()
  /// Milliseconds that messages took since the last picture.
  var unpaid = 0.0

  /// - Parameters:
  ///   - wishes: what it wants to be sent.
  ///   - token: that of an earlier client, to be the same person again.
  ///   - clock: milliseconds of a steady clock, the one that links stamp events with.
  ///   - seed: decides how long it waits before it connects again.
  ///   - dial: begins a new connection; called for each attempt.
  public init(
    _ wishes: Wishes = Wishes(), token: SessionToken? = nil,
    clock: @escaping () -> Double = PitClock.milliseconds,
    seed: UInt64 = .random(in: .min ... .max), dial: @escaping () -> any PitLink
  ) {
    self.wishes = wishes
    self.token = token
    self.clock = clock
    self.dial = dial
    waits = Waits(seed: seed)
  }

  deinit { link?.close() }

  /// Connects, and from now on stays connected. While it waits for the next attempt, that one is
  /// made at once.
  public func connect() {
    switch state {
    case .connecting, .online: return
    case .idle, .waiting, .ended:
      waits.reset()
      open(now: clock())
    }
  }

  /// Ends the connection, such as of an app that goes into the background; what was shown stays.
  /// The server keeps the person for a minute.
  public func disconnect() {
    drop()
    state = .idle
  }

  /// The picture of this moment. Call it as often as the screen wants, 60 times a second or 120;
  /// see above for all that happens in it. Without a connection it is the last picture.
  public func picture() -> PitPicture {
    let now = clock()
    advance(to: now)
    sendTilt(now)
    sendMoves(now)
    guard let player, player.hasWorld else { return shown }
    player.sample(into: &shown, now: now)
    shown.world = welcome.map { PitWorld($0) }
    player.spent(unpaid + max(0, clock() - now), now: now)
    unpaid = 0
    if player.isTooMuch { fallBack(now) }
    return shown
  }

  /// Takes what has happened in the world since the last call, the oldest first. Of more than
  /// `mostHappenings` the oldest are lost.
  public func takeHappenings() -> [PitHappening] {
    defer { happenings.removeAll(keepingCapacity: true) }
    return happenings
  }

  /// The gravity of what is shown, of length 1 at most; 1 is the scene's full magnitude.
  public var gravity: PitVector {
    guard let gravity = player?.gravity else { return PitVector(0, 1) }
    return PitVector(
      Float(gravity.x) / QuantizedGravity.unit, Float(gravity.y) / QuantizedGravity.unit)
  }

  /// How many times the log's hash of the world was that of the world that runs here; 0 with the
  /// state stream.
  public var hashesMatched: Int { player?.hashesMatched ?? 0 }

  /// Milliseconds to the server and back, as measured last; 0 before the first measurement.
  public var roundTrip: Double { player?.roundTrip ?? 0 }

  /// Begins a connection.
  func open(now: Double) {
    drop()
    state = .connecting
    timers = Timers(attemptAt: now)
    link = dial()
  }

  /// Lets go of the link, and of what belongs to its connection; the world is kept.
  func drop() {
    link?.close()
    link = nil
    kept = player?.kept ?? kept
    player = nil
    welcome = nil
    movePace.removeAll()
    (peopleCount, people, host, tilting) = (0, [], HostNotice(), .everybody)
    tilts = []
  }
}

/// Something that happened in the world.
public struct PitHappening: Equatable, Sendable {
  /// The tick, a sixtieth of a second; the low 32 bits.
  public var tick: UInt32
  /// What happened; places are in 1/8 pt.
  public var event: WireEvent
}
