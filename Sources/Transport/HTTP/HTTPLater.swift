import Synchronization

/// What a delegate does about an ``HTTPRequest``.
public enum HTTPReply: Sendable, Equatable {
  /// Answers it now.
  case response(HTTPResponse)
  /// Answers it later, by ``HTTPLater/complete(_:)``, from whatever thread makes the answer.
  case later
  /// Leaves it to the web folder, which answers 404 when it has no such file.
  case file
}

/// The right to answer one request later, from any thread: for answers that take longer to make
/// than frames may wait.
///
/// ```swift
/// func respond(to request: HTTPRequest, later: HTTPLater) -> HTTPReply {
///   queue.async { later.complete(.json(report())) }
///   return .later
/// }
/// ```
///
/// A right that is let go unused answers 500 by itself, so that no visitor waits for ever.
public final class HTTPLater: Sendable {
  private let deliver: @Sendable (HTTPResponse) -> Void
  private let isSpent = Atomic<Bool>(false)

  /// - Parameter deliver: receives the answer once, on the thread that completes it. The listener
  ///   makes its own; tests make theirs.
  public init(deliver: @escaping @Sendable (HTTPResponse) -> Void) {
    self.deliver = deliver
  }

  deinit {
    guard !isSpent.load(ordering: .acquiring) else { return }
    deliver(.text("the answer was given up\n", status: 500))
  }

  /// Answers the request. To be called once; it neither waits nor fails when the visitor has left.
  public func complete(_ response: HTTPResponse) {
    let wasSpent = isSpent.exchange(true, ordering: .acquiringAndReleasing)
    assert(!wasSpent, "a request was answered twice")
    if !wasSpent { deliver(response) }
  }

  /// Gives the right up because the request was answered at once.
  func cancel() {
    isSpent.store(true, ordering: .releasing)
  }
}

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
