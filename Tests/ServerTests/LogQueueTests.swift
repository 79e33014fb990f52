import Foundation
import Logging
import Synchronization
import Testing

@testable import Server

/// Whoever has a line waits for nobody, however long it takes to write.
@Suite struct LogQueueTests {
  /// Keeps the lines that are written.
  private struct Handler: LogHandler {
    final class Lines: Sendable {
      private let all = Mutex<[String]>([])

      func append(_ line: String) { all.withLock { $0.append(line) } }

      func take() -> [String] {
        all.withLock { lines in
          defer { lines.removeAll() }
          return lines
        }
      }
    }

    let lines = Lines()
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let fields = (event.metadata ?? [:]).map { " \($0.key)=\($0.value)" }.sorted()
      lines.append("\(event.level) \(event.message)" + fields.joined())
    }
  }

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
    let (thread, handler) = (StuckThread(), Handler())
    let queue = LogQueue { thread.add($0) }
    let most = LogQueue.mostWaiting
    for number in 0..<(most + 50) { queue.add(Self.event("line \(number)"), to: handler) }
    #expect(handler.lines.take().isEmpty)
    #expect(thread.count == most && queue.lost == 50)
    thread.goOn()
    let written = handler.lines.take()
    #expect(written.count == most + 1)
    #expect(written[1] == "warning the log could not be written for a while lines_lost=50")
    #expect(written.last == "debug line \(most - 1)")
    // All have been written, so that there is room again, and losses are told once.
    queue.add(Self.event("another"), to: handler)
    thread.goOn()
    #expect(handler.lines.take() == ["debug another"])
    #expect(queue.lost == 50, "counted from the start on")
  }

  @Test func theEndWaitsForLinesThatAreSlowToWrite() {
    let (queue, handler) = (LogQueue(), Handler())
    queue.add { usleep(20_000) }
    queue.add(Self.event("the last one"), to: handler)
    #expect(queue.finish())
    #expect(handler.lines.take() == ["debug the last one"])
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
