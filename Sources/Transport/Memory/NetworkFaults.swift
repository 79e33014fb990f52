/// What a ``MemoryNetwork`` does to its connections. Everything is drawn from the network's seed,
/// so one seed is one run.
public struct NetworkFaults: Equatable, Sendable {
  /// One-way delay of each message in nanoseconds. Messages of one direction never overtake.
  public var latency: ClosedRange<UInt64>
  /// Nanoseconds after which an open connection is lost without a close frame, or `nil` for never.
  public var lifetime: ClosedRange<UInt64>?
  /// Share of the clients, 0…1, that read slowly.
  public var slowShare: Double
  /// How fast a slow client reads.
  public var slowBytesPerSecond: Int
  /// Bytes that may be under way to one peer before a send answers ``SendStatus/backpressure``.
  /// A single larger frame is taken when nothing else is under way, as a socket does.
  public var budgetBytes: Int
  /// Share of the connects, 0…1, that fail with ``TransportError/refused(_:)``.
  public var refusedShare: Double

  /// A perfect network: no delay, no loss, a budget of 64 KiB that an attentive peer never fills.
  public static let none = NetworkFaults()

  public init(
    latency: ClosedRange<UInt64> = 0...0, lifetime: ClosedRange<UInt64>? = nil,
    slowShare: Double = 0, slowBytesPerSecond: Int = 8_000, budgetBytes: Int = 65_536,
    refusedShare: Double = 0
  ) {
    self.latency = latency
    self.lifetime = lifetime
    self.slowShare = slowShare
    self.slowBytesPerSecond = max(1, slowBytesPerSecond)
    self.budgetBytes = budgetBytes
    self.refusedShare = refusedShare
  }
}
