import Synchronization
import Transport
import Wire

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
    /// As they hold now: the next server is taken to have the same.
    var limits: Limits
    var traffic: TrafficLimits
  }

  private let state: Mutex<State>
  private let hasBegun = Atomic(false)
  private let isSecure: Bool
  let threads: Int

  init(_ configuration: ServerConfiguration) {
    isSecure = configuration.tls != nil
    threads = configuration.networkThreads
    state = Mutex(
      State(
        left: Array(repeating: nil, count: threads), limits: configuration.limits,
        traffic: configuration.traffic))
  }

  /// From now on other limits hold.
  func change(_ limits: Limits, _ traffic: TrafficLimits) {
    state.withLock { ($0.limits, $0.traffic) = (limits, traffic) }
  }

  /// The server is about to end.
  /// - Parameter clients: how many are here and will come back: people, and screens that only
  ///   watch, which say hello as often.
  func begin(clients: Int) {
    state.withLock {
      $0.window = ReturnWindow(
        clients: clients, limits: $0.limits, traffic: $0.traffic, threads: threads,
        isSecure: isSecure)
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

/// When those come back who are told that the server ends: spread over as much time as the next one
/// needs to let all of them in. It is taken to have the same limits.
struct ReturnWindow: Equatable, Sendable {
  /// Milliseconds before the first one: about what a process needs to end, and another one to
  /// start.
  static let earliest = 500
  /// Milliseconds over which even a few are spread.
  static let shortest = 1000
  /// Milliseconds over which the most are spread: what 4000 with TLS take on one thread, which does
  /// 250 handshakes a second. Who is refused after all comes again later.
  static let longest = 16_000
  /// Clients that a network thread can let in in a second: the upgrade, the hello, the welcome and
  /// a world take it about half a millisecond each, and it is to fan out beside that.
  private static let joinsPerSecond = 1000

  let milliseconds: Int

  /// - Parameters:
  ///   - clients: how many come back.
  ///   - threads: network threads, over which the kernel spreads them by chance.
  ///   - isSecure: whether each of them needs a TLS handshake.
  init(clients: Int, limits: Limits, traffic: TrafficLimits, threads: Int, isSecure: Bool) {
    var pace = min(Self.joinsPerSecond, traffic.connectionsPerSecond)
    if isSecure { pace = min(pace, traffic.handshakesPerSecond) }
    // A fifth of it stays for chance and for newcomers.
    let all = clients * 1000 * 5 / (pace * threads * 4)
    // All of them may be behind one address, as far as one may have connections.
    let crowd = min(clients, limits.connectionsPerAddress)
    let hellos =
      max(0, crowd - limits.helloBurstPerAddress) * 1000 / limits.hellosPerSecondPerAddress
    let arrivals =
      max(0, crowd - traffic.connectionsBurstPerAddress) * 1000
      / traffic.connectionsPerSecondPerAddress
    milliseconds = min(max(all, hellos, arrivals, Self.shortest), Self.longest)
  }

  /// When the next one comes, in milliseconds from now.
  /// - Parameters:
  ///   - place: how many of this thread were told before.
  ///   - count: how many of this thread will be told.
  func delay(place: Int, of count: Int, thread: Int, of threads: Int) -> UInt16 {
    let (place, places) = (place % max(1, count) * threads + thread, max(1, count) * threads)
    return UInt16(clamping: Self.earliest + milliseconds * place / places)
  }
}

/// What clients are told when the server ends.
extension SessionHub {
  /// Tells those who were not told yet when to come back, and ends their sessions. One whose pipe
  /// is full is tried again at the next call: the farewell is the last that is written to it.
  func sayFarewell(_ window: ReturnWindow) {
    farewells.expect(sessions.count)
    for session in sessions where !session.isOver {
      guard session.person != nil else {
        // It was never welcomed, so there is nothing to come back to.
        end(session, .restart, Self.farewell)
        continue
      }
      let delay = farewells.nextDelay(in: window, thread: thread, of: drain.threads)
      let message = OutgoingFrame(.comeBack(afterMilliseconds: delay))
      guard session.connection.send(message) == .sent else { continue }
      farewells.noteSaid()
      end(session, .restart, Self.farewell)
    }
    drain.note(left: sessions.count, on: thread)
  }

  private static let farewell = "the server restarts"
}

/// How many of a network thread's sessions were told that the server ends, and how many are to be
/// told: so each client gets a time of its own to come back.
struct Farewells {
  private var said = 0
  private var wanted = 0

  /// So many sessions are here.
  mutating func expect(_ sessions: Int) { wanted = max(wanted, sessions) }

  /// When the client of the next session is to come back, in milliseconds from now.
  func nextDelay(in window: ReturnWindow, thread: Int, of threads: Int) -> UInt16 {
    window.delay(place: said, of: wanted, thread: thread, of: threads)
  }

  /// That session was told.
  mutating func noteSaid() { said += 1 }
}
