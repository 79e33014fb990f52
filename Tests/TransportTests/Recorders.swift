import Transport

/// A server that remembers what happened and echoes, for networks that run on the test's thread.
final class MemoryServer: ListenerDelegate {
  var connections: [any Connection] = []
  var received: [[UInt8]] = []
  var closed: [UInt64] = []
  var wakes = 0
  var echoes = true

  func connectionOpened(_ connection: any Connection) {
    connections.append(connection)
  }

  func connection(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
    received.append(Array(bytes))
    if echoes { _ = connection.send(OutgoingFrame(copying: Array(bytes))) }
  }

  func connectionClosed(_ connection: any Connection) {
    closed.append(connection.id)
    connections.removeAll { $0 === connection }
  }

  func woken() { wakes += 1 }

  func respond(to request: HTTPRequest, later: HTTPLater) -> HTTPReply {
    request.path == "/healthz" ? .response(.text("ok")) : .file
  }
}

/// Clients that remember what happened, for networks that run on the test's thread.
final class MemoryBots: ClientDelegate {
  var opened: [any Connection] = []
  var received: [(id: UInt64, bytes: [UInt8])] = []
  var closed: [(id: UInt64, code: CloseCode, reason: String)] = []
  var failed: [(id: UInt64, error: TransportError)] = []
  var timers: [UInt64] = []
  var greeting: [UInt8]?

  func clientOpened(_ connection: any Connection) {
    opened.append(connection)
    if let greeting { _ = connection.send(OutgoingFrame(copying: greeting)) }
  }

  func client(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
    received.append((connection.id, Array(bytes)))
  }

  func clientClosed(_ connection: any Connection, code: CloseCode, reason: String) {
    closed.append((connection.id, code, reason))
  }

  func clientFailed(_ id: UInt64, error: TransportError) {
    failed.append((id, error))
  }

  func timerFired(nowNanoseconds: UInt64) { timers.append(nowNanoseconds) }
}
