import CLibWebSockets
import Glibc
import Synchronization

/// A listener's loop from its start to its end, as those see it who start, wake and stop it.
///
/// Any thread may wake it at any time, also before it starts and after it has ended. Starting and
/// stopping is one thread's business at a time: only because of that it is safe to share.
final class ListenerService: @unchecked Sendable {
  private static let receiveBufferBytes = 4096

  /// Nil before the start and after the end.
  private let running = Mutex<ServiceLoop?>(nil)
  private var logToken: Int?
  /// What the loop's TLS was set up with. It must stay where it is until the loop is gone.
  private var tlsStrings: [UnsafeMutablePointer<CChar>] = []

  deinit {
    for string in tlsStrings { free(string) }
  }

  /// Whether `start` was called, however it went.
  var wasStarted: Bool { logToken != nil }

  /// How often the loop went round; 0 while there is none.
  var turnCount: UInt64 { running.withLock { $0?.turnCount.load(ordering: .relaxed) ?? 0 } }

  /// Makes the loop and starts its thread. May be called once.
  ///
  /// - Parameters:
  ///   - configuration: a valid one.
  ///   - owner: what the loop calls, on its thread.
  ///   - logsService: whether the configuration's log receives the lines of libwebsockets.
  ///   - prepare: gives the loop what it is to watch, before its thread runs.
  func start(
    _ configuration: ListenerConfiguration, owner: any ServiceLoopOwner, logsService: Bool,
    prepare: (ServiceLoop) throws(TransportError) -> Void
  ) throws(TransportError) {
    assert(!wasStarted)
    let log = configuration.log
    let token = ServiceLog.add { if logsService { log($0) } }
    logToken = token
    do throws(TransportError) {
      let loop = try makeLoop(configuration, owner)
      try prepare(loop)
      // Before its thread runs: what it has made on other threads wakes it as soon as it is done.
      running.withLock { $0 = loop }
      try loop.start()
    } catch {
      running.withLock { $0 = nil }
      ServiceLog.remove(token)
      throw error
    }
  }

  private func makeLoop(
    _ configuration: ListenerConfiguration, _ owner: any ServiceLoopOwner
  ) throws(TransportError) -> ServiceLoop {
    let troubles = TroubleCollector()
    defer { troubles.stop() }
    do throws(TransportError) {
      return try ServiceLoop(
        owner: owner, subprotocol: configuration.subprotocol,
        receiveBufferBytes: Self.receiveBufferBytes
      ) { info in
        tlsStrings = configuration.tls?.configure(&info) ?? []
      }
    } catch .setupFailed(let text) {
      throw configuration.tls?.failure(from: troubles.lines) ?? .setupFailed(text)
    }
  }

  /// Has the loop's owner called soon.
  func wake() {
    let signal = running.withLock { $0?.signal }
    signal?.send()
  }

  /// Begins to part with everybody, without waiting for the end; `stop` does.
  func beginStop() {
    let loop = running.withLock { $0 }
    loop?.beginStop()
  }

  /// Ends the loop and waits for it. Safe to repeat.
  func stop() {
    let loop = running.withLock { running in
      defer { running = nil }
      return running
    }
    guard let loop else { return }
    loop.stop()
    if let logToken { ServiceLog.remove(logToken) }
  }
}
