import Foundation
import Glibc
import Simulation
import Synchronization
import TickLog
import Wire

/// The thread that writes the journal: every 50 ms what was left at the desk, in one transaction.
///
/// Sendable because everything that changes belongs to that thread, or stands in `health`.
final class JournalWriter: @unchecked Sendable {
  /// Nanoseconds from one group to the next. With the time that writing takes, a process that is
  /// killed loses at most twice as much.
  static let interval: UInt64 = 50_000_000
  /// Nanoseconds after a failure before the next try.
  private static let pause: UInt64 = 1_000_000_000
  /// Entries between two looks at age and size: those of ten seconds.
  private static let pruneInterval = 200
  /// Nanoseconds that the end waits for a disk that refuses, and for one that does not answer.
  private static let patience: UInt64 = 1_000_000_000
  /// Nanoseconds after which an entry that is under way is told as slow, and as a failure.
  private static let slow: UInt64 = 1_000_000_000
  private static let stuck: UInt64 = 10_000_000_000

  private let home: any LogHome
  private let desk: JournalDesk
  private let limits: JournalLimits
  private let log: ServerLog
  private let metrics: ServerMetrics
  private let identity: LogOrigin
  private let stopsOnFailure: Bool
  private let clock: @Sendable () -> UInt64
  private let wallClock: @Sendable () -> UInt64
  /// Where the first failure is told, if the server is to end then.
  let failures: AsyncStream<JournalError>
  private let tellFailure: AsyncStream<JournalError>.Continuation

  /// What the disk has not taken yet.
  private var pending = LogEntry()
  private var isFailing = false
  private var nextTry: UInt64 = 0
  private var untilPrune = 1
  private let state = Mutex(JournalHealth())
  /// When the entry under way began; nil between two.
  private let writing = Mutex<UInt64?>(nil)
  private let stopping = DispatchSemaphore(value: 0)
  private let stopped = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - home: where the log is written.
  ///   - identity: what this process writes into the log when it begins anew.
  ///   - clock: monotonic nanoseconds.
  ///   - wallClock: milliseconds since 1970.
  init(
    _ home: any LogHome, _ desk: JournalDesk, _ settings: JournalSettings, identity: LogOrigin,
    metrics: ServerMetrics, log: ServerLog, clock: @escaping @Sendable () -> UInt64,
    wallClock: @escaping @Sendable () -> UInt64
  ) {
    self.home = home
    self.desk = desk
    limits = settings.limits
    stopsOnFailure = settings.stopsOnFailure
    self.identity = identity
    (failures, tellFailure) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    self.metrics = metrics
    self.log = log
    self.clock = clock
    self.wallClock = wallClock
    state.withLock { $0.position = home.last }
  }

  /// How it fares; what waits at the desk is of now.
  var health: JournalHealth {
    var health = state.withLock { $0 }
    health.waitingTicks += desk.waitingTicks
    health.lostTicks += desk.lostTicks
    health.isSlow = hasWritten(for: Self.slow)
    return health
  }

  /// Whether the entry under way has taken longer than a server that needs its journal waits.
  var isStuck: Bool { stopsOnFailure && hasWritten(for: Self.stuck) }

  private func hasWritten(for nanoseconds: UInt64) -> Bool {
    let now = clock()
    return writing.withLock { $0.map { now - min($0, now) >= nanoseconds } ?? false }
  }

  func start() {
    let thread = Thread { [self] in
      ThreadPriority.journal.take(naming: "journal")
      run()
      stopped.signal()
    }
    thread.start()
  }

  /// Writes what is left, closes the journal and ends the thread. Its last entry has the world as
  /// it is then, so that the next start need not replay anything.
  func stop(_ world: SavedWorld) {
    desk.put(world: world)
    stopping.signal()
    guard stopped.wait(timeout: .now() + .nanoseconds(Int(2 * Self.patience))) == .timedOut else {
      return
    }
    log.write(
      .error, "the journal's disk does not answer: the end is not written down",
      ["since_tick": "\(state.withLock { $0.position })", "ticks": "\(health.waitingTicks)"])
  }

