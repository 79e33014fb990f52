import Logging
import Server
import Testing

@testable import stickerpit

/// One level for all copies of a logger, so that a SIGHUP changes what all of them write.
@Suite struct SharedLevelLogTests {
  private let logger = Self.logger(.warning)

  private static func logger(_ level: Logger.Level) -> Logger {
    Logger(label: "test") { SharedLevelLog(label: $0, level: level, queue: LogQueue()) }
  }

  @Test func aCopysLevelIsEveryCopys() {
    var (one, other) = (logger, logger)
    #expect(one.logLevel == .warning && other.logLevel == .warning)
    one.logLevel = .debug
    #expect(logger.logLevel == .debug && other.logLevel == .debug)
    other.logLevel = .error
    #expect(logger.logLevel == .error && one.logLevel == .error)
  }

  @Test func twoLoggersHaveTheirOwn() {
    var other = Self.logger(.info)
    other.logLevel = .trace
    #expect(logger.logLevel == .warning)
  }

  @Test func whatACopyAddsToItsLinesIsItsOwn() {
    var copy = logger
    copy[metadataKey: "connection"] = "7"
    #expect(copy[metadataKey: "connection"] == "7")
    #expect(logger[metadataKey: "connection"] == nil)
  }
}
