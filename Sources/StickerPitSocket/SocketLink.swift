import Dispatch
import StickerPitClient
import Synchronization
import Transport

/// A link on libwebsockets, with a thread of its own.
public final class SocketLink: PitLink {
  private let line = SocketLine()
  /// Nil if no connection could be begun.
  private let clients: WebSocketClients?

  /// Connects to an address, as `PitClient.init(socket:)` has it. What goes wrong, `take()` tells.
  public init(_ url: String, acceptsAnyCertificate: Bool = false) {
    clients = Self.connect(line, to: url, acceptsAnyCertificate)
  }

  private static func connect(
    _ line: SocketLine, to url: String, _ acceptsAnyCertificate: Bool
  ) -> WebSocketClients? {
    do throws(TransportError) {
      let clients = try WebSocketClients(
        url: url, subprotocol: PitClient.subprotocol, delegate: line,
        timerIntervalMilliseconds: SocketLine.timerMilliseconds,
        acceptsAnyCertificate: acceptsAnyCertificate)
      try clients.start(expectedConnections: 1)
      clients.connect()
      return clients
    } catch {
      line.inbox.put(.failed(error.description))
      return nil
    }
  }

  deinit { close() }

  /// Throws `TransportError.invalidURL` for what is no address of a WebSocket.
  static func check(_ url: String) throws(TransportError) {
    _ = try WebSocketClients(url: url, delegate: SocketLine())
  }

  /// Sends a message behind the ones before.
  public func send(_ message: [UInt8]) {
    line.queue(message)
    clients?.wake()
  }

  /// Takes what happened since the last call.
  public func take() -> [LinkEvent] { line.inbox.take() }

  /// Ends the connection.
  public func close() {
    guard line.end(), let clients else { return }
    // The end waits for the server's close frame, and nobody shall wait for that.
    DispatchQueue.global().async { clients.stop() }
  }
}

/// What happens on the link's thread.
final class SocketLine: ClientDelegate, Sendable {
  let inbox = LinkInbox()

  /// How often it is tried again to send what found the socket full.
  static let timerMilliseconds = 10
  /// Messages that wait at most: a second of three hands' moves and of tilt. A line that takes none
  /// for so long is dead.
  static let mostQueued = 256

  private struct Shared {
    var queued: [[UInt8]] = []
    var hasEnded = false
  }
  private let shared = Mutex(Shared())
  /// Used on the link's thread only.
  private nonisolated(unsafe) var connection: (any Connection)?

  func queue(_ message: [UInt8]) {
    let isFull = shared.withLock { shared in
      guard !shared.hasEnded else { return false }
      shared.queued.append(message)
      return shared.queued.count > Self.mostQueued
    }
    if isFull, end() { inbox.put(.failed("the server takes nothing")) }
  }

  /// Sends nothing any more. Returns whether that is new.
  func end() -> Bool {
    shared.withLock { shared in
      defer { shared = Shared(hasEnded: true) }
      return !shared.hasEnded
    }
  }

  func clientOpened(_ connection: any Connection) {
    self.connection = connection
    inbox.put(.opened)
    flush()
  }

  func client(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
    if !inbox.put(.message(Array(bytes))) { connection.close(.normal, reason: "") }
  }

  func clientClosed(_ connection: any Connection, code: CloseCode, reason: String) {
    self.connection = nil
    inbox.put(.closed(code: code.rawValue, reason: reason))
  }

  func clientFailed(_ id: UInt64, error: TransportError) {
    inbox.put(.failed(error.description))
  }

  func woken() { flush() }

  func timerFired(nowNanoseconds: UInt64) { flush() }

  /// Sends what is queued, as far as the socket takes it.
  private func flush() {
    guard let connection else { return }
    shared.withLock { shared in
      var sent = 0
      while sent < shared.queued.count,
        connection.send(OutgoingFrame(copying: shared.queued[sent])) == .sent
      { sent += 1 }
      shared.queued.removeFirst(sent)
    }
  }
}
