// For how long a visitor may take, and for how long a client may be silent.

/// Knows when a visitor's time is up.
struct VisitorClock {
  enum Phase {
    /// Nothing complete has come yet.
    case firstRequest
    /// Between two requests.
    case idle
    /// A further request has begun.
    case request
    /// A request waits for its turn or for whoever answers it.
    case waiting
    /// An answer is on its way.
    case answer
    /// All is said; the visitor has yet to hang up.
    case parting
  }

  private(set) var phase = Phase.firstRequest
  /// When the phase, or the window in which slowness is measured, began.
  private(set) var since: UInt64
  /// When the visitor last did something.
  private(set) var lastActive: UInt64
  private var born: UInt64
  /// Bytes taken of the answer since `since`.
  private var taken = 0

  init(at now: UInt64) {
    (born, since, lastActive) = (now, now, now)
  }

  mutating func enter(_ phase: Phase, at now: UInt64) {
    self.phase = phase
    since = now
    lastActive = now
    taken = 0
  }

  /// The visitor has taken so many bytes of the answer.
  mutating func took(_ bytes: Int, at now: UInt64) {
    taken += bytes
    lastActive = now
  }

  /// Whether every request has been answered, or is being answered now.
  var isAnswered: Bool { phase == .idle || phase == .answer || phase == .parting }

  /// Whether it has stayed so long that it gets no further request.
  func isLast(at now: UInt64, _ limits: TrafficLimits) -> Bool {
    now >= born + Self.nanoseconds(limits.visitSeconds)
  }

  /// Whether it is to be closed now.
  mutating func isOver(at now: UInt64, _ limits: TrafficLimits) -> Bool {
    let passed = now - min(since, now)
    func exceeds(_ seconds: Int) -> Bool { passed >= Self.nanoseconds(seconds) }
    switch phase {
    case .firstRequest: return exceeds(limits.firstRequestSeconds)
    case .idle: return exceeds(limits.idleSeconds) || isLast(at: now, limits)
    case .request: return exceeds(limits.requestSeconds)
    case .waiting: return exceeds(limits.answerSeconds)
    case .parting: return exceeds(FixedLimits.visitorPartingSeconds)
    case .answer:
      guard exceeds(limits.slownessSeconds) else { return false }
      guard taken >= limits.leastBytesPerSecond * limits.slownessSeconds else { return true }
      enter(.answer, at: now)
      return false
    }
  }

  /// Gives back the time for which this process stood still.
  mutating func forgive(_ standstill: UInt64) {
    since += standstill
    born += standstill
  }

  private static func nanoseconds(_ seconds: Int) -> UInt64 { UInt64(seconds) * 1_000_000_000 }
}

/// For how long a client may be silent. It is looked at once in a housekeeping interval.
struct SilenceLimits {
  enum Step { case nothing, ping, giveUp }

  /// Nanoseconds of silence after which the client is asked for a sign of life.
  private let pingAfter: UInt64
  /// Nanoseconds of silence that no client reaches.
  private let giveUpAfter: UInt64

  /// Nil for a configuration that lets clients be silent for ever.
  init?(_ configuration: ListenerConfiguration) {
    guard configuration.pingSeconds > 0 else { return nil }
    pingAfter = UInt64(configuration.pingSeconds) * 1_000_000_000
    giveUpAfter = UInt64(configuration.silenceSeconds) * 1_000_000_000
  }

  /// What is to be done about a client that was silent for so many nanoseconds. It is given up when
  /// the limit would have passed at the next look: the limit is a promise, and at the first look
  /// after it up to an interval more would have gone by.
  func step(after silence: UInt64) -> Step {
    if silence + ServiceLoop.housekeepingNanoseconds >= giveUpAfter { return .giveUp }
    return silence >= pingAfter ? .ping : .nothing
  }

  /// Why a connection ended that was given up.
  var reason: String { "no sign of life for \(giveUpAfter / 1_000_000_000) s" }
}
