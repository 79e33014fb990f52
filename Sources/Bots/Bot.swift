import Physics
import Simulation
import Transport
import Wire

/// One scripted client: sends what its script says, decodes and checks what it gets.
final class Bot {
  let index: Int
  private(set) var connection: (any Connection)?
  private(set) var welcomed = false
  /// Set while the fleet itself closes the connection, so that the close is no error.
  var leaving = false

  private let options: BotOptions
  private var script: BotScript
  private var decoder = StreamDecoder()
  private var follower = BotFollower()
  private var recovery = StreamRecovery()
  private var clock = BotClock()
  private var worldSize = (width: 0, height: 0)
  /// Whether sides keep everything in: not in the rain, whose floor opens, and not where cards fly.
  private var worldIsClosed = true
  private var nextClock: UInt64 = 0
  private var questions: [UInt32: UInt64] = [:]
  private var lastStamp: UInt32 = 0
  private var token: SessionToken?
  private var person: UInt16 = 0
  /// Set from when the server said that it ends until the bot is welcomed again.
  private(set) var comingBack: BotReturn?
  private var random: RandomGenerator
  private var started: UInt64 = 0
  /// When a slow bot's pause, or its reading, is over.
  private var turnEnds: UInt64 = 0

  init(index: Int, options: BotOptions, now: UInt64) {
    self.index = index
    self.options = options
    // Seeds drawn from a generator of their own: neighbouring seeds give sequences that are alike.
    var seeds = RandomGenerator(seed: options.seed ^ UInt64(index) << 32)
    script = BotScript(seed: seeds.next(), now: now)
    random = RandomGenerator(seed: seeds.next())
  }

  var bodyCount: Int { world.bodies.count }
  private var world: LatticeWorld {
    options.stream == .replica ? follower.world : decoder.world
  }
  var clockSpan: (ticks: Double, seconds: Double, error: Double)? { clock.span }

  // MARK: Connection

  func opened(_ connection: any Connection, now: UInt64) {
    self.connection = connection
    decoder = StreamDecoder()
    follower = BotFollower()
    recovery = StreamRecovery()
    questions.removeAll()
    started = now
    turnEnds = now + 1_000_000_000
    if isSlow { connection.shrinkReceiveBuffer() }
    nextClock = now
    send(
      .hello(
        Hello(
          stream: options.stream, rate: options.rate, profile: options.profile, resumeToken: token))
    )
  }

  func closed() {
    connection = nil
  }

  /// An attempt to come back failed, or its connection ended before the welcome.
  func failedToReturn(now: UInt64) {
    comingBack?.failed(now: now, random: &random)
  }

  /// The server ends: whatever is known of its clock will mean nothing then.
  private func sentAway(_ delay: UInt16, now: UInt64, into tally: inout BotTally) {
    tally.report.restarts += 1
    comingBack = BotReturn(told: now, afterMilliseconds: delay, person: person)
    clock = BotClock()
  }

  private func isBack(_ return: BotReturn, now: UInt64, into tally: inout BotTally) {
    tally.record(returnNanoseconds: now - `return`.told)
    if person == `return`.person {
      tally.report.resumed += 1
    } else {
      tally.report.lost += 1
    }
    comingBack = nil
  }

  // MARK: Receiving

  func received(_ bytes: UnsafeRawBufferPointer, now: UInt64, into tally: inout BotTally) {
    tally.payloadBytes += bytes.count
    do throws(WireError) {
      let message = try ServerMessage.decode(bytes)
      switch message {
      case .frame where options.decodes: receive(frame: bytes, now: now, into: &tally)
      case .frame: tally.report.frames += 1
      case .records, .snapshot: follow(bytes, now: now, into: &tally)
      case .comeBack(let delay): sentAway(delay, now: now, into: &tally)
      case .welcome, .clockEcho, .notice, .events, .receipt, .lateTilt:
        take(message, now: now, into: &tally)
      }
    } catch {
      tally.report.failed("bot \(index): \(error)")
    }
  }

  /// A frame that is refused is an error, and a keyframe mends it; what comes until then fits as
  /// little and is none.
  private func receive(
    frame bytes: UnsafeRawBufferPointer, now: UInt64, into tally: inout BotTally
  ) {
    guard !leaving else { return }
    do throws(WireError) {
      try take(frame: bytes, now: now, into: &tally)
      recovery.taken()
    } catch {
      if !recovery.isWaiting {
        if case .gap(let last, let base) = error { tally.report.gaps += Int(base &- last) }
        tally.report.failed("bot \(index): \(error)")
      }
      recovery.refused(now: Self.milliseconds(now))
      recover(now: now, into: &tally)
    }
  }

  /// A world that is not the server's is an error, and a snapshot mends it.
  private func follow(
    _ message: UnsafeRawBufferPointer, now: UInt64, into tally: inout BotTally
  ) {
    guard !leaving else { return }
    do throws(ReplicaError) {
      if RecordCoder.accepts(message[0]) {
        guard let (ticks, hashes) = try follower.follow(message) else {
          return tally.report.failed("bot \(index): records before a snapshot")
        }
        tally.report.frames += ticks
        tally.report.hashesCompared += hashes
      } else {
        let divergence = try follower.begin(message)
        tally.report.keyframes += 1
        recovery.taken()
        if let divergence { keep(divergence, into: &tally) }
      }
      if let tick = follower.tick, let deadline = clock.deadline(of: tick) {
        tally.record(latencyNanoseconds: Double(now) - deadline)
      }
      check(into: &tally)
    } catch {
      guard !recovery.isWaiting else { return }
      if case .diverged = error { tally.report.mismatches += 1 }
      tally.report.failed("bot \(index): \(error)")
      recovery.refused(now: Self.milliseconds(now))
      recover(now: now, into: &tally)
    }
  }

