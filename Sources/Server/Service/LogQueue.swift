import Foundation
import Logging
import Synchronization

/// Lines on their way to standard error, which a thread of its own writes.
///
/// Standard error may be a pipe that nobody reads, and then a write takes for ever. Whoever has a
/// line goes on: threads that tick and send, the reading of the configuration, the end of the
/// process. Lines beyond `mostWaiting` are left out, and a line tells how many, in the place where
/// they are missing.
public final class LogQueue: Sendable {
  /// Lines that wait to be written, at most: some 200 kB.
  static let mostWaiting = 1000
  /// Seconds that the end of the process waits for the last lines, of the five that it may take.
  private static let lastSeconds = 0.25

  private let run: Worker.Run
  /// Lines that wait to be written.
  private let waiting = Atomic(0)
  /// Lines that were left out since the start, and those of them that no line tells of yet.
  private let allLost = Atomic(0)
  private let untold = Atomic(0)

  /// A queue with a thread of its own.
  public convenience init() { self.init(run: Worker.thread("log")) }

  /// - Parameter run: the thread that writes the lines, one after the other.
  init(run: @escaping Worker.Run) { self.run = run }

  /// Lines that were left out since the start because too many waited.
  public var lost: Int { allLost.load(ordering: .relaxed) }

  /// Has a line of a logger written when its turn comes, if there is room for it.
  /// - Parameters:
  ///   - event: what the logger was told.
  ///   - handler: writes it, and may take as long as it likes.
  public func add(_ event: LogEvent, to handler: some LogHandler) {
    guard takePlace() else { return }
    // These are missing between the line before this one and this one.
    let missing = untold.exchange(0, ordering: .relaxed)
    run { [self] in
      tell(missing, to: handler)
      handler.log(event: event)
      // Nobody may have a line for long: if this is the last one, what is missing comes after it.
      if givePlaceBack() == 0 { tell(untold.exchange(0, ordering: .relaxed), to: handler) }
    }
  }

  /// Has anything else written when its turn comes, if there is room for it.
  /// - Parameter write: writes it, and may take as long as it likes.
  public func add(_ write: @escaping @Sendable () -> Void) {
    guard takePlace() else { return }
    run { [self] in
      write()
      _ = givePlaceBack()
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

  /// A line is written.
  /// - Returns: how many wait now.
  private func givePlaceBack() -> Int {
    let left = waiting.subtract(1, ordering: .relaxed).newValue
    assert(left >= 0, "each line is written once")
    return left
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
