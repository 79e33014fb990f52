import Foundation
import Logging
import Synchronization

/// Lines on their way to standard error, which a thread of its own writes.
///
/// Standard error may be a pipe that nobody reads, and then a write takes for ever. Whoever has a
/// line goes on: threads that tick and send, the reading of the configuration, the end of the
/// process. Lines beyond `mostWaiting` are left out, and how many were is told when lines can be
/// written again.
public final class LogQueue: Sendable {
  /// Lines that wait to be written, at most: some 200 kB.
  static let mostWaiting = 1000
  /// Seconds that the end of the process waits for the last lines, of the five that it may take.
  private static let lastSeconds = 0.25

  private let run: Worker.Run
  /// Lines that wait to be written.
  private let waiting = Atomic(0)
  /// Lines that were left out since the start, and how many of them the log has told of.
  private let allLost = Atomic(0)
  private let told = Atomic(0)

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
    add { [self] in
      handler.log(event: event)
      tellLosses(to: handler)
    }
  }

  /// Has anything else written when its turn comes, if there is room for it.
  /// - Parameter write: writes it, and may take as long as it likes.
  public func add(_ write: @escaping @Sendable () -> Void) {
    guard waiting.add(1, ordering: .relaxed).newValue <= Self.mostWaiting else {
      waiting.subtract(1, ordering: .relaxed)
      allLost.add(1, ordering: .relaxed)
      return
    }
    run { [self] in
      write()
      let before = waiting.subtract(1, ordering: .relaxed).oldValue
      assert(before >= 1, "each line is written once")
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

  /// Whatever the log's level is: what is missing are lines of that level.
  private func tellLosses(to handler: some LogHandler) {
    let all = lost
    let before = told.exchange(all, ordering: .relaxed)
    assert(before <= all, "only the thread that writes tells of losses")
    guard before < all else { return }
    handler.log(
      event: LogEvent(
        level: .warning, message: "the log could not be written for a while",
        metadata: ["lines_lost": "\(all - before)"], source: nil, file: #fileID,
        function: #function, line: #line))
  }
}
