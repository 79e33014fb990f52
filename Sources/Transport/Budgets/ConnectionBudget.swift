/// What one WebSocket may send: bytes and frames by the clock.
struct ConnectionBudget {
  private var bytes: TokenBucket
  private var frames: TokenBucket

  init(_ limits: TrafficLimits) {
    bytes = TokenBucket(perSecond: limits.bytesPerSecond, burst: limits.bytesBurst)
    frames = TokenBucket(perSecond: limits.framesPerSecond, burst: limits.framesBurst)
  }

  /// Whether so many more bytes are within the budget.
  mutating func takeBytes(_ count: Int, at now: UInt64) -> Bool { bytes.take(count, at: now) }

  /// Whether one more frame is within the budget.
  mutating func takeFrame(at now: UInt64) -> Bool { frames.take(at: now) }

  mutating func forgive(_ standstill: UInt64) {
    bytes.forgive(standstill)
    frames.forgive(standstill)
  }
}
