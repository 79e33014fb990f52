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

    /// Somebody reads so many lines, or all that there are.
    func goOn(lines: Int = .max) {
      let next = waiting.withLock { waiting in
        let first = Array(waiting.prefix(lines))
        waiting.removeFirst(first.count)
        return first
      }
      for work in next { work() }
    }
  }

  private final class Clock: Sendable {
    let now = Atomic<UInt64>(0)
  }

  /// What is written where so many lines are missing.
  private static func gap(of lines: Int) -> String {
    "warning the log could not be written for a while lines_lost=\(lines)"
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
    #expect(written[most - 1] == "debug line \(most - 1)")
    #expect(written.last == Self.gap(of: 50), "nobody has another line that would tell of it")
    // All have been written, so that there is room again, and losses are told once.
    queue.add(Self.event("another"), to: lines.handler)
    thread.goOn()
    #expect(lines.take() == ["debug another"])
    #expect(queue.lost == 50, "counted from the start on")
  }

  @Test func aGapIsToldWhereItIs() {
    let (thread, lines) = (StuckThread(), WrittenLines())
    let queue = LogQueue { thread.add($0) }
    let most = LogQueue.mostWaiting
    for number in 0..<(most + 50) { queue.add(Self.event("line \(number)"), to: lines.handler) }
    // Some are read slowly, and what comes then finds room.
    thread.goOn(lines: 3)
    for number in 0..<5 { queue.add(Self.event("later \(number)"), to: lines.handler) }
    thread.goOn()
    var expected = (0..<most).map { "debug line \($0)" }
    expected.append(Self.gap(of: 50))
    expected += (0..<3).map { "debug later \($0)" }
    expected.append(Self.gap(of: 2))
    #expect(lines.take() == expected)
    #expect(queue.lost == 52)
  }

  /// As long as more lines come than are read, others are missing before nearly each one that finds
  /// room. To tell it each time would leave less room for lines.
  @Test func aReaderThatIsTooSlowIsToldOfGapsOnceASecond() throws {
    let (thread, lines, clock) = (StuckThread(), WrittenLines(), Clock())
    let queue = LogQueue(
      run: { thread.add($0) }, clock: { clock.now.load(ordering: .relaxed) })
    for number in 0..<LogQueue.mostWaiting {
      queue.add(Self.event("line \(number)"), to: lines.handler)
    }
    for step in 0..<30 {
      clock.now.store(UInt64(step) * 100_000_000, ordering: .relaxed)
      thread.goOn(lines: 1)
      for part in 0..<3 { queue.add(Self.event("step \(step).\(part)"), to: lines.handler) }
    }
    thread.goOn()
    let written = lines.take()
    #expect(written.count == LogQueue.mostWaiting + 30 + 4 && queue.lost == 60)
    let gaps = written.filter { $0.hasPrefix("warning") }
    #expect(gaps == [2, 20, 20, 18].map { Self.gap(of: $0) })
    let first = try #require(written.firstIndex(of: gaps[0]))
    #expect(written[first - 1] == "debug step 0.0" && written[first + 1] == "debug step 1.0")
    #expect(written.last == gaps[3], "none is forgotten")
  }

  /// Also where the last that is written is no line of a logger, such as the greeting.
  @Test func aGapIsToldBehindWhateverComesLast() {
    let (thread, lines) = (StuckThread(), WrittenLines())
    let queue = LogQueue { thread.add($0) }
    queue.add(Self.event("line"), to: lines.handler)
    for _ in 0..<(LogQueue.mostWaiting + 4) { queue.add {} }
    thread.goOn()
    #expect(lines.take() == ["debug line", Self.gap(of: 5)] && queue.lost == 5)
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
