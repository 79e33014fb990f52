import Testing
import Transport
import Wire

@testable import Server
@testable import StickerPitClient

/// What a person does, as the server's world and other people's pictures show it.
@Suite struct CommandTests {
  private static let slow = NetworkFaults(latency: 50_000_000...50_000_000)

  @Test(arguments: [StreamKind.state, .replica])
  func aDropAppears(_ stream: StreamKind) throws {
    let pit = try VirtualServer(faults: Self.slow, bodies: 0)
    let (app, other) = (VirtualApp(pit, stream), VirtualApp(pit, .state))
    app.others = [other]
    app.run(seconds: 3)
    #expect(app.client.drop(kind: 5, at: PitVector(300, 120)))
    var pictures = 0
    #expect(
      app.run(seconds: 1) {
        pictures += 1
        return $0.stickers.count == 1
      })
    // Who runs the world sees it at once, without waiting for the server.
    #expect(stream == .replica ? pictures <= 2 : pictures >= 6, "after \(pictures) pictures")
    let sticker = app.picture.stickers[0]
    #expect(sticker.kind == 5 && !sticker.isDisc && sticker.age < 0.2)
    #expect(abs(sticker.center.x - 300) < 1 && abs(sticker.center.y - 120) < 5)
    #expect(app.picture.sticker(at: sticker.center) == sticker)
    app.run(seconds: 0.5)
    #expect(try app.truth.map(\.kind) == [5])
    #expect(other.picture.stickers.map(\.kind) == [5])
    #expect(app.client.lastError == nil)
  }

  @Test(arguments: [StreamKind.state, .replica])
  func aHandMovesASticker(_ stream: StreamKind) throws {
    let pit = try VirtualServer(faults: Self.slow, bodies: 1)
    let (app, other) = (VirtualApp(pit, stream), VirtualApp(pit, .state))
    app.others = [other]
    app.run(seconds: 6)
    let sticker = app.picture.stickers[0]
    #expect(sticker.center.y > 900 && sticker.holder == nil)
    #expect(app.client.grab(sticker.id, at: sticker.center))
    for _ in 0..<90 {
      #expect(app.client.move(sticker.id, to: PitVector(200, 300)))
      app.run(seconds: 1.0 / 60)
    }
    let held = app.picture.stickers[0]
    #expect(abs(held.center.x - 200) < 5 && abs(held.center.y - 300) < 5, "\(held.center)")
    #expect(held.holder == app.client.person?.id)
    #expect(other.picture.stickers[0].holder == app.client.person?.id)
    #expect(app.client.release(sticker.id, velocity: PitVector(0, -200)))
    app.run(seconds: 0.3)
    #expect(app.picture.stickers[0].holder == nil)
    #expect(app.client.state == .online && app.client.lastError == nil)
    // 60 moves a second at most, whatever the screen does.
    let moves = app.link.said.count { $0.isMove }
    #expect((85...92).contains(moves), "\(moves)")
  }

  @Test func whatAnotherHoldsIsRefused() throws {
    let pit = try VirtualServer(bodies: 1)
    let (app, other) = (VirtualApp(pit), VirtualApp(pit, .state))
    app.others = [other]
    app.run(seconds: 3)
    let sticker = app.picture.stickers[0]
    app.client.grab(sticker.id, at: sticker.center)
    app.run(seconds: 0.2)
    #expect(other.client.grab(sticker.id, at: sticker.center))
    app.run(seconds: 0.2)
    let holder = try #require(app.client.person).id
    let happened = other.client.takeHappenings().map(\.event)
    #expect(happened.contains(.grabRefused(slot: UInt16(sticker.id), holder: holder)))
    #expect(other.client.takeHappenings().isEmpty)
    #expect(!other.client.grab(99, at: sticker.center), "there is no such sticker")
    #expect(!other.client.grab(-1, at: sticker.center) && !other.client.move(70_000, to: .zero))
  }

  @Test(arguments: [StreamKind.state, .replica])
  func throwingAndSnappingMoveASticker(_ stream: StreamKind) throws {
    let pit = try VirtualServer(bodies: 1)
    let app = VirtualApp(pit, stream)
    app.run(seconds: 5)
    let before = app.picture.stickers[0]
    #expect(app.client.throwSticker(from: before.center, velocity: PitVector(0, -900)))
    app.run(seconds: 0.4)
    #expect(app.picture.stickers[0].center.y < before.center.y - 100)
    #expect(app.client.snap(before.id, to: PitVector(400, 200)))
    #expect(
      app.run(seconds: 2) { picture in
        let place = picture.stickers[0].center
        return PitVector(place.x - 400, place.y - 200).length < 10
      })
  }

  @Test(arguments: [StreamKind.state, .replica])
  func tiltTurnsEverybodysGravity(_ stream: StreamKind) throws {
    let pit = try VirtualServer(faults: Self.slow, bodies: 10)
    let app = VirtualApp(pit, stream)
    app.run(seconds: 4)
    #expect(app.client.gravity == PitVector(0, 1))
    let before = app.picture.stickers.map(\.center.x).reduce(0, +) / 10
    // Longer than it may be: it is shortened.
    app.client.tilt = PitVector(3, 0)
    app.run(seconds: 3)
    #expect(app.client.gravity.x > 0.99 && abs(app.client.gravity.y) < 0.01)
    #expect(app.picture.stickers.map(\.center.x).reduce(0, +) / 10 > before + 100)
    // An unchanged tilt is told three times a second.
    let told = app.link.said.count { $0.isTilt }
    #expect((9...11).contains(told), "\(told)")
    app.client.tilt = nil
    app.run(seconds: 4)
    #expect(app.client.gravity.y > 0.99, "who doesn't tilt has no say")
    // A phone that is being turned is told of 30 times a second.
    for step in 0..<60 {
      app.client.tilt = PitVector(Float(step) / 60, 0.5)
      app.run(seconds: 1.0 / 60)
    }
    let turned = app.link.said.count { $0.isTilt } - told
    #expect((25...31).contains(turned), "\(turned)")
  }

  @Test(arguments: [StreamKind.state, .replica])
  func wordsBringRain(_ stream: StreamKind) throws {
    let pit = try VirtualServer(scene: .rain)
    let app = VirtualApp(pit, stream)
    app.run(seconds: 1)
    #expect(try app.client.say("Happy birthday!"))
    #expect(app.run(seconds: 3) { !$0.stickers.isEmpty })
    let me = try #require(app.client.person).id
    let events = app.client.takeHappenings().map(\.event)
    #expect(
      events.contains { if case .rainBegan(_, let client) = $0 { client == me } else { false } })
    let long = String(repeating: "a", count: 65)
    #expect(throws: WireError.outOfRange(.words)) { try app.client.say(long) }
    #expect(throws: WireError.outOfRange(.words)) { try app.client.say("") }
  }

  @Test func nothingIsSentWithoutAWelcome() throws {
    let pit = try VirtualServer(bodies: 0)
    let app = VirtualApp(pit)
    #expect(!app.client.drop(kind: 1, at: PitVector(300, 100)))
    app.client.tilt = PitVector(1, 0)
    app.run(seconds: 1)
    #expect(app.picture.stickers.isEmpty && app.client.drop(kind: 1, at: PitVector(300, 100)))
  }

  /// The numbers of what no screen gives: nothing traps, and the connection lives.
  @Test func impossibleNumbersAreHarmless() throws {
    let pit = try VirtualServer(bodies: 1)
    let app = VirtualApp(pit)
    app.run(seconds: 1)
    for number in [Float.nan, .infinity, -.infinity, 1e30] {
      let place = PitVector(number, number)
      app.client.tilt = place
      app.client.drop(kind: .max, at: place)
      app.client.throwSticker(from: place, velocity: place)
      app.client.grab(0, at: place)
      app.client.move(0, to: place)
      app.client.release(0, velocity: place)
      app.client.snap(0, to: place)
      app.run(seconds: 1)
    }
    #expect(app.client.state == .online && app.client.lastError == nil)
    #expect(app.picture.stickers.count > 1)
  }
}

extension PitVector {
  static let zero = PitVector(0, 0)
}

extension ClientMessage {
  /// The message without the tick that it is meant for.
  private var content: ClientMessage {
    if case .aimed(_, let message) = self { message } else { self }
  }
  var isMove: Bool { if case .move = content { true } else { false } }
  var isTilt: Bool { if case .tilt = content { true } else { false } }
}
