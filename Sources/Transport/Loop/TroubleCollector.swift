import Synchronization

/// Gathers what libwebsockets logs while something is set up, to say why it failed.
final class TroubleCollector: Sendable {
  private let gathered = Lines()
  private let token: Int

  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  init() {
    let gathered = gathered
    token = ServiceLog.add { line in gathered.all.withLock { $0.append(line) } }
  }

  func stop() {
    ServiceLog.remove(token)
  }

  var lines: [String] { gathered.all.withLock { $0 } }
}
