import Testing
import Transport

@testable import Server

/// What monitoring is told on a port of its own.
@Suite struct AdminTests {
  @Test func addressesAreHostsWithPorts() throws {
    let four = try #require(AdminAddress("127.0.0.1:9090"))
    #expect(four.host == "127.0.0.1" && four.port == 9090)
    let six = try #require(AdminAddress("[::1]:0"))
    #expect(six.host == "::1" && six.port == 0)
    #expect(AdminAddress("localhost:80")?.host == "localhost")
    for text in [
      "", "9090", ":9090", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "::1:9090", "[]:1",
      "127.0.0.1:65536", "127.0.0.1:+1",
    ] {
      #expect(AdminAddress(text) == nil, "\(text)")
    }
  }

  @Test func monitoringHasItsOwnPages() throws {
    let pit = try VirtualServer(isAdministered: true)
    pit.advance(seconds: 1)
    #expect(pit.ask("/metrics") == nil, "it is left to the folder, which has none")
    #expect(pit.ask("/readyz")?.status == 200)
    let network = pit.network
    let pages = AdminPages(pit.server, clock: { [now = network.now] in now })
    func ask(_ path: String) -> String? {
      let late = LateAnswer()
      switch pages.respond(
        to: HTTPRequest(path: path), later: HTTPLater { late.response = $0 })
      {
      case .file: return nil
      case .response(let answer): late.response = answer
      case .later: pit.advance(seconds: 0.002)
      }
      return late.response.map { String(decoding: $0.body, as: UTF8.self) }
    }
    #expect(ask("/readyz") == "ready\n")
    #expect(ask("/healthz")?.contains(#""people":0"#) == true)
    #expect(
      ask("/metrics")?.contains("\nstickerpit_tls_handshakes_total{result=\"done\"} 0\n") == true)
    #expect(ask("/api/world") == nil && ask("/") == nil)
  }
}
