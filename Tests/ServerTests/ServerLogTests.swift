import Logging
import Synchronization
import Testing
import Transport
import Wire

@testable import Server

/// What the log says, and how often.
@Suite struct ServerLogTests {
  /// A log whose lines are kept, and whose clock stands still until a test moves it.
  private final class Lines: Sendable {
    private let written = WrittenLines()
    /// Nanoseconds.
    private let now = Mutex<UInt64>(1_000_000_000)

    func log(_ level: Logger.Level) -> ServerLog {
      var logger = Logger(label: "test") { [written] _ in written.handler }
      logger.logLevel = level
      return ServerLog(logger) { self.now.withLock { $0 } }
    }

    func wait(seconds: UInt64) { now.withLock { $0 += seconds * 1_000_000_000 } }

    func take() -> [String] { written.take() }
  }

  @Test func aLineComesOnceInTenSeconds() {
    let lines = Lines()
    let log = lines.log(.info)
    for number in 0..<1000 { log.write(.info, "full", ["number": "\(number)"]) }
    log.write(.warning, "other")
    #expect(lines.take() == ["info full number=0", "warning other"])
    lines.wait(seconds: 10)
    log.write(.info, "full")
    #expect(lines.take() == ["info full (and 999 times more before)"])
    log.write(.info, "full")
    log.flush()
    #expect(lines.take() == [])
    lines.wait(seconds: 10)
    log.flush()
    log.flush()
    #expect(lines.take() == ["info full (and 1 times more before)"])
  }

  @Test func manyDifferentLinesAreOne() {
    let lines = Lines()
    let log = lines.log(.info)
    for number in 0..<1000 { log.write(.info, "line \(number)") }
    #expect(lines.take().count == ServerLog.mostKinds + 1)
    lines.wait(seconds: 10)
    log.write(.info, "line 999")
    #expect(lines.take() == ["info line 999"])
    log.flush()
    let left = 1000 - ServerLog.mostKinds - 1
    #expect(lines.take() == ["info other lines (and \(left) times more before)"])
  }

  @Test func levelsAreKeptAndCanChange() {
    let lines = Lines()
    let log = lines.log(.warning)
    log.write(.info, "no")
    log.write(.error, "yes")
    #expect(lines.take() == ["error yes"])
    log.setLevel(.debug)
    for _ in 0..<3 { log.write(.debug, "each") }
    log.write(.trace, "no")
    #expect(lines.take() == ["debug each", "debug each", "debug each"])
  }

  @Test func everyConnectionHasAnID() throws {
    let lines = Lines()
    let pit = try VirtualServer(networkThreads: 2, log: lines.log(.debug))
    let probes = (0..<2).map { _ in Probe(pit) }
    pit.advance(seconds: 1)
    let first = lines.take()
    let opened = first.filter { $0.hasPrefix("debug a connection opened address=127.0.0.1") }
    let came = first.filter { $0.hasPrefix("debug a person came") && $0.contains(" person=") }
    let ids = { (lines: [String]) in
      lines.compactMap { $0.split(separator: " ").first { $0.hasPrefix("connection=") } }
    }
    #expect(first.count == 4 && Set(ids(opened)).count == 2 && ids(opened) == ids(came))
    #expect(ids(opened).contains { $0.hasPrefix("connection=1.") }, "\(first)")
    probes[0].say(bytes: [0xff, 1])
    probes[1].connection?.close(.goingAway, reason: "bye\n2026-01-01 forged")
    pit.advance(seconds: 1)
    let second = lines.take()
    #expect(
      second.contains { $0.hasPrefix("info a connection is ended: malformed message") }, "\(second)"
    )
    let ended = try #require(second.first { $0.contains("ended by its client") })
    #expect(ended.contains("code=1001") && ended.contains(#"reason="bye\n2026"#))
    #expect(!ended.contains("\n"), "a client writes no lines of its own")
  }
}
