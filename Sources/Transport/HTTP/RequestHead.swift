/// The head of one HTTP request, taken apart and found valid.
struct RequestHead: Equatable {
  /// `GET`, `HEAD` or `POST`.
  let method: String
  /// Path and query as they were written.
  let target: String
  /// The decoded path, beginning with `/`.
  let path: String
  /// The text after `?`, or empty.
  let query: String
  /// Whether it is HTTP/1.1 and not 1.0.
  let isVersion11: Bool
  /// Header lines in their order, names in lower case.
  private let fields: [Field]

  struct Field: Equatable {
    let name: String
    let value: String
  }

  var isHead: Bool { method == "HEAD" }
  /// Whether it wants something done rather than told.
  var isPost: Bool { method == "POST" }
  var host: String { self["host"] }

  /// Whether the socket may carry another request after this one.
  var keepsAlive: Bool { isVersion11 && !lists("close", in: "connection") }

  /// Whether the client wants to speak WebSocket from here on. Any other upgrade is an offer that
  /// RFC 9110 §7.8 lets a server ignore.
  var wantsWebSocket: Bool {
    lists("upgrade", in: "connection") && self["upgrade"].lowercased() == "websocket"
  }

  /// The value of a header, several lines of one name joined by commas, or empty.
  subscript(name: String) -> String {
    fields.lazy.filter { $0.name == name }.map(\.value).joined(separator: ", ")
  }

  /// Whether a header that is a list of words has this one, in any case.
  func lists(_ word: String, in name: String) -> Bool {
    self[name].split(separator: ",").contains { Self.trimmed($0).lowercased() == word }
  }

  /// Whether an answer may be compressed: `gzip` is listed, and not with the weight 0, which means
  /// "anything but that" (RFC 9110 §12.5.3).
  var acceptsGzip: Bool {
    self["accept-encoding"].split(separator: ",").contains { coding in
      let parts = coding.split(separator: ";").map { Self.trimmed($0).lowercased() }
      guard parts.first == "gzip" else { return false }
      return !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
    }
  }

  static func trimmed(_ text: Substring) -> Substring {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    var rest = text.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}

// MARK: Reading

extension RequestHead {
  /// Header lines in a request; a browser sends about 15.
  private static let maximumFields = 64
  /// Headers that mean something here and have one value. Two of them would let a proxy and this
  /// server understand different things.
  private static let onlyOnce: Set<String> = [
    "host", "upgrade", "origin", "authorization", "content-length", "if-none-match",
    "sec-websocket-key", "sec-websocket-version",
  ]

  /// Takes a head apart: lines that end in CR LF, the empty last one included. ``RequestParser``
  /// has made sure that neither CR nor LF occurs elsewhere, nor any other control character but
  /// tabs.
  init(_ head: [UInt8]) throws(RequestRefusal) {
    var lines = head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { $0.dropLast() }
    // What stands behind the last line feed, and the empty line.
    lines.removeLast(2)
    guard let first = lines.first else { throw RequestRefusal(400, "no request line") }
    let words = first.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3, Self.isToken(words[0]) else {
      throw RequestRefusal(400, "not a request line")
    }
    isVersion11 = try Self.isVersion11(words[2])
    method = String(decoding: words[0], as: UTF8.self)
    guard ["GET", "HEAD", "POST"].contains(method) else { throw .onlyReading }
    (target, path, query) = try Self.readTarget(words[1])
    fields = try Self.readFields(lines.dropFirst())
    try checkHost()
    try checkBody()
  }

  private static func isVersion11(_ word: ArraySlice<UInt8>) throws(RequestRefusal) -> Bool {
    let text = String(decoding: word, as: UTF8.self)
    if text == "HTTP/1.1" { return true }
    if text == "HTTP/1.0" { return false }
    guard text.hasPrefix("HTTP/") else { throw RequestRefusal(400, "not a request line") }
    throw RequestRefusal(505, "only HTTP/1.0 and HTTP/1.1")
  }

  /// Only the origin form of RFC 9112 §3.2.1: a path with or without a query.
  private static func readTarget(
    _ word: ArraySlice<UInt8>
  ) throws(RequestRefusal) -> (target: String, path: String, query: String) {
    guard word.first == UInt8(ascii: "/"),
      word.allSatisfy({ $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "#") })
    else { throw RequestRefusal(400, "the target must be a path") }
    let end = word.firstIndex(of: UInt8(ascii: "?")) ?? word.endIndex
    guard let path = decoded(word[..<end]) else {
      throw RequestRefusal(400, "the path is not encoded properly")
    }
    return (
      String(decoding: word, as: UTF8.self), path,
      String(decoding: word[end...].dropFirst(), as: UTF8.self)
    )
  }

  /// The path with its escapes resolved. An escaped slash or control character has no honest use
  /// here, and two readers of one path might disagree about it.
  private static func decoded(_ path: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = path
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexDigit),
        let low = rest.popFirst().flatMap(hexDigit)
      else { return nil }
      let value = high << 4 | low
      guard value >= 32, value != 127, value != UInt8(ascii: "/") else { return nil }
      bytes.append(value)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func readFields(
    _ lines: ArraySlice<ArraySlice<UInt8>>
  ) throws(RequestRefusal) -> [Field] {
    guard lines.count <= maximumFields else { throw RequestRefusal(431, "too many headers") }
    var fields: [Field] = []
    for line in lines {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isToken(line[..<colon]) else {
        throw RequestRefusal(400, "not a header line")
      }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      if onlyOnce.contains(name), fields.contains(where: { $0.name == name }) {
        throw RequestRefusal(400, "\(name) twice")
      }
      let value = trimmed(Substring(decoding: line[(colon + 1)...], as: UTF8.self))
      fields.append(Field(name: name, value: String(value)))
    }
    return fields
  }

  /// RFC 9110 §5.6.2. It has no blank, so that a name before a blank is refused: `Host : x`.
  private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty
      && bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: Array("!#$%&'*+-.^_`|~".utf8).contains(byte)
        }
      }
  }

  private func checkHost() throws(RequestRefusal) {
    guard fields.contains(where: { $0.name == "host" }) else {
      if isVersion11 { throw RequestRefusal(400, "the Host header is missing") }
      return
    }
    guard HTTPHead.isHost(host) else { throw RequestRefusal(400, "not a host") }
  }

  /// No request here has a body. One that has, or says so twice, could hide another request from a
  /// proxy: it is never read.
  private func checkBody() throws(RequestRefusal) {
    guard self["transfer-encoding"].isEmpty,
      !fields.contains(where: { $0.name == "transfer-encoding" })
    else { throw RequestRefusal(400, "no request has a body here") }
    guard let length = fields.first(where: { $0.name == "content-length" })?.value else { return }
    guard !length.isEmpty, length.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else {
      throw RequestRefusal(400, "not a length")
    }
    guard length == "0" else { throw RequestRefusal(413, "no request has a body here") }
  }
}
