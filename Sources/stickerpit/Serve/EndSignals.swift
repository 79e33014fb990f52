import Foundation
import Glibc
import ServiceLifecycle
import Synchronization

/// Ends a server when SIGTERM or SIGINT comes: in order at the first, and at once at a second or
/// when that takes too long. What counts as a second one is decided by `EndRequests`.
///
/// A service whose end is the group's: not `ServiceGroup`'s own handling of signals, which begins
/// when the group runs. A server says before where it is open, and who is told so may end it.
///
/// Sendable although it holds the signals' sources: nothing touches those after `init`.
final class EndSignals: Service, @unchecked Sendable {
  /// Seconds after which an end in order has failed. It takes four at most (`Drain`, and then
  /// `ServiceLoop`) and what the journal's last entry takes; and who asked for it kills the process
  /// after ten, as a rule.
  static let patience = 4.9

  private let queue = DispatchQueue(label: "signals", qos: .userInitiated)
  private let requests = Mutex(EndRequests())
  private let (asked, ask) = AsyncStream.makeStream(of: Void.self)
  private var sources: [any DispatchSourceSignal] = []

  /// Listens when this returns.
  init() async {
    sources = [SIGINT, SIGTERM].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [weak self] in self?.noted(number) }
      return source
    }
    for source in sources {
      await withCheckedContinuation { continuation in
        source.setRegistrationHandler { continuation.resume() }
        source.resume()
      }
    }
  }

  /// Waits for the first signal.
  func run() async throws {
    await cancelWhenGracefulShutdown { [asked] in
      for await _ in asked { break }
    }
  }

  /// For a group that ends in order with this.
  var inGroup: ServiceGroupConfiguration.ServiceConfiguration {
    .init(service: self, successTerminationBehavior: .gracefullyShutdownGroup)
  }

  private func noted(_ number: Int32) {
    let now = DispatchTime.now()
    switch requests.withLock({ $0.note(at: now.uptimeNanoseconds) }) {
    case .first:
      ask.yield()
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
  StandardError.waitForNobody()
  Output.error(words)
  _exit(code)
}

/// Tells a second request to end from an echo of the first.
///
/// One request often comes as two signals. `timeout` sends one to the process and one to its group;
/// `make`, and scripts that start a server, pass on what the group was sent already. The kernel
/// merges two that are pending at once, but the first is usually taken before the second comes.
struct EndRequests: Sendable {
  enum Meaning {
    case first, echo, second
  }

  /// Nanoseconds after the first signal in which others belong to it. Those who pass a signal on
  /// take a few milliseconds; who presses Ctrl-C twice takes longer than this, as a rule.
  static let echoNanoseconds: UInt64 = 100_000_000

  private var first: UInt64?

  /// A signal came.
  /// - Parameter now: monotonic nanoseconds.
  mutating func note(at now: UInt64) -> Meaning {
    guard let first else {
      first = now
      return .first
    }
    return now - first < Self.echoNanoseconds ? .echo : .second
  }
}
