import Glibc
import Testing

@testable import Transport

@Suite struct LaterTests {
  @Test func answersMadeElsewhereArriveInOrder() throws {
    let server = LiveServer()
    let listener = try server.listen()
    let client = RawClient(port: listener.port)
    client.request("/later")
    eventually("it was asked") { server.state.withLock { $0.laters.count == 1 } }
    let later = server.state.withLock { $0.laters.removeFirst() }
    let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    later.complete(HTTPResponse(contentType: "image/png", body: body))
    let answer = client.readAnswer()
    #expect(answer.status == 200 && answer.body == body)
    client.request("/later", method: "HEAD")
    eventually("it was asked again") { server.state.withLock { $0.laters.count == 1 } }
    server.state.withLock { $0.laters.removeFirst() }.complete(.text("hello"))
    let head = client.readAnswer(isHead: true)
    #expect(head.status == 200 && head.headers["content-length"] == "5")
    client.request("/healthz")
    #expect(client.readAnswer().status == 200, "the socket is kept")
    listener.stop()
  }

  @Test func anAnswerThatIsGivenUpIsAnError() throws {
    let listener = try LiveServer().listen()
    #expect(RawClient.ask("/given-up", port: listener.port).status == 500)
    listener.stop()
  }

  @Test func anAnswerMayComeAfterTheVisitorLeft() throws {
    let server = LiveServer()
    let listener = try server.listen()
    do {
      let client = RawClient(port: listener.port)
      client.request("/later")
      eventually("it was asked") { server.state.withLock { $0.laters.count == 1 } }
    }
    server.state.withLock { $0.laters.removeFirst() }.complete(.text("too late"))
    #expect(RawClient.ask("/healthz", port: listener.port).status == 200)
    let other = RawClient(port: listener.port)
    other.request("/later")
    eventually("it was asked") { server.state.withLock { $0.laters.count == 1 } }
    listener.stop()
    server.state.withLock { $0.laters.removeFirst() }.complete(.text("later still"))
  }

  @Test func aStandstillIsToldBeforeWhatArrived() throws {
    let server = LiveServer()
    let listener = try server.listen()
    let client = RawClient(port: listener.port)
    #expect(client.shakeHands().status == 101)
    server.state.withLock { $0.pause = 1_200_000 }
    listener.wake()
    client.sendFrame(2, [7])
    eventually("it was told") { server.state.withLock { !$0.standstills.isEmpty } }
    #expect(server.state.withLock { $0.standstills[0] } >= 1_200_000_000)
    #expect(client.readFrame()?.payload == [7])
    listener.stop()
  }
}
