import Testing
import Transport

@testable import Server
@testable import StickerPitClient

/// The part of the article's app that needs nothing of Apple's.
@Suite struct ExampleTests {
  @Test func theAppSaysHowItGoes() throws {
    let pit = try VirtualServer(bodies: 3)
    let app = VirtualApp(pit)
    #expect(sentence(about: app.client) == "Joining …")
    app.run(seconds: 1)
    let name = try #require(app.client.person).name.text
    #expect(sentence(about: app.client) == "You are \(name)")
    let other = VirtualApp(pit)
    app.others = [other]
    app.run(seconds: 0.2)
    #expect(sentence(about: app.client) == "You are \(name), with 1 more")
    other.link.lose()
    other.run(seconds: 0.1)
    #expect(sentence(about: other.client).hasPrefix("Coming back: the connection ended (1006)"))
    app.client.disconnect()
    #expect(sentence(about: app.client) == "Paused")
    let third = VirtualApp(pit)
    third.link.forge(.closed(code: 4003, reason: "removed by the host"))
    third.run(seconds: 0.1)
    #expect(sentence(about: third.client) == "Over: removed by the host")
    #expect(third.client.token == nil)
  }
}
