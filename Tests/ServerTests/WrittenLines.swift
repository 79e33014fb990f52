import Logging
import Synchronization

/// Keeps what a logger writes, each line as its level, its words and what stands beside them.
final class WrittenLines: Sendable {
  /// Writes here, whatever its level is.
  struct Handler: LogHandler {
    let lines: WrittenLines
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let fields = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
      let line = ([event.level.rawValue, "\(event.message)"] + fields).joined(separator: " ")
      lines.all.withLock { $0.append(line) }
    }
  }

  private let all = Mutex<[String]>([])

  var handler: Handler { Handler(lines: self) }

  /// The lines since the last call.
  func take() -> [String] {
    all.withLock { lines in
      defer { lines.removeAll() }
      return lines
    }
  }
}
