import Synchronization

/// Answers that were made elsewhere, on their way to the network thread.
final class LateAnswers: Sendable {
  private let arrived = Mutex<[(ticket: UInt64, response: HTTPResponse)]>([])

  /// Leaves an answer, on any thread.
  func leave(_ response: HTTPResponse, for ticket: UInt64) {
    arrived.withLock { $0.append((ticket, response)) }
  }

  /// Takes what arrived since the last time, in its order.
  func takeAll() -> [(ticket: UInt64, response: HTTPResponse)] {
    arrived.withLock { arrived in
      defer { arrived = [] }
      return arrived
    }
  }
}
