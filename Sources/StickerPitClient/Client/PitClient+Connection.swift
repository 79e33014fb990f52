import Simulation
import Wire

/// Keeping the connection: what is due at a time, and how connections end. Times are milliseconds.
extension PitClient {
  /// When something is due on a connection.
  struct Timers {
    /// When the attempt began, or the next one is to.
    var attemptAt = 0.0
    /// When the client was welcomed.
    var welcomedAt = 0.0
    /// When to ask for the clock next, and how often it was asked.
    var clockAt = 0.0
    var questions = 0
    /// For how long nothing came, and when that was counted last. Only pictures count: nobody hears
    /// anything while an app sleeps.
    var silence = 0.0
    var countedAt: Double?

    mutating func count(_ now: Double) {
      silence += min(max(0, now - (countedAt ?? now)), Self.mostCounted)
      countedAt = now
    }

    /// Of a longer pause between two pictures no more is counted.
    private static let mostCounted = 1000.0
  }

  /// An attempt that has brought no welcome for so long is given up: with TLS over a poor line it
  /// takes two seconds.
  private static let welcomePatience = 10_000.0
  /// The clock's echoes come every second: so long without anything, the line is dead.
  private static let silencePatience = 5000.0
  /// A line that takes longer for the first snapshot is too slow for snapshots; frames are smaller.
  private static let worldPatience = 12_000.0
  /// When the clock is asked after the welcome: more often at first, so that the picture settles
  /// within the first second.
  private static let firstQuestions = [0.0, 150, 400]
  private static let questionInterval = 1000.0

  /// Takes in what came, and does what is due.
  func advance(to now: Double) {
    takeEvents(now)
    switch state {
    case .idle, .ended: break
    case .waiting: if now >= timers.attemptAt { open(now: now) }
    case .connecting:
      if now - timers.attemptAt > Self.welcomePatience { lose(.silence, now) }
    case .online: keepUp(now)
    }
  }

  private func takeEvents(_ now: Double) {
    guard let link else { return }
    for event in link.take() {
      // What a link says after it was given up means nothing.
      guard self.link === link else { return }
      timers.silence = 0
      switch event.kind {
      case .opened: sayHello(now)
      case .message(let bytes): receive(bytes, at: event.time)
      case .closed(let code, let reason): closed(code, reason, now)
      case .failed(let words): lose(.linkFailed(words), now)
      }
    }
    unpaid += max(0, clock() - now)
  }

  private func sayHello(_ now: Double) {
    if wishes.stream == .state || token == nil || kept?.isWorthIt(now: now) == false { kept = nil }
    send(
      .hello(
        Hello(
          stream: wishes.stream, rate: wishes.rate, profile: wishes.profile, resumeToken: token,
          knownTick: kept?.replica.pit.tick, isWatching: wishes.isWatching)))
  }

  private func keepUp(_ now: Double) {
    timers.count(now)
    guard timers.silence <= Self.silencePatience else { return lose(.silence, now) }
    recover(now)
    guard state == .online else { return }
    if now >= timers.clockAt {
      timers.questions += 1
      timers.clockAt =
        timers.questions < Self.firstQuestions.count
        ? timers.welcomedAt + Self.firstQuestions[timers.questions] : now + Self.questionInterval
      send(.clock(stamp: ClockStamp.of(now)))
    }
    if player?.hasWorld == false, now - timers.welcomedAt > Self.worldPatience { fallBack(now) }
  }

  /// Does what there is to do about frames that were refused: nothing as a rule.
  func recover(_ now: Double) {
    switch player?.recovery.next(now: now) {
    case .ask: askForStream()
    case .giveUp: lose(.noWorld, now)
    case .nothing, nil: break
    }
  }

  /// Asks for the stream's beginning.
  private func askForStream() {
    send(.stream(kind: wishes.stream, rate: wishes.rate, profile: wishes.profile))
  }

  /// From now on the server tells where everything is; the last picture stays until it does.
  func fallBack(_ now: Double) {
    guard state == .online, wishes.stream == .replica, !wishes.keepsToStream, let welcome else {
      return
    }
    wishes.stream = .state
    kept = nil
    player = WorldPlayer(.state, person: welcome.clientID, kept: nil, after: lastCommand, now: now)
    askForStream()
  }

  // MARK: Ends

  /// Close codes of this protocol: after those of 4000…4099 a client does not come back by itself.
  private enum Code {
    static let otherVersion: UInt16 = 4000
    static let otherStream: UInt16 = 4001
    static let replaced: UInt16 = 4002
    static let removed: UInt16 = 4003
    static let refusals: ClosedRange<UInt16> = 4000...4099
  }

  private func closed(_ code: UInt16, _ reason: String, _ now: Double) {
    switch code {
    case Code.otherVersion: end(.otherVersion(reason))
    case Code.replaced: end(.replaced)
    case Code.removed:
      // Who was removed is nobody any more.
      token = nil
      end(.removed(reason))
    case Code.otherStream where wishes.stream == .replica && !wishes.keepsToStream:
      // A world that is too large for logs: the server tells states of it.
      wishes.stream = .state
      lose(.refused(code: code, reason: reason), now)
    case Code.refusals: end(.refused(code: code, reason: reason))
    default: lose(.closed(code: code, reason: reason), now)
    }
  }

  /// Ends the connection for good.
  func end(_ error: PitClientError) {
    lastError = error
    drop()
    state = .ended(error)
  }

  /// Gives the connection up, and tries again after a while.
  func lose(_ error: PitClientError, _ now: Double) {
    wait(waits.next(), because: error, now)
  }

  /// The server ends, and tells when to come back. Its world goes with it.
  func sentAway(_ milliseconds: UInt16, _ now: Double) {
    wait(waits.told(milliseconds), because: .restarting, now)
    kept = nil
  }

  private func wait(_ milliseconds: Double, because error: PitClientError, _ now: Double) {
    assert(milliseconds >= 0)
    lastError = error
    drop()
    state = .waiting(error)
    timers.attemptAt = now + milliseconds
  }
}
