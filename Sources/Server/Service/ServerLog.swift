import Logging
import Synchronization
import Transport
import Wire

/// The log of all of the server's threads.
///
/// Whatever anybody outside can cause as often as they like is one line in ten seconds, which says
/// how often it came besides. Lines below `info` are written as they come: they tell of every
/// connection, for somebody who looks for something.
///
/// Who writes a line waits for nobody, if the logger's lines go through a `LogQueue`.
final class ServerLog: Sendable {
  /// Nanoseconds between two lines with the same words.
  static let interval: UInt64 = 10_000_000_000
  /// Different words that are remembered at a time: more than the server has. Those beyond, which
  /// an error of a library could bring, count as one.
  static let mostKinds = 64
  static let beyond = "other lines"

  /// Lines with the same words.
  fileprivate struct Kind {
    var level: Logger.Level
    /// When the next may be written, in monotonic nanoseconds.
    var next: UInt64
    /// Those that were not.
    var leftOut = 0
  }

  fileprivate struct State {
    var logger: Logger
    var kinds: [String: Kind] = [:]
  }

  private let state: Mutex<State>
  /// The place in `Logger.Level.allCases` of the lowest level that is written, so that a line below
  /// it costs no lock.
  private let lowest: Atomic<Int>
  private let clock: @Sendable () -> UInt64
  private let queue: LogQueue?

  /// - Parameters:
  ///   - logger: where lines go; its level decides which.
  ///   - queue: through which the logger's lines go, if they do.
  ///   - clock: monotonic nanoseconds.
  init(_ logger: Logger, queue: LogQueue? = nil, clock: @escaping @Sendable () -> UInt64) {
    state = Mutex(State(logger: logger))
    lowest = Atomic(Self.place(of: logger.logLevel))
    self.queue = queue
    self.clock = clock
  }

  /// A log that is written nowhere.
  static var none: ServerLog {
    ServerLog(Logger(label: "none") { _ in SwiftLogNoOpLogHandler() }, clock: { 0 })
  }

  /// Lines of the whole process that were left out since the start because nobody read them.
  var lost: Int { queue?.lost ?? 0 }

  /// From now on lines of this level and above are written.
  func setLevel(_ level: Logger.Level) {
    state.withLock { $0.logger.logLevel = level }
    lowest.store(Self.place(of: level), ordering: .relaxed)
  }

  /// - Parameters:
  ///   - text: the same words for the same thing; what differs stands in `metadata`.
  func write(
    _ level: Logger.Level, _ text: @autoclosure () -> String,
    _ metadata: @autoclosure () -> Logger.Metadata = [:]
  ) {
    guard Self.place(of: level) >= lowest.load(ordering: .relaxed) else { return }
    let (text, metadata) = (text(), metadata())
    guard level >= .info else { return emit(level, text, metadata) }
    let now = clock()
    let line = state.withLock { $0.line(level, text, at: now) }
    if let line { emit(level, line, metadata) }
  }

  /// Writes a line each time that it comes: of what nobody does without a right to it.
  func record(_ level: Logger.Level, _ text: String, _ metadata: Logger.Metadata) {
    guard Self.place(of: level) >= lowest.load(ordering: .relaxed) else { return }
    emit(level, text, metadata)
  }

  /// Tells how often those came that were left out and have not come again for a while.
  func flush() {
    let now = clock()
    for (level, line) in state.withLock({ $0.takeOverdue(at: now) }) { emit(level, line, [:]) }
  }

  private func emit(_ level: Logger.Level, _ text: String, _ metadata: Logger.Metadata) {
    let logger = state.withLock { $0.logger }
    logger.log(level: level, "\(text)", metadata: metadata)
  }

  private static func place(of level: Logger.Level) -> Int {
    Logger.Level.allCases.firstIndex(of: level)!
  }
}

extension ServerLog.State {
  /// The line to write, if it is time for one.
  fileprivate mutating func line(_ level: Logger.Level, _ text: String, at now: UInt64) -> String? {
    if kinds[text] == nil, kinds.count >= ServerLog.mostKinds {
      kinds = kinds.filter { $0.value.leftOut > 0 || now < $0.value.next }
    }
    let isBeyond = kinds[text] == nil && kinds.count >= ServerLog.mostKinds
    let key = isBeyond ? ServerLog.beyond : text
    let known = kinds[key]
    if let known, now < known.next {
      kinds[key]!.leftOut += 1
      return nil
    }
    kinds[key] = .init(level: level, next: now + ServerLog.interval)
    assert(kinds.count <= ServerLog.mostKinds + 1)
    guard let leftOut = known?.leftOut, leftOut > 0 else { return text }
    return "\(text) (and \(leftOut) times more before)"
  }

  fileprivate mutating func takeOverdue(at now: UInt64) -> [(Logger.Level, String)] {
    let overdue = kinds.filter { $0.value.leftOut > 0 && now >= $0.value.next }
    return overdue.sorted { $0.key < $1.key }.map { text, kind in
      (kind.level, line(kind.level, text, at: now)!)
    }
  }
}

/// What the log says of single connections: at `debug` everything, at `info` what the server ended
/// for a reason that an operator may want to know.
extension SessionHub {
  func logOpened(_ session: Session) {
    serverLog.write(.debug, "a connection opened", metadata(of: session))
  }

  func logWelcome(_ session: Session, isBack: Bool) {
    serverLog.write(.debug, isBack ? "a person came back" : "a person came", metadata(of: session))
  }

  func logRate(_ change: RateControl.Change, of session: Session) {
    serverLog.write(
      .debug, change == .slower ? "a rate was lowered" : "a rate was raised",
      metadata(of: session, ["rate": "\(session.stream.rate.rawValue)"]))
  }

  /// A connection ended, or is about to. Repeated lines are summed, so what a client chose stands
  /// beside them: versions, and what its own close frame said.
  func logEnd(of session: Session, _ cause: EndCause, _ end: ConnectionEnd) {
    let isSaidByClient = !end.isOwn || cause == .otherVersion
    let words: String =
      switch cause {
      case .client: "ended by its client"
      case .lost: "lost"
      case .otherVersion: "ended: another version"
      default: "ended: \(end.reason)"
      }
    serverLog.write(
      cause.isUsual ? .debug : .info, "a connection is \(words)",
      metadata(
        of: session,
        [
          "code": "\(end.code)", "cause": "\(cause.rawValue)",
          "reason": "\(isSaidByClient ? end.reason.debugDescription : "")",
        ]))
  }

  private func metadata(of session: Session, _ more: Logger.Metadata = [:]) -> Logger.Metadata {
    var metadata = more
    metadata["connection"] = "\(thread).\(session.connection.id)"
    metadata["address"] = "\(session.connection.remoteAddress)"
    if let person = session.person?.identity { metadata["person"] = "\(person.id)" }
    return metadata
  }
}
