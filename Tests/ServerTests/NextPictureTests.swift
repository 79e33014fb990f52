import Physics
import Testing
import Wire

@testable import Server
@testable import Simulation

/// What a person does is in the next tick of the predicted world, and is seen in the first picture
/// that shows this tick. Where no more than 60 are shown in a second that is the very next one, as
/// long as the page's clock runs steadily: also where ticks cost much, and while rollbacks are
/// under way. While the page runs slower, because its link got quicker, a picture shows at least
/// three quarters of a tick more. So not every one has a new tick, and it may be the second next,
/// no later. Altogether as many pictures have none as the page was ahead by too many ticks. Where
/// records are late and no more may be predicted, nothing new is shown; that is not tried here.
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
    func show() { NextPictureTests.show(page, pit) }

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

  private static func show(_ page: PredictingPage, _ pit: VirtualServer) {
    let count = page.ahead.count
    for _ in 0..<100 where page.ahead.count == count { pit.advance(seconds: 0.001) }
    if page.ahead.count == count { Issue.record("there is no next picture") }
  }

  // MARK: A display of exactly 60 Hz

  /// What is at work besides.
  struct Load {
    /// One way of the link.
    var milliseconds: UInt64
    /// Milliseconds that a tick takes.
    var cost: Double
    /// Whether somebody else moves a sticker, which no page foretells.
    var hasOther = false
    /// Whether the link gets slower and quicker again each second, by 200 ms there and back.
    var changes = false
    /// Pictures of 600 that have no new tick.
    var idle: ClosedRange<Int>
  }

  /// The page is ahead of the server by 1.45 and by 3.13 ticks, so no picture is near to where the
  /// next tick begins. Where the link changes it is 6 ticks more, of which 5.1 are made up for in
  /// each of the seconds in which it is quick.
  private static let loads = [
    Load(milliseconds: 20, cost: 0, idle: 0...0),
    Load(milliseconds: 48, cost: 0.75, hasOther: true, idle: 0...0),
    Load(milliseconds: 20, cost: 0.1, changes: true, idle: 15...35),
    Load(milliseconds: 20, cost: 0.1, hasOther: true, changes: true, idle: 15...35),
  ]

  /// Somebody who holds a sticker and moves it about a place.
  private struct Mover {
    let page: PredictingPage
    let slot: UInt16

    var tick: UInt32? { page.playback()?.prediction?.pit.tick }

    func grab() throws {
      var bodies: [StreamBody] = []
      try #require(page.playback()?.prediction).pit.bodies(into: &bodies)
      let body = try #require(bodies.first { $0.slot == slot })
      let (x, y) = (Int16(body.x * 8), Int16(body.y * 8))
      page.act(
        .grab(slot: slot, generation: body.generation, x: x, y: y),
        .grab(slot: slot, generation: body.generation, x: x, y: y))
    }

    /// - Returns: where the finger is then, in points.
    func move(_ step: Int) -> Float {
      // Both have room: 200 pt from each other and from the sides.
      let sway = 320 * DeterministicMath.sine(Float(step) / 20)
      let x = Int16((slot == 0 ? 2000 : 3600) + sway)
      page.act(.move(slot: slot, x: x, y: 3200), .move(slot: slot, x: x, y: 3200))
      return Float(x) / 8
    }

    /// Where the finger is in the predicted world.
    func finger() throws -> Float {
      let world = try #require(page.playback()?.prediction).pit
      let person = try #require(page.welcome).clientID
      let index = try #require(world.playground.grip(of: person, slot: slot))
      return world.playground.grips[index].finger.x
    }
  }

  @Test(arguments: loads) func atSixtyPicturesASecondTheNextOneHasIt(load: Load) throws {
    let pit = try VirtualServer(bodies: 20)
    let way = load.milliseconds * 1_000_000
    let movers = (0..<(load.hasOther ? 2 : 1)).map { slot in
      let page = PredictingPage(
        pit, latency: way...way, pictureNanoseconds: 16_666_667, cost: load.cost)
      return Mover(page: page, slot: UInt16(slot))
    }
    // Until the page knows the clock, and what it can pay.
    pit.advance(seconds: 14)
    for mover in movers { try mover.grab() }
    pit.advance(seconds: 0.5)
    for mover in movers { _ = mover.move(0) }
    pit.advance(seconds: 2)
    let page = movers[0].page
    let playback = try #require(page.playback())
    let (spread, earlier) = (page.spread, try #require(playback.prediction).statistics)
    Self.show(page, pit)
    var (waited, most, idle, finger) = (0, 0, 0, Float(0))
    for picture in 0..<600 {
      if load.changes, picture % 60 == 0 {
        let roundTrip = 2 * Double(load.milliseconds) + (picture % 120 == 0 ? 200 : 0)
        try Self.teach(playback, roundTrip: roundTrip, now: Double(pit.network.now) / 1e6)
      }
      for mover in movers where mover.slot != 0 { _ = mover.move(picture) }
      if waited == 0 { finger = movers[0].move(picture) }
      let before = movers[0].tick
      Self.show(page, pit)
      waited += 1
      most = max(most, waited)
      if movers[0].tick == before {
        idle += 1
      } else {
        waited = 0
        let seen = try movers[0].finger()
        #expect(seen == finger, "picture \(picture)")
      }
      #expect(playback.runAhead.inputDelay == 0)
    }
    #expect(load.idle.contains(idle) && most <= (load.changes ? 2 : 1), "\(idle), \(most)")
    let counted = try #require(playback.prediction).statistics
    #expect(counted.rollbacks - earlier.rollbacks >= (load.hasOther ? 10 : 0))
    if load.cost > 0.5 { #expect(page.spread - spread >= 10, "rollbacks are under way") }
    #expect(page.failures.isEmpty && page.healed == 0, "\(page.failures)")
  }

  /// Gives a page echoes of a link with another round trip, which tell the same time of the server.
  private static func teach(
    _ playback: PredictedPlayback, roundTrip: Double, now: Double
  ) throws {
    let origin = try #require(playback.clock.origin)
    let server = now - roundTrip / 2 - origin
    let tick = (server / ServerClock.tickLength).rounded(.down)
    let rest = ((server - tick * ServerClock.tickLength) * 1000).rounded()
    let echo = ClockEcho(stamp: 0, tick: UInt32(tick), microseconds: UInt32(rest))
    // As many as it looks back on, and one.
    for _ in 0..<9 { playback.receive(echo, sent: now - roundTrip, now: now) }
  }
}
