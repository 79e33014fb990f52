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

/// The answers of a listener that are made elsewhere: who waits for which, and what has come.
///
/// Used on the network thread only; answers come in on any thread.
final class LateAnswers {
  private final class Arrivals: Sendable {
    let all = Mutex<[(ticket: UInt64, response: HTTPResponse)]>([])
  }

  private let arrivals = Arrivals()
  private var tickets: UInt64 = 0
  private var waiting: [UInt64: Visitor] = [:]

  /// The right to answer one request later, under a ticket of its own.
  ///
  /// - Parameter wake: has the network thread call ``handOver()`` soon; called on the thread on
  ///   which the answer comes.
  func makeRight(wake: @escaping @Sendable () -> Void) -> (ticket: UInt64, later: HTTPLater) {
    tickets += 1
    let ticket = tickets
    let later = HTTPLater { [arrivals] response in
      arrivals.all.withLock { $0.append((ticket, response)) }
      wake()
    }
    return (ticket, later)
  }

  /// Has the visitor wait for the answer of that ticket; with nil, nobody does any more.
  func setWaiting(_ visitor: Visitor?, for ticket: UInt64) {
    waiting[ticket] = visitor
  }

  /// Gives what has come to those who still wait for it, in its order.
  func handOver() {
    let arrived = arrivals.all.withLock { arrived in
      defer { arrived = [] }
      return arrived
    }
    for (ticket, response) in arrived {
      waiting.removeValue(forKey: ticket)?.answerLate(response)
    }
  }
}
