import Simulation
import Testing
import Transport
import Wire

@testable import Server
@testable import StickerPitClient

/// Joining, on either stream, and seeing the server's world.
@Suite struct JoinTests {
  @Test(arguments: [StreamKind.state, .replica])
  func whoJoinsSeesTheStickers(_ stream: StreamKind) throws {
    let pit = try VirtualServer(bodies: 20)
    let app = VirtualApp(pit, stream)
    #expect(app.client.state == .connecting && app.picture.stickers.isEmpty)
    #expect(app.run(seconds: 2) { $0.stickers.count == 20 })
    #expect(app.client.state == .online && app.client.lastError == nil)
    let world = try #require(app.picture.world)
    #expect((world.width, world.height, world.scene, world.mostStickers) == (720, 960, .pit, 100))
    #expect(world.stickerSet == nil)
    #expect(app.client.person != nil && app.client.token != nil)
    // At rest a picture that is a little behind or ahead shows what the server has.
    app.run(seconds: 15)
    #expect(app.client.peopleCount == 1)
    #expect(try #require(try app.error) < 0.6)
    #expect(app.picture.stickers.allSatisfy { (48...76).contains($0.width) && $0.age > 10 })
    #expect((app.client.hashesMatched > 20) == (stream == .replica))
  }

  @Test(arguments: Scene.allCases)
  func everySceneIsShown(_ scene: Scene) throws {
    for stream in [StreamKind.state, .replica] {
      let pit = try VirtualServer(scene: scene)
      let app = VirtualApp(pit, stream)
      app.run(seconds: 2)
      #expect(app.picture.world?.scene == scene)
      #expect(app.picture.stickers.map(\.kind) == (try app.truth.map { Int($0.kind) }))
      if scene == .drag { #expect(app.picture.rods.count == app.picture.stickers.count) }
      if scene == .gallery { #expect(app.picture.boundaries.count > 0) }
    }
  }

  @Test func whoOnlyWatchesIsNobodyAndDoesNothing() throws {
    let pit = try VirtualServer(bodies: 5)
    let app = VirtualApp(pit, isWatching: true)
    app.run(seconds: 1)
    #expect(app.picture.stickers.count == 5 && pit.hub.directory.count == 0)
    app.client.tilt = PitVector(1, 0)
    #expect(!app.client.drop(kind: 1, at: PitVector(300, 50)))
    #expect(!app.client.grab(app.picture.stickers[0].id, at: PitVector(0, 0)))
    #expect(try !app.client.say("hello"))
    app.run(seconds: 1)
    #expect(app.client.state == .online && app.picture.stickers.count == 5)
  }

  @Test func peopleSeeEachOther() throws {
    let pit = try VirtualServer(bodies: 0)
    let (one, other) = (VirtualApp(pit, .state), VirtualApp(pit))
    one.others = [other]
    one.run(seconds: 1)
    #expect(one.client.peopleCount == 2 && other.client.peopleCount == 2)
    let (a, b) = (try #require(one.client.person), try #require(other.client.person))
    #expect(a.id != b.id)
    #expect(Set(one.client.people.map(\.id)) == [a.id, b.id])
    #expect(one.client.people.contains(b))
  }

  /// The line has a twentieth of a second each way: what is shown is still the server's world.
  @Test(arguments: [StreamKind.state, .replica])
  func aSlowLineShowsTheSameWorld(_ stream: StreamKind) throws {
    let pit = try VirtualServer(
      faults: NetworkFaults(latency: 40_000_000...60_000_000), bodies: 20)
    let app = VirtualApp(pit, stream)
    app.run(seconds: 15)
    #expect(try #require(try app.error) < 0.6)
    #expect((80...140).contains(app.client.roundTrip))
    #expect(app.client.lastError == nil)
  }

  @Test func aServerWithoutTheLogTellsStates() throws {
    let pit = try VirtualServer(bodies: 5)
    let app = VirtualApp(pit, keepsToStream: false)
    app.link.forge(.closed(code: 4001, reason: "no log here"))
    app.run(seconds: 5)
    #expect(app.client.lastError == .refused(code: 4001, reason: "no log here"))
    #expect(app.client.wishes.stream == .state && app.attempts == 2)
    #expect(app.client.state == .online && app.picture.stickers.count == 5)
  }
}
