import Synchronization
import Transport

/// Answers those who ask for `/metrics`, on whatever thread they ask.
///
/// The page is written on a thread of its own, once a second at most: that may take a millisecond,
/// and no network thread waits for it. Who asks meanwhile waits for that page. Each of them is a
/// visitor who waits for one answer, so the visitors' limit bounds how many wait.
final class MetricsDesk: Sendable {
  /// Nanoseconds for which a page serves.
  private static let lifetime: UInt64 = 1_000_000_000

  /// Whether everybody who can reach the page can read them.
  let isPublic: Bool
  private let run: Worker.Run
  private let write: @Sendable () -> [UInt8]
  private let state = Mutex(State())

  private struct State: Sendable {
    /// The last page, and until when it serves, in monotonic nanoseconds.
    var page: [UInt8] = []
    var until: UInt64 = 0
    var waiting: [HTTPLater] = []
  }

  /// - Parameters:
  ///   - isPublic: whether the page's port tells them.
  ///   - run: runs something on another thread.
  ///   - write: writes a page there.
  init(isPublic: Bool, run: @escaping Worker.Run, write: @escaping @Sendable () -> [UInt8]) {
    self.isPublic = isPublic
    self.run = run
    self.write = write
  }

  /// - Parameter now: monotonic nanoseconds.
  func answer(at now: UInt64, _ later: HTTPLater) -> HTTPReply {
    let (page, isFirst) = state.withLock { state -> ([UInt8]?, Bool) in
      if now < state.until { return (state.page, false) }
      state.waiting.append(later)
      return (nil, state.waiting.count == 1)
    }
    if let page { return .response(.metrics(page)) }
    if isFirst { run { [self] in complete(until: now + Self.lifetime) } }
    return .later
  }

  private func complete(until: UInt64) {
    let page = write()
    let waiting = state.withLock { state in
      (state.page, state.until) = (page, until)
      defer { state.waiting = [] }
      return state.waiting
    }
    assert(!waiting.isEmpty)
    for later in waiting { later.complete(.metrics(page)) }
  }
}
