import Dynamics
import Physics
import Testing
import Wire

@testable import Simulation

/// What a page lets people see and hear of certain ticks.
@Suite struct TickEffectsTests {
  /// A world, and the effects of its ticks.
  private struct Watched {
    var stage: Stage
    var effects = TickEffects()
    private var taken: [TickEffect] = []

    init(_ stage: Stage) { self.stage = stage }

    /// The effects of so many ticks.
    mutating func tick(_ count: Int = 1) -> [TickEffect] {
      var all: [TickEffect] = []
      for _ in 0..<count {
        let outcome = stage.tick()
        effects.note(outcome, in: stage.pit)
        effects.take(into: &taken)
        all.append(contentsOf: taken)
      }
      return all
    }
  }

  private func count(_ effects: [TickEffect], _ kind: TickEffect.Kind) -> Int {
    effects.filter { $0.kind == Float(kind.rawValue) }.count
  }

  @Test func aDroppedStickerIsToldAndStrikesTheFloorAsFastAsItFell() throws {
    var watched = Watched(try Stage(.pit, bodies: 0))
    watched.stage.give(.drop(kind: 4, x: 8 * 300, y: 8 * 400), by: 9)
    let dropped = watched.tick()
    #expect(dropped.count == 1)
    let drop = try #require(dropped.first)
    #expect(drop.kind == Float(TickEffect.Kind.dropped.rawValue) && drop.person == 9)
    #expect(drop.slot == 0 && drop.picture == 4 && drop.x == 300 && drop.size >= 34)
    let fall = watched.tick(300)
    let blow = try #require(fall.first)
    #expect(blow.kind == Float(TickEffect.Kind.blow.rawValue) && blow.person == -1)
    #expect(blow.other == -1 && blow.normalY > 0.999)
    // From y 400 down to the floor of 960, at 1000 pt/s².
    let height = stageHeight - 400 - drop.size / 2
    let speed = (2 * 1000 * height).squareRoot()
    #expect(abs(blow.speed - speed) < 0.03 * speed, "\(blow.speed) instead of \(speed)")
    // Each bounce is weaker than the one before, and none is told twice.
    let speeds = fall.map(\.speed)
    #expect(speeds.count >= 2 && speeds == speeds.sorted(by: >))
  }

  private let stageHeight: Float = 960

  @Test func restingStickersAreSilent() throws {
    var watched = Watched(try Stage(.pit, bodies: 40))
    _ = watched.tick(600)
    #expect(count(watched.tick(120), .blow) == 0)
  }

  @Test func aTickTellsItsHardestBlows() throws {
    var watched = Watched(try Stage(.pit, bodies: 300))
    var most = 0
    for _ in 0..<200 {
      let blows = watched.tick()
      #expect(blows.map(\.speed) == blows.map(\.speed).sorted(by: >))
      #expect(blows.allSatisfy { $0.speed >= TickEffects.slowestBlow })
      // The strength is the event's own, not one that is made of remembered velocities.
      let hardest = watched.stage.pit.playground.animator.events.began.map(\.speed).max() ?? 0
      if let blow = blows.first {
        #expect(blow.speed == hardest)
      } else {
        #expect(hardest < TickEffects.slowestBlow)
      }
      most = max(most, blows.count)
    }
    #expect(most == TickEffects.mostBlows, "a crowd that falls has more of them")
  }

  @Test func aWorldThatStandsStillIsSilent() throws {
    var pit = try Pit(PitConfiguration(scene: .pit, bodies: 300, maxBodies: 400, seed: 1))
    var effects = TickEffects()
    var taken: [TickEffect] = []
    for _ in 0..<100 { effects.note(pit.tick(TickInputs()), in: pit) }
    effects.take(into: &taken)
    #expect(!taken.isEmpty, "in the midst of a fall")
    var inputs = TickInputs()
    inputs.acts = [.freeze]
    for _ in 0..<10 {
      effects.note(pit.tick(inputs), in: pit)
      inputs.acts = []
    }
    effects.take(into: &taken)
    #expect(taken.isEmpty)
  }

  @Test func handsAndThrowsAreTold() throws {
    var watched = Watched(try Stage(.pit, bodies: 3))
    _ = watched.tick(240)
    let place = watched.stage.center(1)
    watched.stage.grab(1, at: place, by: 5)
    let taken = watched.tick()
    #expect(count(taken, .taken) == 1 && taken[0].slot == 1 && taken[0].person == 5)
    // What is only put down is not thrown.
    watched.stage.release(1, velocity: Vector2(0, -100), by: 5)
    #expect(count(watched.tick(), .thrown) == 0)
    watched.stage.grab(1, at: watched.stage.center(1), by: 5)
    _ = watched.tick()
    watched.stage.release(1, velocity: Vector2(0, -900), by: 5)
    let thrown = watched.tick()
    #expect(count(thrown, .thrown) == 1 && thrown[0].speed == 900)
  }

