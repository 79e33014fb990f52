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

/// What one WebSocket may send: bytes and frames by the clock.
struct ConnectionBudget {
  private var bytes: TokenBucket
  private var frames: TokenBucket
  private var controls: TokenBucket

  init(_ limits: TrafficLimits) {
    bytes = TokenBucket(perSecond: limits.bytesPerSecond, burst: limits.bytesBurst)
    frames = TokenBucket(perSecond: limits.framesPerSecond, burst: limits.framesBurst)
    controls = TokenBucket(perSecond: limits.controlsPerSecond, burst: limits.controlsBurst)
  }

  /// Whether so many more bytes are within the budget.
  mutating func takeBytes(_ count: Int, at now: UInt64) -> Bool { bytes.take(count, at: now) }

  /// Whether one more frame is within the budget.
  mutating func takeFrame(at now: UInt64) -> Bool { frames.take(at: now) }

  /// Whether one more ping or pong is, which counts as a frame besides.
  mutating func takeControl(at now: UInt64) -> Bool { controls.take(at: now) }

  mutating func forgive(_ standstill: UInt64) {
    bytes.forgive(standstill)
    frames.forgive(standstill)
    controls.forgive(standstill)
  }
}
