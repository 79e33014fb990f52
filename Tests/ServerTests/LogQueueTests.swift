import Foundation
import Logging
import Synchronization
import Testing

@testable import Server

/// Whoever has a line waits for nobody, however long it takes to write.
@Suite struct LogQueueTests {
  /// What a thread was given to do and has not done: it writes, and nobody reads.
  private final class StuckThread: Sendable {
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    var count: Int { waiting.withLock { $0.count } }

    func add(_ work: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(work) } }

    /// Somebody reads again.
    func goOn() {
      let all = waiting.withLock { waiting in
        defer { waiting.removeAll() }
        return waiting
      }
      for work in all { work() }
    }
  }

  private static func event(_ text: String) -> LogEvent {
    LogEvent(
      level: .debug, message: "\(text)", metadata: nil, source: nil, file: #fileID,
      function: #function, line: #line)
  }

  @Test func aLogThatNobodyReadsStopsNobodyAndStaysSmall() {
    let (thread, lines) = (StuckThread(), WrittenLines())
    let queue = LogQueue { thread.add($0) }
    let most = LogQueue.mostWaiting
    for number in 0..<(most + 50) { queue.add(Self.event("line \(number)"), to: lines.handler) }
    #expect(lines.take().isEmpty)
    #expect(thread.count == most && queue.lost == 50)
    thread.goOn()
    let written = lines.take()
    #expect(written.count == most + 1)
    #expect(written[1] == "warning the log could not be written for a while lines_lost=50")
    #expect(written.last == "debug line \(most - 1)")
    // All have been written, so that there is room again, and losses are told once.
    queue.add(Self.event("another"), to: lines.handler)
    thread.goOn()
    #expect(lines.take() == ["debug another"])
    #expect(queue.lost == 50, "counted from the start on")
  }

  @Test func theEndWaitsForLinesThatAreSlowToWrite() {
    let (queue, lines) = (LogQueue(), WrittenLines())
    queue.add { usleep(20_000) }
    queue.add(Self.event("the last one"), to: lines.handler)
    #expect(queue.finish())
    #expect(lines.take() == ["debug the last one"])
  }

  /// The test ends, because the end does.
  @Test func theEndWaitsForNobodyWhoReadsNothing() {
    let thread = StuckThread()
    let queue = LogQueue { thread.add($0) }
    queue.add {}
    #expect(!queue.finish())
    #expect(thread.count == 2, "the line, and the question whether it is written")
    thread.goOn()
  }
}
