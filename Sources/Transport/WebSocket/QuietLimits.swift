/// What a ``ReadingGauge`` must know before it can say that frames may go without a look.
struct QuietLimits {
  /// No look is needed before this time, in monotonic nanoseconds.
  var pingOrPongDue: UInt64 = 0
  /// Nor, once more than `ReadingGauge.unprovenBytes` were sent, before this one.
  var pingDueIfBusy: UInt64 = 0
  /// When the peer was asked the last time what it has read.
  var lastPing: UInt64 = 0
  /// The bytes a second up to which nothing new is asked of the peer.
  var provenRate: UInt64 = 0

  /// Whether the frames since the last ping may be so many bytes now.
  func allow(_ bytes: UInt64, at now: UInt64) -> Bool {
    guard now < pingOrPongDue else { return false }
    guard bytes > ReadingGauge.unprovenBytes else { return true }
    guard now < pingDueIfBusy else { return false }
    return ReadingGauge.rate(of: bytes, from: lastPing, to: now) <= provenRate
  }
}
