/// For how long a client may be silent. It is looked at once in a housekeeping interval.
struct SilenceLimits {
  enum Step { case nothing, ping, giveUp }

  /// Nanoseconds of silence after which the client is asked for a sign of life.
  private let pingAfter: UInt64
  /// Nanoseconds of silence that no client reaches.
  private let hangupAfter: UInt64

  /// Nil for a configuration that lets clients be silent for ever.
  init?(_ configuration: ListenerConfiguration) {
    guard configuration.pingSeconds > 0 else { return nil }
    pingAfter = UInt64(configuration.pingSeconds) * 1_000_000_000
    hangupAfter = UInt64(configuration.hangupSeconds) * 1_000_000_000
  }

  /// What is to be done about a client that was silent for so many nanoseconds. It is given up when
  /// the limit would have passed at the next look: the limit is a promise, and at the first look
  /// after it up to an interval more would have gone by.
  func step(after silence: UInt64) -> Step {
    if silence + ServiceLoop.housekeepingNanoseconds >= hangupAfter { return .giveUp }
    return silence >= pingAfter ? .ping : .nothing
  }

  /// Why a connection ended that was given up.
  var reason: String { "no sign of life for \(hangupAfter / 1_000_000_000) s" }
}
