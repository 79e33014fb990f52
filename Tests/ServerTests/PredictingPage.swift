import Transport
import Wire

@testable import Server
@testable import Simulation

/// A page that runs the world itself, on the network in memory: what the real one does, with a
/// display of 60 Hz, without a browser.
final class PredictingPage: ClientDelegate {
  let playback: () -> PredictedPlayback?
  private(set) var instances: [StickerInstance] = []
  /// What happened, with its tick.
  private(set) var events: [(event: WireEvent, tick: UInt32)] = []
  /// What went wrong.
  private(set) var failures: [String] = []
  /// How many times it asked for a snapshot because its world was wrong.
  private(set) var healed = 0
  /// When its world was found to be wrong, and when a snapshot made it right, in nanoseconds.
  private(set) var healings: [(found: UInt64, healed: UInt64)] = []
  private(set) var welcome: Welcome?
  /// Ticks by which its world was ahead of the log, at each picture.
  private(set) var ahead: [Int] = []
  /// By slot: how much further, in points, a sticker was shown from its place in the picture before
  /// than its speed and its gliding home explain. At most, and only where it ever was further.
  private(set) var breaks: [UInt16: Float] = [:]
  /// Ticks of the log that its predicted world had not in it yet, after each picture.
  private(set) var unseen: [Int] = []
  /// Slots in which a sticker was shown further than `leap` from its place in the picture before.
  private(set) var leaps: [UInt16] = []
  /// Pictures that corrected a sticker although no command of somebody else had come since the one
  /// before.
  private(set) var unprompted = 0
  /// Pictures after which a rollback was under way.
  private(set) var spread = 0
  /// Pictures after which the predicted world lacked what the log says, and waited with it.
  private(set) var postponed = 0
  /// Rollbacks that moved a sticker.
  var corrections: UInt32 { playback()?.statistics.corrections ?? 0 }

  /// Points: further than anything glides between two pictures, and not as far as what is never
  /// glided.
  private static let leap = 0.6 * Corrections.furthest
  /// What a picture of 16 ms takes back of a correction, as a share of what it leaves: a fifth of
  /// the whole.
  private static let takenBack: Float = 0.27
  /// How much faster than the server's time the picture may run: a quarter, while it catches up.
  private static let catchingUp: Float = 1.25
  /// How fast, in pt/s, the solver pushes apart what overlaps, besides the speeds of bodies.
  private static let push: Float = 400

  private let state: State
  private let network: MemoryNetwork
  private let cost: Double
  private var paidTicks: UInt32 = 0
  private var connection: (any Connection)?
  private var lastCommand: UInt32 = 0
  private var nextClock = 0.0
  /// The picture before, by slot, and when it was, in milliseconds.
  private var earlier: [UInt16: Shown] = [:]
  private var earlierAt = 0.0
  /// Whether a command of somebody else came since that.
  private var hasNews = false
  private var foundAt: UInt64?

  /// A sticker as it was shown.
  private struct Shown {
    var generation: UInt16
    var x: Float
    var y: Float
    /// How fast it was in the predicted world at this picture and the three before, in pt/s.
    var speeds: [Float]
  }

  /// What the delegate's calls change.
  private final class State {
    var playback: PredictedPlayback?
  }

  /// - Parameters:
  ///   - pictureNanoseconds: instead of `pictureMilliseconds`.
  ///   - cost: milliseconds that a tick takes here; 0 when the page never learns it.
  init(
    _ pit: VirtualServer, latency: ClosedRange<UInt64>? = nil, pictureMilliseconds: Int = 16,
    pictureNanoseconds: UInt64? = nil, cost: Double = 0
  ) {
    network = pit.network
    self.cost = cost
    let state = State()
    self.state = state
    playback = { state.playback }
    let pool = network.clients(self)
    network.every(pictureNanoseconds ?? UInt64(pictureMilliseconds) * 1_000_000) { [unowned self] in
      self.timerFired(nowNanoseconds: self.network.now)
    }
    pool.connect(faults: NetworkFaults(latency: latency ?? network.faults.latency))
  }

  private var now: Double { Double(network.now) / 1e6 }

  // MARK: What the person does

  /// Does something, and sees it in its own world at once.
  func act(_ command: Command, _ message: ClientMessage) {
    lastCommand = lastCommand.nextCommand
    send(message, aimed: state.playback?.act(command))
  }

  func drop(kind: UInt8 = 3, x: Int16, y: Int16) {
    act(.drop(kind: kind, x: x, y: y), .drop(kind: kind, x: x, y: y))
  }

  func tilt(x: Int16, y: Int16) {
    send(.tilt(x: x, y: y), aimed: state.playback?.tilt(x: x, y: y))
  }

  private func send(_ message: ClientMessage, aimed tick: UInt32?) {
    say(tick.map { .aimed(at: $0, message: message) } ?? message)
  }

  func say(_ message: ClientMessage) {
    var bytes: [UInt8] = []
    message.encode(into: &bytes)
    _ = connection?.send(OutgoingFrame(copying: bytes))
  }

  func leave() { connection?.close(.normal, reason: "") }

  // MARK: The connection

  func clientOpened(_ connection: any Connection) {
    self.connection = connection
    say(.hello(Hello(stream: .replica)))
  }

