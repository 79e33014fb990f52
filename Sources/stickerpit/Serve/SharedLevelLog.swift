import Logging
import Server
import Synchronization

/// The log on standard error, from a level on that all who write to it share, through one queue:
/// nobody who has a line waits until it is written.
///
/// A `Logger` is a value: the server, the reloading and the service lifecycle hold a copy each. If
/// each copy had a level of its own, one that is changed by a SIGHUP would change in one of them,
/// and the others would go on by that of the start. So whoever sets the level of a copy sets it for
/// all of them.
struct SharedLevelLog: LogHandler {
  private final class SharedLevel: Sendable {
    let value: Mutex<Logger.Level>

    init(_ level: Logger.Level) { value = Mutex(level) }
  }

  private let shared: SharedLevel
  private let queue: LogQueue
  private var lines: StreamLogHandler

  init(label: String, level: Logger.Level, queue: LogQueue) {
    shared = SharedLevel(level)
    self.queue = queue
    lines = StreamLogHandler(label: label, stream: StandardError())
  }

  var logLevel: Logger.Level {
    get { shared.value.withLock { $0 } }
    set { shared.value.withLock { $0 = newValue } }
  }

  func log(event: LogEvent) { queue.add(event, to: lines) }

  // What a copy adds to its own lines stays its own.

  var metadata: Logger.Metadata {
    get { lines.metadata }
    set { lines.metadata = newValue }
  }

  var metadataProvider: Logger.MetadataProvider? {
    get { lines.metadataProvider }
    set { lines.metadataProvider = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { lines[metadataKey: key] }
    set { lines[metadataKey: key] = newValue }
  }
}
