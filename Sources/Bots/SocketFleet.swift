import Synchronization
import Transport

/// A fleet over real sockets.
public enum SocketFleet {
  /// How often bots act: shorter than a tick, so that a tilt is never much late.
  private static let timerMilliseconds = 10

  /// Runs the bots to the end.
  ///
  /// - Parameters:
  ///   - url: the server's socket; a `wss` server may have signed its own certificate.
  ///   - isInterrupted: whether somebody ends the run before its time; asked on the network thread.
  ///   - started: called when the bots begin to join.
  /// - Throws: when the network can't be set up at all; refused connections are in the report.
  public static func run(
    url: String, options: BotOptions, isInterrupted: @escaping () -> Bool, started: () -> Void
  ) async throws(TransportError) -> BotReport {
    let result = ResultBox()
    let pool = Pool()
    let fleet = BotFleet(
      options: options, dial: { pool.clients!.connect() },
      clock: { MonotonicClock.nanoseconds() }, isInterrupted: isInterrupted,
      finished: { result.put($0) })
    let clients = try WebSocketClients(
      url: url, delegate: fleet, timerIntervalMilliseconds: timerMilliseconds,
      acceptsAnyCertificate: true)
    // The clients call the fleet and the fleet calls the clients: one of them comes first.
    pool.clients = clients
    try clients.start(expectedConnections: options.count)
    started()
    let report = await result.value()
    clients.stop()
    return report
  }

  private final class Pool {
    var clients: WebSocketClients?
  }
}

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
