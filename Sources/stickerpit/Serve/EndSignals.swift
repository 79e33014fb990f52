import Foundation
import Glibc
import Synchronization

/// What a server does about SIGTERM and SIGINT besides ending in order, which is `ServiceGroup`'s
/// part: a second one ends it at once, and so does time. What counts as a second one is decided by
/// `EndRequests`.
///
/// Sendable although it holds the signals' sources: nothing touches those after `init`.
final class EndSignals: @unchecked Sendable {
  /// Seconds after which an end in order has failed. It takes four at most (`Drain`, and then
  /// `ServiceLoop`) and what the journal's last entry takes; and who asked for it kills the process
  /// after ten, as a rule.
  static let patience = 4.9

  private let queue = DispatchQueue(label: "signals", qos: .userInitiated)
  private let requests = Mutex(EndRequests())
  private var sources: [any DispatchSourceSignal] = []

  /// Listens from now on.
  init() {
    sources = [SIGINT, SIGTERM].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [weak self] in self?.noted(number) }
      source.resume()
      return source
    }
  }

  private func noted(_ number: Int32) {
    let now = DispatchTime.now()
    switch requests.withLock({ $0.note(at: now.uptimeNanoseconds) }) {
    case .first:
      queue.asyncAfter(deadline: now + Self.patience) {
        end(1, "could not end in order within \(Self.patience) s: ends at once")
      }
    case .echo: break
    case .second:
      // As a shell tells of a process that a signal ended.
      end(128 + number, "asked twice to end: ends at once")
    }
  }
}

/// Ends the process, also if nobody reads its standard error: a pipe that is full would hold it up.
private func end(_ code: Int32, _ words: String) {
  _ = fcntl(2, F_SETFL, fcntl(2, F_GETFL) | O_NONBLOCK)
  Output.error(words)
  _exit(code)
}
