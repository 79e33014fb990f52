import Synchronization

/// Hands one report from the network thread to the task that waits for it.
final class ResultBox: Sendable {
  private enum State {
    case empty
    case awaited(CheckedContinuation<BotReport, Never>)
    case full(BotReport)
  }

  private let state = Mutex(State.empty)

  func put(_ report: BotReport) {
    let waiting = state.withLock { state -> CheckedContinuation<BotReport, Never>? in
      if case .awaited(let continuation) = state { return continuation }
      state = .full(report)
      return nil
    }
    waiting?.resume(returning: report)
  }

  /// The report, once there is one. May be asked for once.
  func value() async -> BotReport {
    await withCheckedContinuation { continuation in
      let ready = state.withLock { state -> BotReport? in
        if case .full(let report) = state { return report }
        state = .awaited(continuation)
        return nil
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }
}