  func client(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
    do {
      switch try ServerMessage.decode(bytes) {
      case .welcome(let welcome):
        self.welcome = welcome
        lastCommand = welcome.commandsBefore
        state.playback = PredictedPlayback(person: welcome.clientID)
      case .snapshot:
        try state.playback?.begin(Array(bytes.dropFirst()), after: lastCommand, now: now)
        if let foundAt { healings.append((foundAt, network.now)) }
        foundAt = nil
      case .records:
        hasNews = hasNews || tellsOfOthers(bytes)
        try state.playback?.receive(bytes, now: now) { event, tick in
          events.append((event, tick))
        }
      case .clockEcho(let echo):
        let sent = now - Double(UInt32(truncatingIfNeeded: network.now / 1000) &- echo.stamp) / 1e3
        state.playback?.receive(echo, sent: sent, now: now)
      case .receipt(let receipt):
        for command in receipt.commands where command.outcome == .leftOut {
          state.playback?.leaveOut(welcome!.commandsBefore &+ command.number)
        }
      case .lateTilt(let tilt): state.playback?.receive(tilt, now: now)
      case .frame: failures.append("a frame")
      case .notice, .events, .comeBack: break
      }
    } catch ReplicaError.diverged {
      healed += 1
      foundAt = network.now
      say(.stream(kind: .replica, rate: .hz60, profile: .strict))
    } catch {
      failures.append("\(error)")
    }
  }

  /// Whether records hold a command of somebody else.
  private func tellsOfOthers(_ records: UnsafeRawBufferPointer) -> Bool {
    guard var coder = state.playback?.prediction?.replica.coder else { return false }
    var offset = 0
    while offset < records.count, let record = try? coder.decode(records, at: &offset) {
      if record.commands.contains(where: { $0.person != welcome?.clientID }) { return true }
    }
    return false
  }

  /// Makes its confirmed world another one than the server's.
  func spoil(_ change: (inout Pit) throws -> Void) rethrows {
    guard let replica = state.playback?.prediction?.replica else { return }
    var pit = replica.pit
    try change(&pit)
    state.playback?.begin(Replica(pit, replica.coder), after: lastCommand, now: now)
  }

  func timerFired(nowNanoseconds: UInt64) {
    if now >= nextClock, connection != nil {
      nextClock = now + (welcome == nil ? 100 : 1000)
      say(.clock(stamp: UInt32(truncatingIfNeeded: network.now / 1000)))
    }
    let corrected = corrections
    state.playback?.sample(now: now, into: &instances)
    guard let prediction = state.playback?.prediction else { return }
    if cost > 0 { pay(for: prediction.statistics) }
    ahead.append(prediction.ticksAhead)
    unseen.append(prediction.ticksUnseen)
    if corrections != corrected, !hasNews { unprompted += 1 }
    if prediction.ticksUnseen > 0, !prediction.isUnderWay { postponed += 1 }
    if prediction.isUnderWay { spread += 1 }
    hasNews = false
    noteStrides(prediction.pit)
  }

  private func pay(for counted: PredictionStatistics) {
    let ticks = counted.confirmed &+ counted.predicted
    state.playback?.spent(cost * Double(ticks &- paidTicks), now: now)
    paidTicks = ticks
  }

  /// - Parameter pit: the predicted world, whose last tick the picture shows.
  private func noteStrides(_ pit: Pit) {
    var bodies: [StreamBody] = []
    pit.bodies(into: &bodies)
    var shown: [UInt16: Shown] = [:]
    for (sticker, body) in zip(instances, bodies) where sticker.slot == Float(body.slot) {
      guard let id = pit.playground.item(slot: body.slot, generation: body.generation) else {
        continue
      }
      let velocity = pit.playground.animator.linearVelocity(of: id)
      var here = Shown(
        generation: body.generation, x: sticker.x, y: sticker.y,
        speeds: [Self.length(velocity.x, velocity.y)])
      if let before = earlier[body.slot], before.generation == body.generation {
        here.speeds = before.speeds.suffix(3) + here.speeds
        noteStride(from: before, to: here, body)
      }
      shown[body.slot] = here
    }
    (earlier, earlierAt) = (shown, now)
  }

  private func noteStride(from before: Shown, to here: Shown, _ body: StreamBody) {
    let stride = Self.length(here.x - before.x, here.y - before.y)
    guard stride <= Self.leap else { return leaps.append(body.slot) }
    let seconds = Float(now - earlierAt) / 1000 * Self.catchingUp
    let way = (here.speeds.max()! + Self.push) * seconds
    let offset = state.playback!.corrections.offset(of: body)
    let unexplained = stride - way - Self.takenBack * Self.length(offset.x, offset.y)
    if unexplained > 0 { breaks[body.slot] = max(breaks[body.slot] ?? 0, unexplained) }
  }

  private static func length(_ x: Float, _ y: Float) -> Float { (x * x + y * y).squareRoot() }

  func clientClosed(_ connection: any Connection, code: CloseCode, reason: String) {
    self.connection = nil
    if code != .normal { failures.append("closed: \(code) \(reason)") }
  }

  func clientFailed(_ id: UInt64, error: TransportError) { failures.append("\(error)") }
}
