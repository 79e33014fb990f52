import Testing
import Wire

@testable import Server
@testable import Simulation

/// The hard case of prediction: two people push the same sticker from both sides, each a quarter of
/// a second away from the server and back.
@Suite struct ContestedTouchTests {
  /// The sticker that both push: it lies on the floor, and nobody holds it.
  private static let contested: UInt16 = 2

  /// Where it went, by the world that the log has confirmed.
  private struct Way {
    private var places: [Float] = []

    mutating func note(_ page: PredictingPage) {
      var bodies: [StreamBody] = []
      page.playback()!.prediction!.replica.pit.bodies(into: &bodies)
      places.append(bodies.first { $0.slot == ContestedTouchTests.contested }!.x)
    }

    /// How far it went to either side from where it began.
    var extent: (left: Float, right: Float) {
      (places[0] - places.min()!, places.max()! - places[0])
    }

    /// How often it was pushed back, each time by more than a point.
    var turns: Int {
      var (turns, last, way) = (0, places[0], Float(0))
      for place in places where abs(place - last) > 1 {
        if way * (place - last) < 0 { turns += 1 }
        (way, last) = (place - last, place)
      }
      return turns
    }
  }

  /// Somebody who holds a sticker and pushes with it.
  private struct Pusher {
    let page: PredictingPage
    let slot: UInt16
    /// From where it pushes, in pt from the middle.
    let side: Float

    func grab() {
      let body = Self.body(slot, page)
      let (x, y) = (Int16(body.x * 8), Int16(body.y * 8))
      page.act(
        .grab(slot: slot, generation: body.generation, x: x, y: y),
        .grab(slot: slot, generation: body.generation, x: x, y: y))
    }

    func move(toX x: Float, y: Float) {
      let (x, y) = (Int16(x * 8), Int16(y * 8))
      page.act(.move(slot: slot, x: x, y: y), .move(slot: slot, x: x, y: y))
    }

    static func body(_ slot: UInt16, _ page: PredictingPage) -> StreamBody {
      var bodies: [StreamBody] = []
      page.playback()!.prediction!.pit.bodies(into: &bodies)
      return bodies.first { $0.slot == slot }!
    }
  }

  @Test func pushesFromBothSidesAreCorrectedInThePictureAndNeverAfterConfirmation() throws {
    let pit = try VirtualServer(seed: 2, bodies: 3)
    let latency: ClosedRange<UInt64> = 125_000_000...125_000_000
    let pages = [PredictingPage(pit, latency: latency), PredictingPage(pit, latency: latency)]
    pit.advance(seconds: 9)
    let pushers = [
      Pusher(page: pages[0], slot: 0, side: -70), Pusher(page: pages[1], slot: 1, side: 70),
    ]
    for pusher in pushers { pusher.grab() }
    pit.advance(seconds: 1)
    let earlier = pages.map { $0.playback()!.prediction!.statistics }
    let unprompted = pages.map(\.unprompted)
    let contested = Pusher.body(Self.contested, pages[0])
    let middle: (x: Float, y: Float) = (contested.x, contested.y)
    // Both come from their side, then push and pull, out of step with each other. Where one is
    // nearest, its sticker and the contested one would lie in each other by a third of their width.
    let rounds = 360
    var way = Way()
    for tick in 0..<rounds {
      for (index, pusher) in pushers.enumerated() {
        let phase = Float((tick + 23 * index) % 60) / 60
        let side = pusher.side * (0.35 + 0.65 * abs(2 * phase - 1))
        pusher.move(toX: middle.x + side, y: middle.y)
      }
      pit.advance(seconds: 1.0 / 60)
      way.note(pages[0])
    }
    let pushing = pages.map { $0.playback()!.statistics }
    // It is the contested sticker that they push: to the left, to the right, and again.
    #expect(way.extent.left > 5 && way.extent.right > 5, "\(way.extent)")
    #expect(way.turns >= 6, "\(way.turns)")
    // Everything is in the log now; nothing is left to be corrected while both hold still.
    pit.advance(seconds: 3)
    let still = pages.map { $0.playback()!.prediction!.statistics.replayed }
    pit.advance(seconds: 2)
    #expect(pages.map { $0.playback()!.prediction!.statistics.replayed } == still)
    #expect(pit.server.exchange.health.lateInputs == 0)
    for (index, page) in pages.enumerated() {
      let (counted, before) = (pushing[index], earlier[index])
      let prediction = try #require(page.playback()?.prediction)
      #expect(page.failures.isEmpty && page.healed == 0)
      // Each corrects what the other did, by less than the way of both hands in the eight ticks.
      #expect(counted.corrections > 0)
      let way = 2 * 8 * (0.65 * 70 * 2 / 60)  // pt, of which a hand covers 1.5 in a tick
      #expect(Double(counted.largestCorrection) < way, "\(counted)")
      // A command of the other costs at most one rollback, which runs eight ticks again at most.
      let rollbacks = prediction.statistics.rollbacks - before.rollbacks
      let replayed = prediction.statistics.replayed - before.replayed
      #expect(rollbacks > 0 && rollbacks <= UInt32(rounds), "\(prediction.statistics)")
      #expect(replayed > 0 && replayed <= 8 * rollbacks, "\(prediction.statistics)")
      // Each is made in the picture that has its record first: none without one, none later.
      #expect(prediction.rollbackPause == 1 && page.postponed == 0)
      #expect(page.unprompted == unprompted[index])
      #expect(page.ahead.suffix(600).allSatisfy { $0 <= 8 })
      #expect(prediction.statistics.lateTicks == 0)
      #expect(prediction.replica.hashesMatched > 20)
    }
    #expect(
      pages[0].playback()?.prediction?.replica.pit.stateHash()
        == pages[1].playback()?.prediction?.replica.pit.stateHash())
  }

  /// Where ticks take their time, what others do may wait for a few, but not for somebody who holds
  /// something. What a picture can't pay is made right in the next ones.
  @Test(arguments: [(cost: 0.2, most: 0), (cost: 0.6, most: 3)])
  func whoeverHoldsSomethingDoesNotWait(cost: Double, most: Int) throws {
    let pit = try VirtualServer(seed: 2, bodies: 3)
    let latency: ClosedRange<UInt64> = 125_000_000...125_000_000
    let pages = (0..<2).map { _ in PredictingPage(pit, latency: latency, cost: cost) }
    pit.advance(seconds: 20)
    let pushers = [
      Pusher(page: pages[0], slot: 0, side: -70), Pusher(page: pages[1], slot: 1, side: 70),
    ]
    for pusher in pushers { pusher.grab() }
    pit.advance(seconds: 1)
    let before = pages.map(\.unseen.count)
    let middle = Pusher.body(Self.contested, pages[0])
    for tick in 0..<180 {
      for (index, pusher) in pushers.enumerated() {
        let phase = Float((tick + 23 * index) % 60) / 60
        let side = pusher.side * (0.35 + 0.65 * abs(2 * phase - 1))
        pusher.move(toX: middle.x + side, y: middle.y)
      }
      pit.advance(seconds: 1.0 / 60)
    }
    for (index, page) in pages.enumerated() {
      let prediction = try #require(page.playback()?.prediction)
      #expect(prediction.isHolding && prediction.rollbackPause == 1)
      #expect(page.playback()!.budget.most >= 8 && prediction.statistics.rollbacks > 60)
      let unseen = page.unseen.dropFirst(before[index])
      #expect(unseen.count > 150 && unseen.max()! <= most, "\(unseen.max()!)")
      #expect(page.failures.isEmpty && page.healed == 0)
    }
  }
}
