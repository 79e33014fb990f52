import Synchronization
import Transport

/// The server's end, as all of its threads see it: whether it has begun, when those who are here
/// are to come back, and whether all of them have left.
final class Drain: Sendable {
  /// Nanoseconds in which connections are told; who reads too slowly for that is cut off. With 4000
  /// of them behind TLS, and their pages on the same machine, two seconds were not enough for 197.
  static let patience: UInt64 = 3_000_000_000

  private struct State {
    var window: ReturnWindow?
    /// Connections of each network thread; nil for one that has not begun.
    var left: [Int?]
  }

  private let state: Mutex<State>
  private let hasBegun = Atomic(false)
  private let limits: Limits
  private let traffic: TrafficLimits
  private let isSecure: Bool
  let threads: Int

  init(_ configuration: ServerConfiguration) {
    limits = configuration.limits
    traffic = configuration.traffic
    isSecure = configuration.tls != nil
    threads = configuration.networkThreads
    state = Mutex(State(left: Array(repeating: nil, count: threads)))
  }

  /// The server is about to end.
  /// - Parameter people: how many are here.
  func begin(people: Int) {
    state.withLock {
      $0.window = ReturnWindow(
        people: people, limits: limits, traffic: traffic, threads: threads, isSecure: isSecure)
    }
    hasBegun.store(true, ordering: .releasing)
  }

  /// When people come back, once the end has begun.
  var window: ReturnWindow? {
    hasBegun.load(ordering: .acquiring) ? state.withLock { $0.window } : nil
  }

  /// How many connections a network thread still has.
  func note(left: Int, on thread: Int) { state.withLock { $0.left[thread] = left } }

  /// Connections that have not left; nil before all threads know that they should.
  var left: Int? {
    state.withLock { state in
      state.left.reduce(0) { sum, count in sum.flatMap { sum in count.map { sum + $0 } } }
    }
  }
}
