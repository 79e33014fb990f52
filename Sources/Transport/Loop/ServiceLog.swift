import CLibWebSockets
import Synchronization

/// Where the errors of libwebsockets go. Its log is one for the whole process, so every service
/// that runs receives every line.
enum ServiceLog {
  private struct State {
    var receivers: [Int: @Sendable (String) -> Void] = [:]
    var next = 0
    var isInstalled = false
  }

  private static let state = Mutex(State())

  /// Sends every line to `receiver` until `remove` is called with the result.
  static func add(_ receiver: @escaping @Sendable (String) -> Void) -> Int {
    state.withLock { state in
      if !state.isInstalled {
        state.isInstalled = true
        // Warnings are about single visitors (a refused handshake, a vanished peer): noise here.
        lws_set_log_level(Int32(LLL_ERR), serviceLogLine)
      }
      state.next += 1
      state.receivers[state.next] = receiver
      return state.next
    }
  }

  static func remove(_ token: Int) {
    state.withLock { $0.receivers[token] = nil }
  }

  fileprivate static func emit(_ line: String) {
    let receivers = state.withLock { Array($0.receivers.values) }
    for receiver in receivers { receiver(line) }
  }
}

private func serviceLogLine(level: Int32, line: UnsafePointer<CChar>?) {
  guard let line else { return }
  var text = String(cString: line)
  while text.last?.isNewline == true || text.last == " " { text.removeLast() }
  ServiceLog.emit(text)
}

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
