import Foundation
import Logging
import Synchronization

/// Lines on their way to standard error, which a thread of its own writes.
///
/// Standard error may be a pipe that nobody reads, and then a write takes for ever. Whoever has a
/// line goes on: threads that tick and send, the reading of the configuration, the end of the
/// process. Lines beyond `mostWaiting` are left out, and a line tells how many, in the place where
/// they are missing, or within a second behind it.
public final class LogQueue: Sendable {
  /// Lines that wait to be written, at most: some 200 kB.
  static let mostWaiting = 1000
  /// Seconds that the end of the process waits for the last lines, of the five that it may take.
  private static let lastSeconds = 0.25
  /// Nanoseconds for which missing lines are not told again. Where somebody reads all the time and
  /// too slowly, lines are missing before nearly each one that finds room: to tell so of each would
  /// double what is written.
  private static let tellingPause: UInt64 = 1_000_000_000

  private let run: Worker.Run
  private let clock: @Sendable () -> UInt64
  /// Lines that wait to be written.
  private let waiting = Atomic(0)
  /// Lines that were left out since the start, and those of them that no line tells of yet.
  private let allLost = Atomic(0)
  private let untold = Atomic(0)
  /// When they may be told before another line again, by `clock`.
  private let nextTelling = Atomic<UInt64>(0)
  /// Wrote the last line of a logger. The thread that writes is the only one to use it.
  private let lastHandler = Mutex<(any LogHandler)?>(nil)

  /// A queue with a thread of its own.
  public convenience init() { self.init(run: Worker.thread("log")) }

  /// - Parameters:
  ///   - run: the thread that writes the lines, one after the other.
  ///   - clock: monotonic nanoseconds.
  init(
    run: @escaping Worker.Run,
    clock: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }
  ) {
    (self.run, self.clock) = (run, clock)
  }

  /// Lines that were left out since the start because too many waited.
  public var lost: Int { allLost.load(ordering: .relaxed) }

  /// Has a line of a logger written when its turn comes, if there is room for it.
  /// - Parameters:
  ///   - event: what the logger was told.
  ///   - handler: writes it, and may take as long as it likes.
  public func add(_ event: LogEvent, to handler: some LogHandler) {
    guard takePlace() else { return }
    let missing = takeUntold()
    run { [self] in
      tell(missing, to: handler)
      handler.log(event: event)
      lastHandler.withLock { $0 = handler }
      givePlaceBack()
    }
  }

  /// Has anything else written when its turn comes, if there is room for it.
  /// - Parameter write: writes it, and may take as long as it likes.
  public func add(_ write: @escaping @Sendable () -> Void) {
    guard takePlace() else { return }
    run { [self] in
      write()
      givePlaceBack()
    }
  }

  /// Waits until all that was said is written, for a quarter of a second at most: whoever ends the
  /// process calls it last.
  /// - Returns: whether it is written; if not, nobody reads it.
  public func finish() -> Bool {
    let done = DispatchSemaphore(value: 0)
    run { done.signal() }
    return done.wait(timeout: .now() + Self.lastSeconds) == .success
  }

  /// Whether there is room for one more line; if not, it is left out and counted.
  private func takePlace() -> Bool {
    if waiting.add(1, ordering: .relaxed).newValue <= Self.mostWaiting { return true }
    waiting.subtract(1, ordering: .relaxed)
    allLost.add(1, ordering: .relaxed)
    untold.add(1, ordering: .relaxed)
    return false
  }

  /// How many lines are told to be missing before one that has found room: all of which nobody told
  /// yet, unless that was done just now.
  private func takeUntold() -> Int {
    guard untold.load(ordering: .relaxed) > 0 else { return 0 }
    let now = clock()
    guard now >= nextTelling.load(ordering: .relaxed) else { return 0 }
    nextTelling.store(now + Self.tellingPause, ordering: .relaxed)
    return untold.exchange(0, ordering: .relaxed)
  }

  /// A line is written. Nobody may have another one for long: if it was the last one, what is
  /// missing is told after it.
  private func givePlaceBack() {
    let left = waiting.subtract(1, ordering: .relaxed).newValue
    assert(left >= 0, "each line is written once")
    guard left == 0, let handler = lastHandler.withLock({ $0 }) else { return }
    tell(untold.exchange(0, ordering: .relaxed), to: handler)
  }

  /// Whatever the log's level is: what is missing are lines of that level.
  /// - Parameter missing: how many lines were left out; of none nothing is told.
  private func tell(_ missing: Int, to handler: some LogHandler) {
    guard missing > 0 else { return }
    handler.log(
      event: LogEvent(
        level: .warning, message: "the log could not be written for a while",
        metadata: ["lines_lost": "\(missing)"], source: nil, file: #fileID,
        function: #function, line: #line))
  }
}
