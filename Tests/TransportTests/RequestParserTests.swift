import SeededChance
import Testing

@testable import Transport

@Suite struct RequestParserTests {
  /// Reads pieces one after the other, as a visitor does.
  static func read(_ pieces: [[UInt8]]) -> [RequestParser.Outcome] {
    var parser = RequestParser()
    var outcomes: [RequestParser.Outcome] = []
    for piece in pieces {
      var rest = piece[...]
      while !rest.isEmpty {
        let (used, outcome) = rest.withUnsafeBytes { parser.read($0) }
        rest = rest.dropFirst(used)
        if outcome == .more { continue }
        outcomes.append(outcome)
        if case .refused = outcome { return outcomes }
      }
    }
    return outcomes
  }

  static func status(_ text: String) -> Int? {
    switch read([Array(text.utf8)]).first {
    case .request: 200
    case .refused(let refusal): refusal.status
    case .more, nil: nil
    }
  }

  static func get(_ headers: String..., target: String = "/", host: String = "Host: a") -> String {
    (["GET \(target) HTTP/1.1", host] + headers + ["", ""]).joined(separator: "\r\n")
  }

  @Test func takesARequestApart() throws {
    let text = Self.get(
      "Connection: keep-alive,  Upgrade", "UPGRADE:\tWebSocket \t", "X-A: 1",
      target: "/a%20b/%C3%A9?x=1&y=%2F")
    guard case .request(let head) = Self.read([Array(text.utf8)]).first else {
      Issue.record("not read")
      return
    }
    #expect(head.method == "GET" && head.path == "/a b/é" && head.query == "x=1&y=%2F")
    #expect(head.host == "a" && head["x-a"] == "1" && head["x"] == "")
    #expect(head.wantsWebSocket && head.keepsAlive && head.isVersion11)
  }

  @Test func namesThatBeginLikeKnownOnesAreWhole() {
    for name in ["X", "X-A", "H", "Hos", "Sec-WebSocket", "Content", "u"] {
      #expect(Self.status(Self.get("\(name): 1")) == 200, "\(name)")
      #expect(Self.status(Self.get("\(name): 1", "Accept: b")) == 200, "\(name)")
    }
  }

  @Test(arguments: [
    ("POST / HTTP/1.1\r\nHost: a\r\n\r\n", 200), ("PUT / HTTP/1.1\r\nHost: a\r\n\r\n", 405),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", 413),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", 200),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ("post / HTTP/1.1\r\nHost: a\r\n\r\n", 405), ("CONNECT x HTTP/1.1\r\nHost: a\r\n\r\n", 405),
    ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 405), ("get / HTTP/1.1\r\nHost: a\r\n\r\n", 405),
    ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.0\r\n\r\n", 200),
    ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505), ("GET / FTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /\r\n\r\n", 400), ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\nHost: a\n\n", 400), ("GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", 400), ("\r\nGET / HTTP/1.1\r\n", 400),
    ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost:\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\0\r\n\r\n", 400), ("GET /\u{e9} HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\n: b\r\nHost: a\r\n\r\n", 400),
  ])
  func strictWhereAProxyMightDiffer(text: String, status: Int) {
    #expect(Self.status(text) == status, "\(text)")
  }

  @Test func bodiesAndDoubledHeadersAreRefused() {
    #expect(Self.status(Self.get("Content-Length: 0")) == 200)
    #expect(Self.status(Self.get("Content-Length: 1")) == 413)
    for lines in [
      "Content-Length: +0", "Content-Length:", "Content-Length: 0\r\nContent-Length: 0",
      "Transfer-Encoding: chunked", "Transfer-Encoding:", "Upgrade: a\r\nUpgrade: b",
      "Sec-WebSocket-Key: a\r\nsec-websocket-key: a", "Origin: a\r\nOrigin: a",
      "Authorization: a\r\nauthorization: a",
    ] { #expect(Self.status(Self.get(lines)) == 400, "\(lines)") }
  }

  @Test func pathsThatTwoReadersMightReadDifferentlyAreRefused() {
    for target in ["/%00", "/a%2fb", "/a%2Fb", "/%", "/%4", "/%zz", "/%ff", "/a#b", "/%0a", "*"] {
      #expect(Self.status(Self.get(target: target)) == 400, "\(target)")
    }
  }

  @Test func headsHaveALimit() {
    let long = String(repeating: "a", count: 8000)
    #expect(Self.status(Self.get("X: \(long)")) == 200)
    #expect(Self.status(Self.get("X: \(long)\(long)")) == 431)
    #expect(Self.status("GET /" + long + long) == 431)
    let lines = (0..<63).map { "X-\($0): 1" }.joined(separator: "\r\n")
    #expect(Self.status(Self.get(lines)) == 200)
    #expect(Self.status(Self.get(lines, "X: 1")) == 431)
  }

  @Test func anySplitGivesTheSame() {
    let text = Self.get("X: 1") + Self.get("Y: 2", target: "/b") + Self.get(target: "/c")
    let bytes = Array(text.utf8)
    let whole = Self.read([bytes])
    #expect(whole.count == 3)
    #expect(Self.read(bytes.map { [$0] }) == whole)
    for cut in 1..<bytes.count {
      #expect(Self.read([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole)
    }
  }

  @Test func randomBytesEndInARefusalOrARequest() {
    var generator = Chance(seed: 11)
    let alphabet = Array("GET / HTTP/1.1\r\n:aHost\u{0}\t%".utf8)
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 1...300, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator)!
      }
      let split = Int.random(in: 0...bytes.count, using: &generator)
      let halves = Self.read([Array(bytes[..<split]), Array(bytes[split...])])
      #expect(halves == Self.read([bytes]))
    }
  }
}