  @Test func whoDoesNotAskGetsNoMoreThanTheLastTicks() throws {
    var watched = Watched(try Stage(.pit, bodies: 300))
    for _ in 0..<120 {
      let outcome = watched.stage.tick()
      watched.effects.note(outcome, in: watched.stage.pit)
      #expect(watched.effects.noted.count <= TickEffect.most)
    }
    #expect(!watched.effects.noted.isEmpty)
    for _ in 0..<2000 {
      let outcome = watched.stage.tick()
      watched.effects.note(outcome, in: watched.stage.pit)
    }
    #expect(watched.effects.noted.isEmpty, "\(watched.effects.noted)")
  }

  /// What others did waits until it is seen; own deeds don't, and neither does what was before.
  @Test func whatIsNotSeenYetWaits() throws {
    var watched = Watched(try Stage(.pit, bodies: 0))
    var ticks: [UInt32] = []
    for x in [300, 500] {
      watched.stage.give(.drop(kind: 4, x: Int16(8 * x), y: 8 * 400), by: 5)
      watched.stage.give(.drop(kind: 4, x: Int16(8 * x + 800), y: 8 * 400), by: 9)
      let outcome = watched.stage.tick()
      watched.effects.note(outcome, in: watched.stage.pit)
      ticks.append(watched.stage.pit.tick)
    }
    var taken: [TickEffect] = []
    func take(after tick: UInt32) -> [Float] {
      watched.effects.take(into: &taken, unseen: TickEffects.Unseen(person: 9, after: tick))
      return taken.map(\.person)
    }
    #expect(take(after: ticks[0] &- 1) == [9, 9])
    #expect(take(after: ticks[0] &- 1) == [])
    #expect(take(after: ticks[0]) == [5])
    #expect(watched.effects.noted.count == 1)
    for _ in 0..<TickEffects.mostTicks {
      let outcome = watched.stage.tick()
      watched.effects.note(outcome, in: watched.stage.pit)
    }
    #expect(take(after: ticks[1]).allSatisfy { $0 == -1 }, "what is too old is not told")
  }

  /// The log brings each tick once to the confirmed world, however often it was predicted.
  @Test func aReplicaTellsWhatItsWorldTells() throws {
    var watched = Watched(try Stage(.pit, bodies: 30))
    _ = watched.tick(5)
    var coder = RecordCoder(tick: watched.stage.pit.tick, gravity: watched.stage.pit.gravity)
    var replica = try Replica(snapshot: SavedWorld(watched.stage.pit, coder).packed())
    replica.noteEffects(true)
    var (told, all): ([TickEffect], [TickEffect]) = ([], [])
    for _ in 0..<90 {
      let outcome = watched.stage.tick()
      watched.effects.note(outcome, in: watched.stage.pit)
      watched.effects.take(into: &all)
      var bytes: [UInt8] = []
      coder.encode(outcome.record, into: &bytes)
      try replica.receive(bytes)
      replica.takeEffects(into: &told)
      #expect(told == all)
    }
    replica.takeEffects(into: &told)
    #expect(told.isEmpty)
  }

  // MARK: The rain

  @Test func aTouchedLedgeWearsUntilItIsGone() throws {
    var stage = try Stage(.rain)
    stage.give(.say(keyword: Sticker.snow))
    var worn: [Float] = []
    for _ in 0..<1200 {
      stage.tick()
      for id in UInt8(1)...6 where !stage.boundaryIDs.contains(id) {
        #expect(stage.pit.wear(ofBoundary: id) == 0)
      }
      let wear = (UInt8(1)...6).map { stage.pit.wear(ofBoundary: $0) }.max() ?? 0
      worn.append(wear)
    }
    #expect(worn.allSatisfy { $0 >= 0 && $0 < 1 })
    #expect(worn.contains { $0 > 0.98 }, "it wears to the end")
    #expect(stage.pit.wear(ofBoundary: 240) == 0 && stage.pit.wear(ofBoundary: 0) == 0)
  }

  @Test func theOpeningOfTheFloorIsForetold() throws {
    var stage = try Stage(.rain)
    stage.give(.say(keyword: Sticker.snow))
    var foretold: UInt32?
    for _ in 0..<2400 {
      let outcome = stage.tick()
      if outcome.events.contains(.floorOpened) {
        #expect(foretold == 1, "it opens in the very tick that was told")
        return
      }
      let now = stage.pit.ticksToOpening
      if let before = foretold { #expect(now == before - 1) }
      foretold = now
    }
    Issue.record("the floor never opened")
  }
}
