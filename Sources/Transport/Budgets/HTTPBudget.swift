import Synchronization

/// What answering HTTP may cost: requests, bytes and time of the network thread, for each address
/// and, for the time, in all.
struct HTTPBudget {
  struct Share: Sendable {
    var requests, bytes, microseconds: TokenBucket
  }

  private let newShare: Share
  private let share: PortShare
  private var microseconds: TokenBucket

  init(_ limits: TrafficLimits, _ share: PortShare) {
    self.share = share
    newShare = Share(
      requests: TokenBucket(
        perSecond: limits.requestsPerSecondPerAddress, burst: limits.requestsBurstPerAddress),
      bytes: TokenBucket(
        perSecond: limits.answerBytesPerSecondPerAddress,
        burst: limits.answerBytesBurstPerAddress),
      microseconds: TokenBucket(
        perSecond: limits.answerMicrosecondsPerSecondPerAddress,
        burst: limits.answerMicrosecondsBurstPerAddress))
    microseconds = TokenBucket(
      perSecond: limits.answerMicrosecondsPerSecond, burst: limits.answerMicrosecondsBurst)
  }

  /// Whether there is time for any request now.
  func isOpen(at now: UInt64) -> Bool { microseconds.holds(at: now) }

  /// Takes a request of an address.
  ///
  /// - Returns: whether it may be answered; otherwise the address has used up its share.
  mutating func take(_ prefix: AddressPrefix, at now: UInt64) -> Bool {
    guard prefix.isAddress else { return true }
    return share.answers.withLock { addresses in
      addresses.update(prefix, new: newShare) { share in
        share.bytes.holds(at: now) && share.microseconds.holds(at: now)
          && share.requests.take(at: now)
      }
    }
  }

  /// Counts what was spent on an address.
  mutating func charge(_ prefix: AddressPrefix, bytes: Int, microseconds spent: Int, at now: UInt64)
  {
    microseconds.charge(spent, at: now)
    guard prefix.isAddress else { return }
    share.answers.withLock { addresses in
      addresses.update(prefix, new: newShare) { share in
        share.bytes.charge(bytes, at: now)
        share.microseconds.charge(spent, at: now)
      }
    }
  }
}
