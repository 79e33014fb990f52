import Testing
import Transport
import Wire

@testable import Server
@testable import StickerPitClient

/// How connections end, and how a client comes back.
@Suite struct ConnectionTests {
  @Test(arguments: [StreamKind.state, .replica])
  func whoLosesTheConnectionComesBackAsTheSame(_ stream: StreamKind) throws {
    let pit = try VirtualServer(bodies: 5)
    let app = VirtualApp(pit, stream)
    app.run(seconds: 2)
    let person = try #require(app.client.person)
    app.client.drop(kind: 1, at: PitVector(300, 100))
    app.run(seconds: 0.5)
    app.link.lose()
    app.run(seconds: 1.0 / 60)
    #expect(app.client.state == .waiting(.closed(code: 1006, reason: "")))
    #expect(app.picture.stickers.count == 6, "the last picture stays")
    #expect(app.run(seconds: 4) { _ in app.client.isOnline })
    #expect(app.client.person == person && app.attempts == 2)
    let hello = try #require(app.link.said.first)
    guard case .hello(let words) = hello else { return #expect(Bool(false), "\(hello)") }
    #expect(words.resumeToken == app.client.token)
    // Who runs the world goes on with it, and is told what was missed.
    #expect((words.knownTick != nil) == (stream == .replica))
    #expect(app.client.drop(kind: 2, at: PitVector(300, 100)))
    app.run(seconds: 15)
    #expect(app.picture.stickers.count == 7 && app.client.peopleCount == 1)
    #expect(try #require(try app.error) < 0.6)
    #expect(app.client.lastError == .closed(code: 1006, reason: ""))
  }

  @Test func aTokenMakesANewClientTheSamePerson() throws {
    let pit = try VirtualServer(bodies: 5)
    let first = VirtualApp(pit)
    first.run(seconds: 1)
    let (person, token) = (first.client.person, first.client.token)
    first.client.disconnect()
    #expect(first.client.state == .idle && first.picture.stickers.count == 5)
    first.run(seconds: 1)
    #expect(first.client.state == .idle && pit.hub.directory.count == 0)
    let second = VirtualApp(pit, .state, token: token)
    second.run(seconds: 1)
    #expect(second.client.person == person && person != nil)
    // The first one comes back with the same token: only one of them goes on.
    first.others = [second]
    first.client.connect()
    first.run(seconds: 1)
    #expect(first.client.state == .online && first.client.person == person)
    #expect(second.client.state == .ended(.replaced))
    let attempts = second.attempts
    second.run(seconds: 20)
    #expect(second.attempts == attempts, "it does not fight for the place")
  }

  @Test func anotherVersionEndsWithBothNumbers() throws {
    let pit = try VirtualServer()
    let app = VirtualApp(pit) { link in
      link.distort = { bytes in
        bytes[0] == ClientMessageType.hello.rawValue ? [bytes[0], 99, 0] + bytes[3...] : bytes
      }
    }
    app.run(seconds: 1)
    let words = "client speaks version 99, server \(WireVersion.current)"
    #expect(app.client.state == .ended(.otherVersion(words)))
    #expect("\(try #require(app.client.lastError))".contains(words))
    app.run(seconds: 30)
    #expect(app.attempts == 1, "another attempt would meet the same")
  }

  @Test func aWelcomeOfAnotherVersionIsUnderstood() throws {
    let pit = try VirtualServer()
    let app = VirtualApp(pit)
    app.link.forge([ServerMessageType.welcome.rawValue, 7, 1, 255])
    app.run(seconds: 0.1)
    let words = "server speaks version 263, client \(WireVersion.current)"
    #expect(app.client.state == .ended(.otherVersion(words)))
  }

  @Test func aMalformedFrameIsATypedErrorAndIsMended() throws {
    let pit = try VirtualServer(bodies: 5)
    let app = VirtualApp(pit, .state)
    app.run(seconds: 2)
    app.link.forge([ServerMessageType.keyframe.rawValue, 1, 2, 3])
    let shown = app.picture.stickers.count
    app.run(seconds: 1.0 / 60)
    guard case .malformedFrame = app.client.lastError else {
      return #expect(Bool(false), "\(String(describing: app.client.lastError))")
    }
    #expect(app.client.state == .online && app.picture.stickers.count == shown)
    #expect(app.link.said.contains(.stream(kind: .state, rate: .hz60, profile: .visual)))
    app.client.drop(kind: 1, at: PitVector(300, 100))
    app.run(seconds: 10)
    #expect(app.attempts == 1 && app.picture.stickers.count == 6)
    #expect(try #require(try app.error) < 0.6)
  }

  @Test(arguments: [ServerMessageType.snapshot.rawValue, 0x91])
  func aBrokenLogIsATypedErrorAndIsMended(_ type: UInt8) throws {
    let pit = try VirtualServer(bodies: 5)
    let app = VirtualApp(pit)
    app.run(seconds: 2)
    app.link.forge([type, 255, 255, 255, 255, 255])
    app.run(seconds: 1.0 / 60)
    guard case .brokenLog = app.client.lastError else {
      return #expect(Bool(false), "\(String(describing: app.client.lastError))")
    }
    #expect(app.client.state == .online && app.picture.stickers.count == 5)
    app.client.drop(kind: 1, at: PitVector(300, 100))
    app.run(seconds: 10)
    #expect(app.attempts == 1 && app.picture.stickers.count == 6)
    #expect(try #require(try app.error) < 0.6)
  }

  @Test func whatIsNoMessageEndsTheConnection() throws {
    let pit = try VirtualServer(bodies: 5)
    let app = VirtualApp(pit)
    app.run(seconds: 1)
    app.link.forge([0x84, 1])
    app.run(seconds: 1.0 / 60)
    #expect(app.client.state == .waiting(.malformedMessage(.unknownType(0x84))))
    app.link.forge([])
    #expect(app.run(seconds: 4) { _ in app.client.isOnline })
    #expect(app.attempts == 2)
  }

  @Test func aServerThatSaysNothingIsGivenUp() throws {
    let pit = try VirtualServer(bodies: 5)
    let app = VirtualApp(pit)
    app.run(seconds: 1)
    app.link.isDeaf = true
    app.run(seconds: 4)
    #expect(app.client.state == .online)
    app.run(seconds: 2)
    #expect(app.client.state == .waiting(.silence))
    #expect(app.run(seconds: 4) { _ in app.client.isOnline })
  }

  /// Without pictures nothing happens, and what came meanwhile counts when they go on.
  @Test func anAppThatSleptGoesOn() throws {
    let pit = try VirtualServer(bodies: 5)
    let app = VirtualApp(pit)
    app.run(seconds: 1)
    pit.advance(seconds: 8)
    app.run(seconds: 0.5)
    #expect(app.client.state == .online && app.attempts == 1)
    // Longer, and the link's inbox is full.
    pit.advance(seconds: 40)
    app.run(seconds: 5)
    #expect(app.client.state == .online && app.attempts == 2)
    #expect(app.client.peopleCount == 1)
  }

  @Test func whoeverIsSentAwayComesBackWhenTold() throws {
    let key = TokenKey(bytes: Array("a key that both servers have".utf8), isKept: true)
    let before = try VirtualServer(bodies: 5, tokenKey: key)
    let app = VirtualApp(before)
    app.run(seconds: 1)
    let person = app.client.person
    before.drain()
    app.run(seconds: 0.1)
    #expect(app.client.state == .waiting(.restarting))
    let after = try VirtualServer(bodies: 7, tokenKey: key, network: before.network)
    #expect(app.run(seconds: 17) { $0.stickers.count == 7 })
    #expect(app.client.person == person && app.client.isOnline)
    withExtendedLifetime(after) {}
  }

  @Test func nobodyThereIsTriedAgainMoreAndMoreRarely() throws {
    let pit = try VirtualServer(faults: NetworkFaults(refusedShare: 1))
    let app = VirtualApp(pit)
    app.run(seconds: 60)
    guard case .waiting(.linkFailed(let words)) = app.client.state else {
      return #expect(Bool(false), "\(app.client.state)")
    }
    #expect(words.contains("nobody listens"))
    #expect((9...18).contains(app.attempts), "\(app.attempts)")
    let attempts = app.attempts
    app.client.connect()
    #expect(app.attempts == attempts + 1, "at once when somebody asks for it")
  }

  @Test func anInboxThatNobodyEmptiesFails() {
    let inbox = LinkInbox { 5 }
    #expect(inbox.put(.opened))
    for _ in 1..<LinkInbox.mostEvents { #expect(inbox.put(.message([1]))) }
    #expect(!inbox.put(.message([2])))
    #expect(!inbox.put(.message([3])))
    #expect(inbox.take() == [LinkEvent(.failed("nobody took what the server sent"), at: 5)])
    #expect(inbox.take().isEmpty)
    let large = LinkInbox { 0 }
    #expect(large.put(.message([UInt8](repeating: 0, count: LinkInbox.mostBytes))))
    #expect(!large.put(.message([0])) && large.take().count == 1)
  }
}
