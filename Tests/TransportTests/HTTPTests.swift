import Foundation
import Testing

@testable import Transport

@Suite struct HTTPTests {
  /// A folder with one file of each kind, and a secret beside it.
  static func makeFolder() throws -> URL {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let web = root.appending(path: "web")
    try FileManager.default.createDirectory(
      at: web.appending(path: "modules"), withIntermediateDirectories: true)
    try Data("secret".utf8).write(to: root.appending(path: "secret.txt"))
    for name in [
      "index.html", "style.css", "page.js", "modules/pit.mjs", "pit.wasm", "art.svg",
      "app.webmanifest", ".hidden", "what",
    ] {
      try Data("content of \(name)".utf8).write(to: web.appending(path: name))
    }
    try Data(count: 0).write(to: web.appending(path: "empty.txt"))
    try Data((0..<700_001).map { UInt8(truncatingIfNeeded: $0 / 3) })
      .write(to: web.appending(path: "large.png"))
    return root
  }

  @Test func servesFilesWithTheirTypes() throws {
    let root = try Self.makeFolder()
    defer { try? FileManager.default.removeItem(at: root) }
    let listener = try LiveServer().listen { $0.webFolder = root.appending(path: "web").path }
    let types = [
      "index.html": "text/html; charset=utf-8", "style.css": "text/css; charset=utf-8",
      "page.js": "text/javascript; charset=utf-8",
      "modules/pit.mjs": "text/javascript; charset=utf-8", "pit.wasm": "application/wasm",
      "art.svg": "image/svg+xml", "app.webmanifest": "application/manifest+json",
      "what": "application/octet-stream",
    ]
    for (name, type) in types {
      let answer = RawClient.ask("/" + name, port: listener.port)
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] == type)
      #expect(answer.text == "content of \(name)")
    }
    let page = RawClient.ask("/", port: listener.port)
    #expect(page.text == "content of index.html")
    #expect(page.headers["cache-control"] == "no-cache")
    #expect(page.headers["x-content-type-options"] == "nosniff")
    let policy = try #require(page.headers["content-security-policy"])
    #expect(policy.contains("'wasm-unsafe-eval'") && policy.contains("ws://127.0.0.1 "))
    #expect(!policy.contains("unsafe-inline"))
    let empty = RawClient.ask("/empty.txt", port: listener.port)
    #expect(empty.status == 200 && empty.body.isEmpty)
    let large = RawClient.ask("/large.png", port: listener.port)
    #expect(large.body == (0..<700_001).map { UInt8(truncatingIfNeeded: $0 / 3) })
    listener.stop()
  }

  @Test func servesNothingOutsideTheFolder() throws {
    let root = try Self.makeFolder()
    defer { try? FileManager.default.removeItem(at: root) }
    let listener = try LiveServer().listen { $0.webFolder = root.appending(path: "web").path }
    for path in [
      "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/modules/../../secret.txt",
      "/modules/%2e%2e/%2e%2e/secret.txt", "//etc/passwd", "/.hidden", "/missing", "/modules",
      "/modules/", "/..\\secret.txt", "/%00", "/index.html%00.png",
    ] {
      let answer = RawClient.ask(path, port: listener.port)
      #expect(answer.status != 200 || answer.text.hasPrefix("content of index"), "\(path)")
      #expect(!answer.text.contains("secret") && !answer.text.contains("root:"), "\(path)")
    }
    #expect(RawClient.ask("/missing", port: listener.port).status == 404)
    listener.stop()
  }

  @Test func relativePathsNeverLeave() {
    #expect(WebFolder.relativePath("/") == "index.html")
    #expect(WebFolder.relativePath("/a/b.js") == "a/b.js")
    #expect(WebFolder.relativePath("/a/") == "a/index.html")
    for path in ["", "a", "/..", "/../a", "/a/../b", "/./a", "//a", "/a//b", "/.git/x", "/a\\b"] {
      #expect(WebFolder.relativePath(path) == nil, "\(path)")
    }
  }

  @Test func revalidatesByTag() throws {
    let root = try Self.makeFolder()
    defer { try? FileManager.default.removeItem(at: root) }
    let listener = try LiveServer().listen { $0.webFolder = root.appending(path: "web").path }
    let tag = try #require(RawClient.ask("/page.js", port: listener.port).headers["etag"])
    let again = RawClient.ask("/page.js", port: listener.port, headers: ["If-None-Match: \(tag)"])
    #expect(again.status == 304 && again.body.isEmpty)
    let other = RawClient.ask("/page.js", port: listener.port, headers: ["If-None-Match: \"x\""])
    #expect(other.status == 200)
    let head = RawClient.ask("/page.js", port: listener.port, method: "HEAD")
    #expect(head.status == 200 && head.headers["content-length"] == "18")
    listener.stop()
  }

  @Test func whoCanReadThemGetsCompressedFiles() throws {
    let root = try Self.makeFolder()
    defer { try? FileManager.default.removeItem(at: root) }
    let web = root.appending(path: "web")
    try Data("packed page".utf8).write(to: web.appending(path: "page.js.gz"))
    // Made of another file than the one that is there now, whether that is older or newer.
    for name in ["style.css.gz", "modules/pit.mjs.gz"] {
      try Data("packed".utf8).write(to: web.appending(path: name))
    }
    let times = [
      "page.js": 100.0, "page.js.gz": 100, "style.css": 100, "style.css.gz": 99,
      "modules/pit.mjs": 100, "modules/pit.mjs.gz": 101,
    ]
    for (name, time) in times {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000 + time)],
        ofItemAtPath: web.appending(path: name).path)
    }
    let listener = try LiveServer().listen { $0.webFolder = web.path }
    func ask(_ path: String, _ accepted: String) -> RawClient.Answer {
      RawClient.ask(path, port: listener.port, headers: ["Accept-Encoding: \(accepted)"])
    }
    let plain = RawClient.ask("/page.js", port: listener.port)
    #expect(plain.text == "content of page.js" && plain.headers["content-encoding"] == nil)
    for accepted in ["gzip", "gzip, deflate, br", "br;q=1, GZIP;q=0.5"] {
      let packed = ask("/page.js", accepted)
      #expect(packed.text == "packed page" && packed.headers["content-encoding"] == "gzip")
      #expect(packed.headers["content-type"] == plain.headers["content-type"])
      #expect(packed.headers["content-length"] == "11")
      #expect(packed.headers["vary"] == "Accept-Encoding")
      #expect(packed.headers["etag"] != plain.headers["etag"])
    }
    for accepted in ["", "identity", "gzip;q=0", "gzip; q=0.000", "xgzip"] {
      let answer = ask("/page.js", accepted)
      #expect(answer.text == plain.text, "\(accepted)")
      #expect(answer.headers["vary"] == "Accept-Encoding", "\(accepted)")
    }
    #expect(ask("/style.css", "gzip").text == "content of style.css")
    #expect(ask("/modules/pit.mjs", "gzip").text == "content of modules/pit.mjs")
    // Who has either of the two has what is there.
    for tag in [plain.headers["etag"], ask("/page.js", "gzip").headers["etag"]] {
      let known = ["Accept-Encoding: gzip", "If-None-Match: \(try #require(tag))"]
      let again = RawClient.ask("/page.js", port: listener.port, headers: known)
      #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == tag)
    }
    listener.stop()
  }

  @Test func delegateAnswersFirst() throws {
    let listener = try LiveServer().listen()
    let client = RawClient(port: listener.port)
    client.request("/healthz")
    let health = client.readAnswer()
    #expect(health.status == 200 && health.text == "{\"ok\":true}")
    #expect(health.headers["content-type"] == "application/json")
    client.request("/echo?a=1&b=2")
    #expect(client.readAnswer().text == "GET a=1&b=2 127.0.0.1", "on the same socket")
    client.request("/echo", method: "HEAD")
    #expect(client.readAnswer(isHead: true).status == 200)
    client.request("/ws")
    #expect(client.readAnswer().status == 426)
    #expect(RawClient.ask("/", port: listener.port).status == 404, "no folder is served")
    let post = RawClient.ask(
      "/healthz", port: listener.port, method: "POST", headers: ["Content-Length: 0"])
    #expect(post.status == 405)
    listener.stop()
  }

  @Test func headersCannotBeSplit() {
    var head = HTTPHead(status: 200, contentLength: 0)
    head.add("X-A", "b\r\nSet-Cookie: c")
    head.add("X-B", "fine")
    head.finish()
    let text = String(decoding: head.bytes, as: UTF8.self)
    #expect(text == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-B: fine\r\n\r\n")
    #expect(HTTPHead.isHost("pit.example:8080") && HTTPHead.isHost("[::1]:80"))
    #expect(!HTTPHead.isHost("") && !HTTPHead.isHost("a; script-src *") && !HTTPHead.isHost("a b"))
  }
}
