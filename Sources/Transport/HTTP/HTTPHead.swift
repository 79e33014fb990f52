/// The status line and header lines of an answer, as bytes.
struct HTTPHead {
  let status: Int
  private(set) var bytes: [UInt8]

  init(status: Int, contentLength: Int) {
    self.status = status
    bytes = Array("HTTP/1.1 \(status) \(Self.phrase(status))\r\n".utf8)
    // RFC 9110 §8.6: an answer without a body says nothing of its length.
    if status != 304 { add("Content-Length", String(contentLength)) }
  }

  /// Adds one line; a name or value with control characters would start a new one and is left out.
  mutating func add(_ name: String, _ value: String) {
    let isClean = !(name + value).utf8.contains { $0 < 32 || $0 == 127 }
    guard isClean else { return }
    bytes += Array("\(name): \(value)\r\n".utf8)
  }

  /// Adds what every answer carries: no guessing of types, no embedding in foreign pages, no source
  /// but this server. `wasm-unsafe-eval` lets the page compile its module and nothing else.
  mutating func addSecurity(host: String) {
    let sockets = Self.isHost(host) ? " ws://\(host) wss://\(host)" : ""
    add(
      "Content-Security-Policy",
      "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
        + "connect-src 'self'\(sockets); img-src 'self' data: blob:; object-src 'none'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
    add("X-Content-Type-Options", "nosniff")
    add("Referrer-Policy", "no-referrer")
    add("Cross-Origin-Opener-Policy", "same-origin")
    add("Permissions-Policy", "accelerometer=(self), gyroscope=(self), screen-wake-lock=(self)")
  }

  /// Ends the head.
  mutating func finish() {
    bytes += [13, 10]
  }

  /// Whether the text can be a host with a port, and nothing that changes a policy's meaning.
  static func isHost(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: Array(".-:[]_".utf8).contains(byte)
        }
      }
  }

  private static func phrase(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 302: "Found"
    case 304: "Not Modified"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 409: "Conflict"
    case 413: "Content Too Large"
    case 421: "Misdirected Request"
    case 426: "Upgrade Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Answer"
    }
  }
}
