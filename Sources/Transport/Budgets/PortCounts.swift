import Synchronization

/// What the listeners of a port counted since the start, for monitoring. Any thread may read it.
public final class PortCounts: Sendable {
  /// Why a connection was closed before it became a WebSocket or got an answer. A 429 or a 503 is
  /// an answer: it counts among ``answers``.
  public enum Refusal: String, CaseIterable, Sendable {
    /// Its address, or the one for which its proxy came, made too many connections.
    case address
    /// The process had no file descriptor left for it.
    case descriptors
    /// Too many were here at once. It had done nothing for longest and made room for somebody else,
    /// or it waited in vain for its TLS handshake.
    case crowd
    /// It took too long to say what is said first: a PROXY header, a ClientHello, or a request.
    case slowness
    /// Its ClientHello was longer than any that makes sense.
    case malformed
    /// Its request was understood, but what makes the answer did not make it in time.
    case unanswered
  }

  /// How many statuses an answer can have. They are chosen by this program, never by a client, so
  /// that more of them would be a mistake here.
  private static let mostStatuses = 32

  /// Connections that were accepted and let in, those of proxies too. Some of them are refused
  /// later: as part of a crowd, or for their slowness.
  public let accepted = Atomic<Int>(0)
  /// Headers of the PROXY protocol that were malformed or cut.
  public let refusedProxyHeaders = Atomic<Int>(0)
  /// TLS handshakes that completed, and those that began with a ClientHello and never completed.
  public let handshakes = Atomic<Int>(0)
  public let failedHandshakes = Atomic<Int>(0)
  private let onHandshake: @Sendable (UInt64) -> Void
  private let countsByStatus = Mutex<[Int: Int]>([:])
  private let countsByReason = Mutex<[Refusal: Int]>([:])

  /// - Parameter onHandshake: is told on a network thread how many nanoseconds a handshake took.
  public init(onHandshake: @escaping @Sendable (UInt64) -> Void = { _ in }) {
    self.onHandshake = onHandshake
  }

  func handshakeTook(_ nanoseconds: UInt64) { onHandshake(nanoseconds) }

  // MARK: Answers

  /// Counts an HTTP answer that begins.
  ///
  /// - Parameter status: its code, 100…599; 101 for a handshake that became a WebSocket.
  public func answered(_ status: Int) {
    assert((100...599).contains(status), "not a status: \(status)")
    let statuses = countsByStatus.withLock { counts in
      counts[status, default: 0] += 1
      return counts.count
    }
    assert(statuses <= Self.mostStatuses, "too many statuses")
  }

  /// How many answers had each status, for all that occurred, the lowest first.
  public var answers: [(status: Int, count: Int)] {
    let counts = countsByStatus.withLock { $0.map { (status: $0.key, count: $0.value) } }
    return counts.sorted { $0.status < $1.status }
  }

  // MARK: Refusals

  /// Counts a connection that is closed before it became or asked for anything.
  public func refused(_ reason: Refusal) {
    countsByReason.withLock { $0[reason, default: 0] += 1 }
  }

  /// How many connections were refused for each reason there is, those that never occurred too.
  public var refusals: [(reason: Refusal, count: Int)] {
    countsByReason.withLock { counts in
      Refusal.allCases.map { (reason: $0, count: counts[$0, default: 0]) }
    }
  }
}
