import Testing
import Wire

@testable import Server
@testable import Simulation

/// What a person does is in the next tick of the predicted world, and is seen in the first picture
/// that shows this tick: the very next one where no more than 60 are shown in a second.
@Suite struct NextPictureTests {
  /// All that can be foretold.
  enum Act: CaseIterable {
    case drop, flick, grab, move, release, snap, tilt

    /// Whether the sticker must be in the person's hand before.
    var needsHand: Bool { self == .move || self == .release }
  }

  /// A display and the pictures from a deed to its being seen, at most. A tick takes 16.7 ms: with
  /// pictures of 17 ms each has a new one, with those of 8 ms every third at the latest.
  struct Display {
    var milliseconds: Int
    var pictures: Int
  }

  private static let displays = [
    Display(milliseconds: 17, pictures: 1), Display(milliseconds: 16, pictures: 2),
    Display(milliseconds: 11, pictures: 2), Display(milliseconds: 8, pictures: 3),
  ]

  /// A world with one person. Two of them with one seed are the same to the bit, as long as both
  /// people do the same.
  private struct Seat {
    let pit: VirtualServer
    let page: PredictingPage
    /// The sticker that is touched.
    static let slot: UInt16 = 0
    /// In points; commands' points have eight steps in each.
    private static let stepsPerPoint: Float = 8

    init(_ display: Display) throws {
      pit = try VirtualServer(bodies: 20)
      page = PredictingPage(
        pit, latency: 20_000_000...20_000_000, pictureMilliseconds: display.milliseconds)
      pit.advance(seconds: 5)
    }

    /// The last tick that was predicted.
    var tick: UInt32? { page.playback()?.prediction?.pit.tick }

    /// The sticker as it was drawn last.
    var sticker: StickerInstance? {
      page.instances.first { $0.slot == Float(Self.slot) }
    }

    /// Lets time pass until right behind the next picture, a tenth of a second at most: a page that
    /// draws nothing fails the test instead of holding it up.
    func show() {
      let count = page.ahead.count
      for _ in 0..<100 where page.ahead.count == count { pit.advance(seconds: 0.001) }
      if page.ahead.count == count { Issue.record("there is no next picture") }
    }

    func carryOut(_ act: Act) throws {
      let world = try #require(page.playback()?.prediction?.pit)
      var bodies: [StreamBody] = []
      world.bodies(into: &bodies)
      let body = try #require(bodies.first { $0.slot == Self.slot })
      // 50 pt nearer to the middle there is room.
      let way: Float = body.x < world.worldSize.x / 2 ? 50 : -50
      let (x, y) = (Self.steps(body.x), Self.steps(body.y))
      let there = Self.steps(body.x + way)
      let generation = body.generation
      let slot = Self.slot
      switch act {
      case .drop: page.drop(x: there, y: 400)
      case .flick:
        let speed = Int16(20 * way)
        page.act(
          .throwSticker(x: x, y: y, velocityX: speed, velocityY: -600),
          .throwSticker(x: x, y: y, velocityX: speed, velocityY: -600))
      case .grab:
        page.act(
          .grab(slot: slot, generation: generation, x: x, y: y),
          .grab(slot: slot, generation: generation, x: x, y: y))
      case .move: page.act(.move(slot: slot, x: there, y: y), .move(slot: slot, x: there, y: y))
      case .release:
        page.act(
          .release(slot: slot, velocityX: 0, velocityY: -600),
          .release(slot: slot, velocityX: 0, velocityY: -600))
      case .snap:
        page.act(
          .snap(slot: slot, generation: generation, x: there, y: y),
          .snap(slot: slot, generation: generation, x: there, y: y))
      case .tilt: page.tilt(x: way > 0 ? 16_000 : -16_000, y: 0)
      }
    }

    private static func steps(_ points: Float) -> Int16 { Int16(points * stepsPerPoint) }
  }

  @Test(arguments: Act.allCases, displays)
  func whatIsDoneIsSeenInThePictureOfTheNextTick(act: Act, display: Display) throws {
    let (doing, idle) = (try Seat(display), try Seat(display))
    for seat in [doing, idle] {
      if act.needsHand {
        try seat.carryOut(.grab)
        seat.pit.advance(seconds: 0.5)
      }
      seat.show()
    }
    #expect(doing.page.instances == idle.page.instances && doing.page.instances.count == 20)
    #expect(doing.page.playback()?.runAhead.inputDelay == 0)
    let earlier = try #require(doing.tick)
    try doing.carryOut(act)
    var pictures = 0
    while doing.tick == earlier, pictures < 10 {
      for seat in [doing, idle] { seat.show() }
      pictures += 1
    }
    #expect(pictures <= display.pictures)
    #expect(doing.tick != earlier && idle.tick == doing.tick)
    try expectToSee(act, doing, without: idle)
    // The server has not even heard of it.
    #expect(doing.pit.server.runner.stateHash == idle.pit.server.runner.stateHash)
    #expect(doing.page.failures.isEmpty && idle.page.failures.isEmpty)
  }

  private func expectToSee(_ act: Act, _ doing: Seat, without idle: Seat) throws {
    let (here, there) = (try #require(doing.sticker), try #require(idle.sticker))
    let person = Float(try #require(doing.page.welcome).clientID)
    switch act {
    case .drop: #expect(doing.page.instances.count == idle.page.instances.count + 1)
    case .grab: #expect(here.holder == person && there.holder == -1)
    case .release: #expect(here.holder == -1 && there.holder == person)
    case .flick, .move, .snap: #expect(here.x != there.x)
    case .tilt: #expect(doing.page.instances != idle.page.instances)
    }
  }
}
