import Testing

@testable import Transport

/// Requests that want something done, and what a browser says of where they come from.
@Suite struct PostTests {
  @Test func anActReachesTheDelegateAndTheSocketStays() throws {
    let listener = try LiveServer().listen()
    let client = RawClient(port: listener.port)
    client.request("/act?a=1", method: "POST", headers: ["Authorization: Bearer x"])
    #expect(client.readAnswer().text == "POST a=1 Bearer x false")
    client.request("/act", method: "POST", headers: ["Content-Length: 0"])
    #expect(client.readAnswer().text == "POST   false")
    client.request("/healthz")
    #expect(client.readAnswer().status == 200)
    listener.stop()
  }

  @Test func whatIsOnlyReadRefusesAndHangsUp() throws {
    let listener = try LiveServer().listen()
    for path in ["/healthz", "/echo", "/", "/index.html", "/ws"] {
      let client = RawClient(port: listener.port)
      client.request(path, method: "POST")
      client.request("/act", method: "POST")
      let answer = client.readAnswer()
      #expect(answer.status == 405 && answer.headers["allow"] == "GET, HEAD", "\(path)")
      #expect(answer.headers["connection"] == "close")
      #expect(client.readAnswer().status == 0)
    }
    #expect(RawClient.ask("/act", port: listener.port).status == 404, "a GET is no act")
    listener.stop()
  }

  @Test func aBodyIsNeverRead() throws {
    let listener = try LiveServer().listen { $0.allowedHosts = ["a"] }
    let client = RawClient(port: listener.port)
    client.send(
      "POST /act HTTP/1.1\r\nHost: a\r\nContent-Length: 40\r\n\r\n"
        + "POST /act?hidden HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.readAnswer().status == 413)
    #expect(client.readAnswer().status == 0)
    listener.stop()
  }

  @Test(arguments: [
    ([], false), (["Origin: http://a"], false), (["Origin: https://a"], false),
    (["Origin: http://b"], true), (["Origin: null"], true),
    (["Origin: https://friend.example"], false),
    (["Sec-Fetch-Site: same-origin"], false), (["Sec-Fetch-Site: none"], false),
    (["Sec-Fetch-Site: cross-site"], true), (["Sec-Fetch-Site: same-site"], true),
    (["Origin: http://a", "Sec-Fetch-Site: cross-site"], true),
    (["Sec-Fetch-Site: none", "Sec-Fetch-Site: none"], true),
  ])
  func foreignPagesAreTold(headers: [String], isCrossSite: Bool) throws {
    let lines = ["POST / HTTP/1.1", "Host: a"] + headers + ["", ""]
    let head = try RequestHead(Array(lines.joined(separator: "\r\n").utf8))
    var configuration = ListenerConfiguration(host: "127.0.0.1", port: 0)
    configuration.allowedOrigins = ["https://friend.example"]
    #expect(HandshakeFilter(configuration).isCrossSite(head) == isCrossSite)
  }

  // MARK: The client

  @Test func theClientAsksAndActs() throws {
    let listener = try LiveServer().listen()
    let client = try HTTPClient(url: "http://127.0.0.1:\(listener.port)")
    let health = try client.ask("GET", "/healthz")
    #expect(health == .init(status: 200, body: Array("{\"ok\":true}".utf8)))
    let act = try client.ask(
      "POST", "/act?a=%20", headers: [.init("Authorization", "Bearer x")])
    #expect(act == .init(status: 200, body: Array("POST a=%20 Bearer x false".utf8)))
    #expect(try client.ask("GET", "/nothing").status == 404)
    listener.stop()
    #expect(throws: TransportError.refused("127.0.0.1:\(listener.port)")) {
      try client.ask("GET", "/healthz")
    }
  }

  @Test func theClientTrustsOnlyWhatItIsTold() throws {
    #expect(throws: TransportError.invalidHTTPURL("ws://a")) { try HTTPClient(url: "ws://a") }
    #expect(throws: TransportError.self) {
      try HTTPClient(url: "https://a", caFile: "/nonexistent")
    }
  }
}
