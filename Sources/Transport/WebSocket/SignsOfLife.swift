/// When a client gave its last sign of life, and whether it was asked for another one since.
///
/// Anything that arrives shows that the client is there. A pong alone would not do: a slow reader
/// answers late, because the ping waits behind frames that it has not read yet.
struct SignsOfLife {
  private enum Ping { case notNeeded, wanted, sent }

  /// Monotonic nanoseconds.
  private var last: UInt64
  private var ping = Ping.notNeeded

  /// A connection that opens is a sign.
  init(at now: UInt64) {
    last = now
  }

  /// Something arrived.
  mutating func note(at now: UInt64) {
    last = now
    ping = .notNeeded
  }

  /// This process stood still for so many nanoseconds: nothing could have been heard.
  mutating func forgive(_ standstill: UInt64) { last += standstill }

  /// What is to be done now. A ping is asked for once in a silence, and `takePing` has it then.
  mutating func step(_ limits: SilenceLimits, at now: UInt64) -> SilenceLimits.Step {
    let step = limits.step(after: now - min(last, now))
    guard step == .ping else { return step }
    guard ping == .notNeeded else { return .nothing }
    ping = .wanted
    return .ping
  }

  /// Whether a ping is to be sent now; then it must be.
  mutating func takePing() -> Bool {
    guard ping == .wanted else { return false }
    ping = .sent
    return true
  }
}