  private func run() {
    var next = clock()
    while stopping.wait(timeout: .now() + .nanoseconds(Int(next - min(clock(), next)))) == .timedOut
    {
      turn()
      next = max(next + Self.interval, clock())
    }
    let deadline = clock() + Self.patience
    repeat {
      nextTry = 0
      turn()
      if isFailing { usleep(50_000) }
    } while (isFailing || !desk.isEmpty) && clock() < deadline
    if isFailing || !desk.isEmpty {
      log.write(
        .error, "the end could not be written down",
        ["since_tick": "\(home.last)", "ticks": "\(health.waitingTicks)"])
    }
    do throws(JournalError) { try home.close() } catch {
      log.write(.error, "the journal could not be closed", ["why": "\(error)"])
    }
  }

  /// Writes once.
  func turn() {
    let began = clock()
    guard !isFailing || began >= nextTry else { return }
    if !isFailing { take() }
    guard !pending.isEmpty else { return }
    writing.withLock { $0 = began }
    defer { writing.withLock { $0 = nil } }
    do throws(JournalError) {
      try home.append(pending)
      succeeded(began)
    } catch {
      failed(error)
    }
  }

  private func warnIfSlow(_ nanoseconds: UInt64) {
    guard nanoseconds >= Self.slow else { return }
    log.write(
      .warning, "the journal's disk is slow: a crash would have lost what waited",
      ["seconds": "\(nanoseconds / 1_000_000_000)", "ticks": "\(desk.waitingTicks)"])
  }

  /// Makes an entry of what was left at the desk.
  private func take() {
    let batch = desk.take()
    let now = wallClock()
    if let position = batch.origin {
      var origin = identity
      (origin.position, origin.beginning, origin.time) = (position, .snapshot, now)
      pending.origin = origin
    }
    pending.groups = batch.groups.map {
      LogGroup(first: $0.first, count: $0.count, time: $0.time, records: $0.records)
    }
    pending.people = batch.people
    pending.snapshot = batch.world.map {
      LogSnapshot(position: $0.position, time: now, bytes: $0.saved.packed())
    }
    state.withLock {
      $0.waitingTicks = batch.tickCount
      $0.lostTicks += batch.lostTicks
    }
    guard batch.lostTicks > 0 else { return }
    log.write(
      .error, "the journal gave up ticks because the disk took none for too long",
      ["ticks": "\(batch.lostTicks)"])
  }

  private func succeeded(_ began: UInt64) {
    let ticks = pending.groups.reduce(0) { $0 + $1.count }
    let hadSnapshot = pending.snapshot != nil
    pending = LogEntry()
    let took = clock() - began
    metrics.journalWrites.recordNanoseconds(Int64(clamping: took))
    warnIfSlow(took)
    if isFailing {
      isFailing = false
      log.write(.notice, "the journal is written again", ["tick": "\(home.last)"])
    }
    state.withLock {
      $0.position = home.last
      $0.writtenTicks += ticks
      $0.waitingTicks = 0
      $0.isFailing = false
    }
    untilPrune -= 1
    guard hadSnapshot || untilPrune <= 0 else { return }
    untilPrune = Self.pruneInterval
    prune()
  }

  private func prune() {
    do throws(JournalError) {
      let hasMore = try home.prune(to: limits, at: wallClock())
      if hasMore { untilPrune = 1 }
      let bytes = try home.byteCount()
      state.withLock { $0.bytes = bytes }
    } catch {
      state.withLock { $0.failures += 1 }
      log.write(
        .warning, "the journal could not be put in order: it takes more room than it needs",
        ["why": "\(error)"])
    }
  }

  private func failed(_ error: JournalError) {
    nextTry = clock() + Self.pause
    state.withLock {
      $0.failures += 1
      $0.isFailing = true
    }
    log.write(
      .error, "the journal can't be written: a restart would lose what happens from now on",
      ["why": "\(error)", "since_tick": "\(home.last)"])
    if !isFailing, stopsOnFailure { tellFailure.yield(error) }
    isFailing = true
  }
}

/// How the journal fares.
struct JournalHealth: Sendable {
  /// The position of the last tick that is written.
  var position: UInt64 = 0
  /// Ticks that were written by this process.
  var writtenTicks = 0
  /// Ticks that a crash would lose now.
  var waitingTicks = 0
  /// Ticks that were given up.
  var lostTicks = 0
  /// Writes that failed.
  var failures = 0
  var isFailing = false
  /// Whether an entry has taken longer than a second.
  var isSlow = false
  /// Bytes of the journal when it was pruned last.
  var bytes = 0
}
