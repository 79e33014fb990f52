import Testing
import Wire

@testable import Server
@testable import StickerPitClient

/// What touches and tilts of a phone mean.
@Suite struct FingerTests {
  private let pit: VirtualServer
  private let app: VirtualApp

  init() throws {
    pit = try VirtualServer(bodies: 1)
    app = VirtualApp(pit)
    app.run(seconds: 5)
  }

  private func drag(
    _ finger: inout PitFinger, from start: PitVector, by step: PitVector, pictures: Int
  ) {
    for picture in 0...pictures {
      let way = Float(picture)
      finger.touched(
        at: PitVector(start.x + step.x * way, start.y + step.y * way), in: app.client)
      app.run(seconds: 1.0 / 60)
    }
  }

  private var commands: [ClientMessage] {
    app.link.said.map { if case .aimed(_, let message) = $0 { message } else { $0 } }
      .filter { if case .clock = $0 { false } else { true } }
  }

  @Test func aTapDropsTheChosenSticker() {
    var finger = PitFinger()
    finger.kind = 7
    // A finger trembles.
    drag(&finger, from: PitVector(300, 100), by: PitVector(1, 0), pictures: 3)
    finger.lifted(in: app.client)
    app.run(seconds: 0.1)
    #expect(app.picture.stickers.map(\.kind).contains(7) && app.picture.stickers.count == 2)
    #expect(finger.kind == 7 && finger.held == nil)
    finger.lifted(in: app.client)
    app.run(seconds: 0.1)
    #expect(app.picture.stickers.count == 2, "a finger that touches nothing drops nothing")
  }

  @Test func aDragHoldsTheStickerAndAFlickLetsItFly() {
    var finger = PitFinger()
    let sticker = app.picture.stickers[0]
    drag(&finger, from: sticker.center, by: PitVector(0, -12), pictures: 30)
    #expect(finger.held == sticker.id)
    app.run(seconds: 0.1)
    #expect(app.picture.stickers[0].holder == app.client.person?.id)
    #expect(app.picture.stickers[0].center.y < sticker.center.y - 250)
    finger.touched(at: PitVector(sticker.center.x, 500), in: app.client)
    finger.lifted(in: app.client)
    app.run(seconds: 0.1)
    #expect(app.picture.stickers[0].holder == nil && app.picture.stickers.count == 1)
  }

  @Test func aFlickOverEmptyGroundThrowsANewOne() throws {
    var finger = PitFinger()
    drag(&finger, from: PitVector(200, 200), by: PitVector(10, 0), pictures: 6)
    finger.lifted(in: app.client)
    let last = try #require(commands.last)
    guard case .throwSticker(let x, let y, let velocityX, let velocityY) = last else {
      return #expect(Bool(false), "\(last)")
    }
    #expect((x, y, velocityY) == (1600, 1600, 0))
    #expect((500...700).contains(velocityX), "10 pt in a sixtieth of a second: \(velocityX)")
    // Slowly, or after a rest, it was a stroke.
    let count = commands.count
    drag(&finger, from: PitVector(200, 200), by: PitVector(3, 0), pictures: 10)
    finger.lifted(in: app.client)
    drag(&finger, from: PitVector(200, 200), by: PitVector(10, 0), pictures: 6)
    app.run(seconds: 0.2)
    finger.lifted(in: app.client)
    #expect(commands.count == count)
  }

  @Test func aWorldIsShownAsLargeAsItFits() throws {
    let world = try #require(app.picture.world)
    let fit = PitFit(world, width: 360, height: 640)
    #expect(fit.scale == 0.5 && fit.origin == PitVector(0, 80))
    #expect(fit.view(PitVector(720, 960)) == PitVector(360, 560))
    #expect(fit.world(PitVector(180, 320)) == PitVector(360, 480))
    let wide = PitFit(world, width: 2000, height: 960)
    #expect(wide.scale == 1 && wide.origin == PitVector(640, 0))
    for fit in [PitFit(nil, width: 100, height: 100), PitFit(world, width: 0, height: 5)] {
      #expect(fit.world(PitVector(7, 8)) == PitVector(7, 8))
    }
  }

  /// A phone held upright in front of somebody, however it is turned: down is down.
  @Test func downIsDownHoweverThePhoneIsTurned() {
    let gravity: [(ScreenTurn, x: Double, y: Double)] = [
      (.upright, 0, -1), (.upsideDown, 0, 1), (.topLeft, -1, 0), (.topRight, 1, 0),
    ]
    for (turn, x, y) in gravity {
      #expect(turn.tilt(gravityX: x, y: y) == PitVector(0, 1), "\(turn)")
    }
    // Leaned to the right: the phone's right side, bottom, top or left side points there.
    #expect(ScreenTurn.upright.tilt(gravityX: 1, y: 0) == PitVector(1, 0))
    #expect(ScreenTurn.topLeft.tilt(gravityX: 0, y: -1) == PitVector(1, 0))
    #expect(ScreenTurn.topRight.tilt(gravityX: 0, y: 1) == PitVector(1, 0))
    #expect(ScreenTurn.upsideDown.tilt(gravityX: -1, y: 0) == PitVector(1, 0))
  }
}
