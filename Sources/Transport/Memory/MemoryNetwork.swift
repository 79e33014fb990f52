import Determinism

/// A network in memory with a virtual clock: the same delegates that run on sockets run here
/// without any, single-threaded and reproducible.
///
/// Nothing happens until ``advance(by:)``; then everything that is due happens in one defined
/// order. Delays, losses and slow readers are drawn from the seed. ``trace`` sums up everything
/// that was delivered, so two runs can be compared by one number.
///
/// ```swift
/// let network = MemoryNetwork(seed: 1, faults: NetworkFaults(latency: 5_000_000...20_000_000))
/// let listener = network.listen(server)
/// let clients = network.clients(bots)
/// clients.connect()
/// network.every(16_666_667) { listener.wake() }
/// network.advance(by: 1_000_000_000)
/// ```
public final class MemoryNetwork {
  /// Virtual nanoseconds since the network was made.
  public private(set) var now: UInt64 = 0
  /// A hash over the time, the connection and the bytes of every delivery so far.
  public var trace: UInt64 { deliveries.value }
  /// What happens to connections that are made from now on.
  public var faults: NetworkFaults

  private var listeners: [MemoryListener] = []
  private var connects = 0
  private var pools: [MemoryClients] = []
  private var events = EventQueue()
  private var deliveries = FNVHash()
  private var chance: RandomGenerator

  public init(seed: UInt64, faults: NetworkFaults = .none) {
    chance = RandomGenerator(seed: seed)
    self.faults = faults
  }

  deinit {
    for pool in pools { pool.abandon() }
    for listener in listeners { listener.abandon() }
  }

  /// Opens a listener. Of several, connections go to one after the other: they stand for the
  /// network threads that share a port.
  ///
  /// - Parameter maximumMessageBytes: a larger message closes its connection with
  ///   ``CloseCode/tooBig``, as on sockets.
  public func listen(
    _ delegate: any ListenerDelegate, maximumMessageBytes: Int = 128
  ) -> MemoryListener {
    let listener = MemoryListener(
      network: self, delegate: delegate, maximumMessageBytes: maximumMessageBytes)
    listeners.append(listener)
    return listener
  }

  /// The listener that the next connection reaches; nil when none is open.
  func nextListener() -> MemoryListener? {
    let open = listeners.filter { $0.delegate != nil && $0.isOpen }
    guard !open.isEmpty else { return nil }
    connects += 1
    return open[(connects - 1) % open.count]
  }

  /// Makes a pool of clients of the listeners. The network keeps it.
  ///
  /// - Parameter timerIntervalMilliseconds: 0 for no timer.
  public func clients(
    _ delegate: any ClientDelegate, timerIntervalMilliseconds: Int = 0
  ) -> MemoryClients {
    let clients = MemoryClients(network: self, delegate: delegate)
    pools.append(clients)
    if timerIntervalMilliseconds > 0 {
      every(UInt64(timerIntervalMilliseconds) * 1_000_000) { [unowned self, unowned clients] in
        clients.fireTimer(at: now)
      }
    }
    return clients
  }

  /// Runs `action` once, `delay` nanoseconds from now.
  public func schedule(after delay: UInt64, _ action: @escaping () -> Void) {
    events.insert(at: now + delay, action)
  }

  /// Runs `action` every `interval` nanoseconds, first after one interval, without drift.
  public func every(_ interval: UInt64, _ action: @escaping () -> Void) {
    precondition(interval > 0, "an interval of 0 would never let the time pass")
    events.insert(at: now + interval) { [unowned self] in
      action()
      every(interval, action)
    }
  }

  /// Lets virtual time pass and everything happen that is due in it.
  public func advance(by nanoseconds: UInt64) {
    let end = now + nanoseconds
    while let time = events.nextTime, time <= end {
      let event = events.removeFirst()
      now = event.time
      event.action()
    }
    now = end
  }

  /// Asks the first listener that has not stopped as an HTTP request would; ``HTTPReply/file`` if
  /// nothing listens.
  public func respond(to request: HTTPRequest, later: HTTPLater) -> HTTPReply {
    listeners.first { $0.delegate != nil }?.delegate?.respond(to: request, later: later) ?? .file
  }

  // MARK: Randomness and trace

  func random(in range: ClosedRange<UInt64>) -> UInt64 {
    let (span, overflow) = (range.upperBound - range.lowerBound).addingReportingOverflow(1)
    let drawn = chance.next()
    return overflow ? drawn : range.lowerBound + drawn.multipliedFullWidth(by: span).high
  }

  /// Draws whether something of probability `share` happens.
  func happens(_ share: Double) -> Bool {
    Double(chance.next() >> 11) * 0x1p-53 < share
  }

  func record(_ kind: UInt8, _ id: UInt64, _ bytes: [UInt8]) {
    deliveries.add(kind)
    deliveries.add(id)
    deliveries.add(now)
    for byte in bytes { deliveries.add(byte) }
  }
}

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

/// Actions in the order of their virtual time, then of their insertion: a binary heap.
struct EventQueue {
  struct Event {
    let time: UInt64
    let sequence: UInt64
    let action: () -> Void

    func isBefore(_ other: Event) -> Bool {
      time == other.time ? sequence < other.sequence : time < other.time
    }
  }

  private var heap: [Event] = []
  private var inserted: UInt64 = 0

  /// Time of the next action.
  var nextTime: UInt64? { heap.first?.time }

  mutating func insert(at time: UInt64, _ action: @escaping () -> Void) {
    heap.append(Event(time: time, sequence: inserted, action: action))
    inserted += 1
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].isBefore(heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() -> Event {
    let first = heap[0]
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].isBefore(heap[least]) {
        least = child
      }
      guard least != parent else { return first }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
