import Glibc
import Transport

/// A blocking TCP socket, to send a server what no proper client sends.
final class RawClient {
  /// A frame as it arrived from a server.
  struct Frame: Equatable {
    let opcode: UInt8
    let payload: [UInt8]

    var closeCode: CloseCode? {
      opcode == 8 && payload.count >= 2
        ? CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1])) : nil
    }
  }

  private let descriptor: Int32
  private var buffer: [UInt8] = []

  /// Whether `::1` can be listened on.
  static var hasIPv6: Bool {
    let probe = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    guard probe >= 0 else { return false }
    defer { close(probe) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    return withUnsafePointer(to: &address) { address in
      bind(
        probe, UnsafeRawPointer(address).assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
    }
  }

  /// - Parameter source: last byte of the loopback address to come from, for tests of several
  ///   addresses.
  init(port: UInt16, receiveBufferBytes: Int32? = nil, source: UInt8 = 1) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if source != 1 {
      var own = sockaddr_in()
      own.sin_family = sa_family_t(AF_INET)
      own.sin_addr.s_addr = (UInt32(0x7f00_0000) | UInt32(source)).bigEndian
      withUnsafePointer(to: &own) { own in
        _ = bind(
          descriptor, UnsafeRawPointer(own).assumingMemoryBound(to: sockaddr.self),
          socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if var size = receiveBufferBytes {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
    }
    var timeout = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    withUnsafePointer(to: &address) { address in
      _ = Glibc.connect(
        descriptor, UnsafeRawPointer(address).assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }

  deinit {
    close(descriptor)
  }

  /// Says that nothing more comes, and goes on listening.
  func endSending() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Ends the connection without a word.
  func hangUp() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  func send(_ text: String) {
    send(Array(text.utf8))
  }

  /// Reads more into the buffer; false at the end.
  private func fill() -> Bool {
    errno = 0
    var piece = [UInt8](repeating: 0, count: 65_536)
    var count = 0
    repeat {
      count = recv(descriptor, &piece, piece.count, 0)
      // A wait with a time limit ends so when the process was stopped and goes on, though no
      // handler ran.
    } while count < 0 && errno == EINTR
    if count > 0 { buffer += piece[..<count] }
    return count > 0
  }

  private func take(_ count: Int) -> [UInt8]? {
    while buffer.count < count { guard fill() else { return nil } }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  /// Whether the server hung up, after whatever it sent.
  func waitForEnd() -> Bool {
    while fill() {}
    // A time out is not an end.
    return errno != EAGAIN
  }

  /// Whether the server has hung up by now.
  func isEnded() -> Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
    return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
  }

  /// Waits for the next byte and takes it; nil at the end.
  func readByte() -> UInt8? { take(1)?[0] }

  /// Waits for the next bytes and takes what is there.
  func readSome() -> [UInt8] {
    if buffer.isEmpty { _ = fill() }
    defer { buffer = [] }
    return buffer
  }

  /// Whether a byte is there by now.
  func hasSomething() -> Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
  }

  // MARK: HTTP

  struct Answer {
    var status = 0
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// Reads one answer; a status of 0 means that the server hung up.
  func readAnswer(isHead: Bool = false) -> Answer {
    var answer = Answer()
    var lines: [String] = []
    while true {
      guard let line = readLine() else { return answer }
      if line.isEmpty { break }
      lines.append(line)
    }
    answer.status = Int(lines.first?.split(separator: " ").dropFirst().first ?? "") ?? 0
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      answer.headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
    }
    let length = Int(answer.headers["content-length"] ?? "") ?? 0
    if !isHead { answer.body = take(length) ?? [] }
    return answer
  }

  private func readLine() -> String? {
    var line: [UInt8] = []
    while let byte = take(1)?[0] {
      if byte == 10 { return String(decoding: line, as: UTF8.self) }
      if byte != 13 { line.append(byte) }
    }
    return nil
  }

  /// Asks once on a socket of its own.
  static func ask(
    _ path: String, port: UInt16, method: String = "GET", headers: [String] = [],
    host: String = "127.0.0.1"
  ) -> Answer {
    let client = RawClient(port: port)
    client.request(path, method: method, headers: headers, host: host)
    return client.readAnswer(isHead: method == "HEAD")
  }

  func request(
    _ path: String, method: String = "GET", headers: [String] = [], host: String = "127.0.0.1"
  ) {
    let lines = ["\(method) \(path) HTTP/1.1", "Host: \(host)"] + headers + ["", ""]
    send(lines.joined(separator: "\r\n"))
  }

  // MARK: WebSocket

  /// Asks for a WebSocket; leave headers out or change them by giving other ones.
  func shakeHands(
    path: String = "/ws", subprotocol: String? = "stickerpit.v1", origin: String? = nil,
    upgrade: String = "websocket", connection: String = "Upgrade", version: String = "13",
    key: String = "dGhlIHNhbXBsZSBub25jZQ=="
  ) -> Answer {
    var headers = [
      "Upgrade: \(upgrade)", "Connection: \(connection)", "Sec-WebSocket-Version: \(version)",
      "Sec-WebSocket-Key: \(key)",
    ]
    if let subprotocol { headers.append("Sec-WebSocket-Protocol: \(subprotocol)") }
    if let origin { headers.append("Origin: \(origin)") }
    request(path, headers: headers)
    return readAnswer()
  }

  /// Sends one masked frame.
  func sendFrame(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) {
    let mask: [UInt8] = [1, 2, 3, 4]
    var bytes: [UInt8] = [isFinal ? 0x80 | opcode : opcode]
    if payload.count < 126 {
      bytes.append(0x80 | UInt8(payload.count))
    } else {
      bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    }
    bytes += mask
    bytes += payload.enumerated().map { $0.element ^ mask[$0.offset & 3] }
    send(bytes)
  }

  /// Reads one frame, or `nil` when the server hung up. The pings with which the server finds out
  /// what was read are answered, if `answersGauge`, and not given: they come at any time.
  func readFrame() -> Frame? {
    while let frame = readAnyFrame() {
      guard frame.opcode == 9, frame.payload.count == 8 else { return frame }
      if answersGauge { sendFrame(10, frame.payload) }
    }
    return nil
  }

  /// Whether it answers those pings.
  var answersGauge = false

  private func readAnyFrame() -> Frame? {
    guard let head = take(2) else { return nil }
    var length = Int(head[1] & 127)
    if length >= 126 {
      guard let more = take(length == 126 ? 2 : 8) else { return nil }
      length = more.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let payload = take(length) else { return nil }
    return Frame(opcode: head[0] & 15, payload: payload)
  }
}