  /// Leaves both worlds where they can be compared, unless there are enough of them.
  private func keep(_ divergence: Divergence, into tally: inout BotTally) {
    guard let folder = options.dump, tally.dumps < BotTally.mostDumps else { return }
    tally.dumps += 1
    do throws(DumpError) { try folder.keep(divergence, of: index) } catch {
      tally.report.failed("bot \(index): \(error)")
    }
  }

  private func recover(now: UInt64, into tally: inout BotTally) {
    switch recovery.next(now: Self.milliseconds(now)) {
    case .nothing: break
    case .ask:
      tally.report.keyframeRequests += 1
      send(.stream(kind: options.stream, rate: options.rate, profile: options.profile))
    case .giveUp:
      tally.report.failed("bot \(index): no keyframe after a frame that did not fit")
      leaving = true
      connection?.close(.normal, reason: "")
    }
  }

  private static func milliseconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1e6 }

  private func take(
    frame bytes: UnsafeRawBufferPointer, now: UInt64, into tally: inout BotTally
  ) throws(WireError) {
    let info = try decoder.decode(bytes)
    // Frames in which nothing happened come together: each of them counts.
    tally.report.frames += 1 + Int(info.held)
    tally.report.held += Int(info.held)
    if info.isKeyframe { tally.report.keyframes += 1 }
    tally.report.skipped += Int(info.skipped)
    if let deadline = clock.deadline(of: info.tick) {
      tally.record(latencyNanoseconds: Double(now) - deadline)
    }
    check(into: &tally)
  }

  /// What must be true of every world, whatever happened.
  private func check(into tally: inout BotTally) {
    guard welcomed else { return tally.report.failed("bot \(index): a frame before the welcome") }
    // A sticker's centre stays inside, give or take the overlap in a pile.
    let point = Int(world.profile.stepsPerPoint)
    let slack = 64 * point
    let (width, height) = (worldSize.width * point + slack, worldSize.height * point + slack)
    for body in world.bodies {
      let inside =
        !worldIsClosed
        || (-slack...width).contains(Int(body.x)) && (-slack...height).contains(Int(body.y))
      if !inside || body.kind >= WireLimits.bodyKinds || body.size == 0 {
        return tally.report.failed("bot \(index): impossible body \(body)")
      }
    }
  }

  private func take(_ message: ServerMessage, now: UInt64, into tally: inout BotTally) {
    switch message {
    case .welcome(let welcome):
      if !welcomed { tally.report.connected += 1 }
      // The host began another world on this connection: the frames of the old one are over.
      if welcomed, comingBack == nil { decoder = StreamDecoder() }
      welcomed = true
      worldSize = (Int(welcome.worldWidth), Int(welcome.worldHeight))
      worldIsClosed = welcome.scene != Scene.rain.rawValue && welcome.scene != Scene.toss.rawValue
      token = welcome.token
      person = welcome.clientID
      if let comingBack { isBack(comingBack, now: now, into: &tally) }
    case .clockEcho(let echo):
      guard let sent = questions.removeValue(forKey: echo.stamp) else {
        return tally.report.failed("bot \(index): an echo of a question never asked")
      }
      clock.answered(sent: sent, now: now, tick: echo.tick, microseconds: echo.microseconds)
    case .notice, .frame, .records, .snapshot, .events, .receipt, .lateTilt, .comeBack: break
    }
  }

  // MARK: Sending

  func act(now: UInt64, into tally: inout BotTally) {
    guard let connection, welcomed, !leaving, comingBack == nil else { return }
    if isSlow { pause(connection, now: now) }
    recover(now: now, into: &tally)
    guard !leaving else { return }
    if now >= nextClock {
      // Quickly at first, so that latencies count from the start; then once a second.
      nextClock = now + (now - started < 1_000_000_000 ? 200_000_000 : 1_000_000_000)
      lastStamp += 1
      questions[lastStamp] = now
      send(.clock(stamp: lastStamp))
    }
    let size = BotWorldSize(width: worldSize.width, height: worldSize.height)
    for message in script.messages(now: now, world: world, size: size) {
      send(message)
      tally.report.sent += 1
    }
  }

  private var isSlow: Bool { index < options.slow }

  /// Reads for a second and pauses for three, by turns. A turn counts from when it began: a bot
  /// that is called late would miss the very second in which it reads, and be closed for taking
  /// nothing.
  private func pause(_ connection: any Connection, now: UInt64) {
    guard now >= turnEnds else { return }
    connection.isReading.toggle()
    turnEnds = now + (connection.isReading ? 1_000_000_000 : 3_000_000_000)
  }

  private func send(_ message: ClientMessage) {
    var bytes: [UInt8] = []
    message.encode(into: &bytes)
    _ = connection?.send(OutgoingFrame(copying: bytes))
  }
}
