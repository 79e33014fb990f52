import Foundation
import Synchronization
import TickLog

/// Where a member of a cluster runs: a thread as a rule, a virtual clock in simulations.
protocol ClusterRunning: Sendable {
  /// What the world is like. Only before clients are served.
  var world: WorldDescription { get }

  /// How the member fares.
  var health: ClusterHealth { get }

  /// Runs something where the member runs, and waits for it.
  func perform(_ work: @escaping @Sendable (ClusterMember) -> Void)
}

extension ClusterRunning {
  var world: WorldDescription {
    let box = Mutex<WorldDescription?>(nil)
    perform { member in box.withLock { $0 = WorldDescription(member.replica!.pit) } }
    return box.withLock { $0! }
  }
}

/// The thread that has a member of a cluster: what the link tells waits here for it.
///
/// Sendable because the member belongs to that thread alone.
final class ClusterThread: ClusterRunning, @unchecked Sendable {
  /// Nanoseconds between two turns without news. Inputs are forwarded within so much of their time.
  private static let interval: UInt64 = 2_000_000
  /// Events that may wait; what comes beyond is lost as on a bad line, and asked for again. At 60
  /// ticks a second and some messages of each member these are many seconds.
  private static let mostEvents = 65_536
  /// Nanoseconds that the end waits until the log has the last ticks.
  private static let patience: UInt64 = 1_000_000_000

  private let member: ClusterMember
  private let clock: @Sendable () -> UInt64
  private let mailbox = Mutex(Mailbox())
  private let news = DispatchSemaphore(value: 0)
  private let stopped = DispatchSemaphore(value: 0)
  /// Where it is told that the member can't go on.
  let failures: AsyncStream<ClusterError>
  private let tellFailure: AsyncStream<ClusterError>.Continuation

  private struct Mailbox {
    var events: [LinkEvent] = []
    var work: [@Sendable (ClusterMember) -> Void] = []
    var isStopping = false
    var isReady = false
    var failure: ClusterError?
    var health = ClusterHealth()
    /// When the thread went round last, in monotonic nanoseconds.
    var turned: UInt64 = 0
  }

  /// - Parameter clock: monotonic nanoseconds.
  init(_ member: ClusterMember, clock: @escaping @Sendable () -> UInt64) {
    self.member = member
    self.clock = clock
    (failures, tellFailure) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
  }

  /// How the member fares, as it told last.
  var health: ClusterHealth { mailbox.withLock { $0.health } }

  /// Whether the member does what it can. While NATS can't be reached, or takes no ticks, the world
  /// stands still, and starting the server again would only send its clients away.
  /// - Parameters:
  ///   - isTicking: whether ticks are shown.
  ///   - now: monotonic nanoseconds.
  func isAlive(isTicking: Bool, at now: UInt64) -> Bool {
    let (health, turned) = mailbox.withLock { ($0.health, $0.turned) }
    let isWaiting = !health.isConnected || health.waitingTicks > 0 || health.role != "leader"
    return now - min(turned, now) < 1_000_000_000 && (isTicking || isWaiting)
  }

  /// Begins, and waits until clients can be served.
  /// - Throws: why they can't.
  func start() throws(ClusterError) {
    try member.link.start { [self] event in post(event) }
    let thread = Thread { [self] in
      ThreadPriority.tick.take(naming: "cluster")
      run()
      stopped.signal()
    }
    thread.start()
    while true {
      let (isReady, failure) = mailbox.withLock { ($0.isReady, $0.failure) }
      if let failure {
        stop()
        throw failure
      }
      if isReady { return }
      usleep(2000)
    }
  }

  private func post(_ event: LinkEvent) {
    mailbox.withLock { mailbox in
      guard mailbox.events.count < Self.mostEvents else { return }
      mailbox.events.append(event)
    }
    news.signal()
  }

  /// Runs something on the member's thread, and waits for it.
  func perform(_ work: @escaping @Sendable (ClusterMember) -> Void) {
    let done = DispatchSemaphore(value: 0)
    mailbox.withLock {
      $0.work.append { member in
        work(member)
        done.signal()
      }
    }
    news.signal()
    done.wait()
  }

  /// Waits until the log has what waits for it, says farewell, and ends the thread.
  func stop() {
    mailbox.withLock { $0.isStopping = true }
    news.signal()
    stopped.wait()
  }

  private func run() {
    var events: [LinkEvent] = []
    var deadline: UInt64?
    while true {
      _ = news.wait(timeout: .now() + .nanoseconds(Int(Self.interval)))
      // Many signals may have come for what is taken at once.
      while news.wait(timeout: .now()) == .success {}
      events.removeAll(keepingCapacity: true)
      let (work, isStopping) = mailbox.withLock { mailbox in
        swap(&events, &mailbox.events)
        defer { mailbox.work = [] }
        return (mailbox.work, mailbox.isStopping)
      }
      member.handle(events, clock: clock)
      for work in work { work(member) }
      member.turn(now: clock())
      tell()
      guard isStopping else { continue }
      let end = deadline ?? clock() + Self.patience
      deadline = end
      guard member.hasNothingLeft || clock() >= end else { continue }
      member.leave()
      member.link.close()
      return
    }
  }

  private func tell() {
    let (health, isReady, now) = (member.health, member.isReady, clock())
    var failure: ClusterError?
    if case .over(let error) = member.phase { failure = error }
    let isNew = mailbox.withLock { mailbox in
      (mailbox.health, mailbox.isReady, mailbox.turned) = (health, isReady, now)
      guard let failure, mailbox.failure == nil else { return false }
      mailbox.failure = failure
      return true
    }
    if isNew, let failure { tellFailure.yield(failure) }
  }
}
