/// Tells a second request to end from an echo of the first.
///
/// One request often comes as two signals. `timeout` sends one to the process and one to its group;
/// `make`, and scripts that start a server, pass on what the group was sent already. The kernel
/// merges two that are pending at once, but the first is usually taken before the second comes.
struct EndRequests: Sendable {
  enum Meaning {
    case first, echo, second
  }

  /// Nanoseconds after the first signal in which others belong to it. Those who pass a signal on
  /// take a few milliseconds; who presses Ctrl-C twice takes longer than this, as a rule.
  static let echoNanoseconds: UInt64 = 100_000_000

  private var first: UInt64?

  /// A signal came.
  /// - Parameter now: monotonic nanoseconds.
  mutating func note(at now: UInt64) -> Meaning {
    guard let first else {
      first = now
      return .first
    }
    return now - first < Self.echoNanoseconds ? .echo : .second
  }
}
