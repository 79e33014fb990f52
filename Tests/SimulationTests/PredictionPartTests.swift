import Physics
import Testing
import Wire

@testable import Simulation

/// The parts of prediction, each by itself.
@Suite struct PredictionPartTests {
  // MARK: Gravity

  /// Others hold still, one sways: what is foretold eight ticks ahead is what the blend then gives.
  @Test(arguments: [1, 2, 10, 100]) func theOwnShareOfGravityIsRight(people: Int) {
    var blend = TiltBlend()
    var own = OwnInputs(person: 1, commandsBefore: 0)
    var guess = GravityGuess(.down, tilting: 0)
    var line: [(record: TickRecord, tick: UInt32)] = []
    var last = QuantizedGravity.down
    var tilting: UInt16 = 0
    var (worst, compared): (Float, Int) = (0, 0)
    var chance = RandomGenerator(seed: 8)
    let others = (0..<people).map { _ in (x: chance.next(below: 8000), y: chance.next(below: 8000))
    }
    // By tick, because the page foretells ticks that the server has run already.
    var given: [UInt32: QuantizedGravity] = [:]
    for tick in UInt32(1)...600 {
      if tick % 20 == 1 {
        for person in 1..<max(people, 1) {
          blend.add(
            person: UInt16(person + 1), x: Int16(others[person].x), y: Int16(others[person].y),
            tick: tick)
        }
      }
      let angle = Float(tick) / 30
      let x = Int16(DeterministicMath.sine(angle) * 16_384)
      let y = Int16(DeterministicMath.cosine(angle) * 16_384)
      blend.add(person: 1, x: x, y: y, tick: tick)
      let gravity = blend.gravity(at: tick)
      var record = TickRecord(tick: tick)
      if gravity != last { record.gravity = gravity }
      if UInt16(blend.count) != tilting { record.tilting = UInt16(blend.count) }
      (last, tilting) = (gravity, UInt16(blend.count))
      line.append((record, tick))
      own.addTilt(x: x, y: y, for: tick)
      given[tick] = gravity
      guard line.count > 8 else { continue }
      let (confirmed, at) = line.removeFirst()
      guess.confirm(confirmed, own: own.tilt(at: at))
      own.forget(at: at)
      var future = guess.future()
      for later in (at + 1)...tick {
        let told = future.next(guess, own: own.tilt(at: later))
        let real = given[later]!
        let (dx, dy) = (Float(told.x) - Float(real.x), Float(told.y) - Float(real.y))
        if at > 120 { worst = max(worst, (dx * dx + dy * dy).squareRoot()) }
        compared += 1
      }
    }
    #expect(compared == 592 * 8)
    // A three-hundredth of g; alone, to the last unit of rounding each way.
    #expect(worst <= (people == 1 ? 1.5 : 55), "\(worst)")
  }

  @Test func nobodyTiltsMeansStraightDown() {
    var guess = GravityGuess(.down, tilting: 0)
    guess.confirm(TickRecord(tick: 1), own: (.zero, 0))
    var future = guess.future()
    let next = future.next(guess, own: (.zero, 0))
    #expect(next == .down)
    // The first to tilt has all the say.
    for _ in 0..<120 { _ = future.next(guess, own: (Vector2(1, 0), 1)) }
    let last = future.next(guess, own: (Vector2(1, 0), 1))
    #expect(last == QuantizedGravity(x: 16_384, y: 0))
  }

  // MARK: How far ahead

  @Test func aSteadyLinkChangesNothing() {
    var ahead = RunAhead()
    for _ in 0..<20 { ahead.receive(roundTrip: 50) }
    let lead = ahead.lead
    #expect((1.5...2.5).contains(lead))
    for index in 0..<200 { ahead.receive(roundTrip: 46 + Double(index % 7)) }
    #expect(ahead.lead == lead)
    // One pause of the radio is no other link …
    ahead.receive(roundTrip: 400)
    #expect(ahead.lead == lead)
    // … and a link that stays slow is.
    for _ in 0..<6 { ahead.receive(roundTrip: 200) }
    #expect((5.5...8).contains(ahead.lead))
    for _ in 0..<40 { ahead.receive(roundTrip: 50) }
    #expect((1.5...2.5).contains(ahead.lead))
  }

  @Test func commandsThatComeLateTwiceAreTheLink() {
    var ahead = RunAhead()
    for _ in 0..<20 { ahead.receive(roundTrip: 50) }
    let lead = ahead.lead
    ahead.late(by: 2, now: 1000)
    #expect(ahead.lead == lead)
    ahead.late(by: 2, now: 2000)
    #expect(ahead.lead > lead + 1)
    for _ in 0..<1000 { ahead.late(by: 9, now: 3000) }
    #expect(ahead.lead < lead + 10)
    ahead.late(by: 0, now: 20_000)
    for _ in 0..<10 { ahead.receive(roundTrip: 50) }
    #expect(ahead.lead == lead)
  }

  /// All that waited behind the same pause of the line says no more than its first input.
  @Test func aPauseTeachesNothingHoweverMuchComesLate() {
    var ahead = RunAhead()
    for _ in 0..<20 { ahead.receive(roundTrip: 50) }
    let lead = ahead.lead
    for late in 0..<30 { ahead.late(by: 6, now: 1000 + 16 * Double(late)) }
    #expect(ahead.lead == lead)
    ahead.late(by: 6, now: 1600)
    #expect(ahead.lead > lead + 1 && ahead.lead < lead + 3)
  }

  @Test func whatMayNotBePredictedIsInputDelay() {
    var ahead = RunAhead()
    for step in 0..<200 { ahead.predicted(6, most: 8, now: Double(step) * 16) }
    #expect(ahead.inputDelay == 0)
    for step in 0..<200 { ahead.predicted(18.4, most: 8, now: 4000 + Double(step) * 16) }
    #expect(ahead.inputDelay == 11)
    // A tick less is not worth a change.
    for step in 0..<2000 { ahead.predicted(17.5, most: 8, now: 8000 + Double(step) * 16) }
    #expect(ahead.inputDelay == 11)
    for step in 0..<2000 { ahead.predicted(5, most: 8, now: 50_000 + Double(step) * 16) }
    #expect(ahead.inputDelay == 0)
  }

  // MARK: What the device can pay

  /// A device on which a tick takes so many milliseconds.
  private func budget(_ cost: Double, seconds: Int) -> PredictionBudget {
    var budget = PredictionBudget()
    for picture in 0..<(60 * seconds) {
      budget.spent(2 * cost, on: 2, work: 2, now: Double(picture) * 1000 / 60)
    }
    return budget
  }

  @Test func aSlowDevicePredictsLessAndAFastOneMore() {
    #expect(budget(0.5, seconds: 20).most == 8)
    #expect(budget(0.1, seconds: 20).most == 16)
    #expect(budget(1.5, seconds: 20).most == 4)
    #expect(budget(5, seconds: 20).most == 0)
    #expect(!budget(5, seconds: 20).isTooMuch)
    #expect(budget(14, seconds: 20).isTooMuch)
    // The first seconds tell nothing.
    #expect(budget(14, seconds: 2).most == 8)
  }

  @Test func oneSlowSecondChangesNothing() {
    var budget = PredictionBudget()
    for picture in 0..<3600 {
      let isSlow = (1200..<1260).contains(picture)
      budget.spent(isSlow ? 8 : 1, on: 2, work: 2, now: Double(picture) * 1000 / 60)
      #expect(budget.most == 8)
    }
  }

  @Test func costlyRollbacksAreRare() {
    #expect(PredictionBudget().rollbackPause(ticksAhead: 8) == 1)
    #expect(budget(0.1, seconds: 20).rollbackPause(ticksAhead: 8) == 1)
    #expect(budget(0.3, seconds: 20).rollbackPause(ticksAhead: 6) == 2)
    #expect(budget(0.5, seconds: 20).rollbackPause(ticksAhead: 5) == 3)
    #expect(budget(40, seconds: 20).rollbackPause(ticksAhead: 8) == 8)
    #expect(budget(1, seconds: 20).rollbackPause(ticksAhead: 0) == 1)
  }

  /// Who holds something may be pulled at from the other side.
  @Test func whoHoldsSomethingSeesOthersSooner() {
    #expect(budget(0.2, seconds: 20).rollbackPause(ticksAhead: 8, isHolding: true) == 1)
    #expect(budget(0.6, seconds: 20).rollbackPause(ticksAhead: 8, isHolding: true) == 1)
    #expect(budget(0.6, seconds: 20).rollbackPause(ticksAhead: 8) == 7)
    #expect(budget(40, seconds: 20).rollbackPause(ticksAhead: 8, isHolding: true) == 8)
  }

  // MARK: Corrections

  @Test func aCorrectionIsHiddenAndShrinks() {
    let before = StreamBody(slot: 3, generation: 1, kind: 0, size: 40, x: 100, y: 50, angle: 0.1)
    var after = before
    (after.x, after.angle) = (80, 0.1 + 2 * Float.pi + 0.2)
    var corrections = Corrections()
    corrections.note([before], [after], renamed: [])
    #expect(corrections.largest == 20)
    var offset = corrections.offset(of: after)
    #expect(after.x + offset.x == 100 && abs(offset.angle + 0.2) < 1e-4)
    var last: Float = 21
    for _ in 0..<60 {
      offset = corrections.offset(of: after)
      #expect(offset.x < last || offset.x == 0)
      last = offset.x
      corrections.shrink(elapsed: 16)
    }
    #expect(corrections.offset(of: after) == (0, 0, 0))
    // Another sticker in the slot has none.
    corrections.note([before], [after], renamed: [])
    after.generation = 2
    #expect(corrections.offset(of: after) == (0, 0, 0))
  }

  @Test func aStickerWithAnotherNameGlidesToo() {
    let before = StreamBody(slot: 3, generation: 1, kind: 0, size: 40, x: 100, y: 50, angle: 0)
    var after = before
    (after.slot, after.generation, after.x) = (4, 7, 90)
    let renamed = OwnArrivals.Renamed(
      from: StickerName(slot: 3, generation: 1), to: StickerName(slot: 4, generation: 7))
    var corrections = Corrections()
    // Somebody else's sticker has its name now, elsewhere, and glides from nowhere.
    var other = before
    other.x = 400
    corrections.note([before], [other, after], renamed: [renamed])
    #expect(corrections.offset(of: after).x == 10)
    #expect(corrections.offset(of: other) == (0, 0, 0) && corrections.largest == 10)
  }

  // MARK: Own commands

  @Test func whatIsSettledIsNotForetoldAgain() {
    var own = OwnInputs(person: 7, commandsBefore: 40)
    let drop = Command.drop(kind: 1, x: 0, y: 0)
    own.add(drop, for: 100)
    own.skip()
    own.add(drop, for: 103)
    #expect(own.foretold(for: 100, after: 99) == [41])
    // It was not in the record of 100: it counts in the next tick, until it shows.
    #expect(own.foretold(for: 101, after: 100) == [41])
    #expect(own.foretold(for: 102, after: 100).isEmpty)
    let late = own.settle(through: 41, in: 102)
    #expect(late == 2)
    #expect(own.foretold(for: 103, after: 102) == [43])
    own.leaveOut(43)
    #expect(own.foretold(for: 103, after: 102).isEmpty)
    let later = own.settle(through: 43, in: 103)
    #expect(later == nil)
  }

  /// As the server's queue has it: what is not held is not moved, and of a finger's moves the last
  /// counts, unless something else came between.
  @Test func movesAreForetoldAsTheyAreCarriedOut() {
    var own = OwnInputs(person: 7, commandsBefore: 0)
    own.add(.move(slot: 2, x: 0, y: 0), for: 100)
    own.add(.move(slot: 3, x: 0, y: 0), for: 100)
    own.add(.move(slot: 2, x: 8, y: 0), for: 100)
    #expect(own.foretold(for: 100, after: 99, holding: [2, 3]) == [2, 3])
    #expect(own.foretold(for: 100, after: 99, holding: [3]) == [2])
    #expect(own.foretold(for: 100, after: 99).isEmpty)
    own.add(.grab(slot: 2, generation: 1, x: 0, y: 0), for: 101)
    own.add(.move(slot: 2, x: 16, y: 0), for: 101)
    own.add(.release(slot: 2, velocityX: 0, velocityY: 0), for: 101)
    own.add(.move(slot: 2, x: 24, y: 0), for: 101)
    #expect(own.foretold(for: 101, after: 100, holding: [3]) == [2, 4, 5, 6, 7])
    #expect(own.foretold(for: 101, after: 99, holding: [3]) == [4, 5, 6, 7])
  }

  @Test func aLateTiltCountsFromTheTickThatTookIt() {
    var own = OwnInputs(person: 7, commandsBefore: 0)
    own.addTilt(x: 16_384, y: 0, for: 100)
    own.addTilt(x: 0, y: 16_384, for: 110)
    own.note(LateTilt(meant: 110, taken: 114))
    #expect(own.tilt(at: 113).vector == Vector2(1, 0))
    #expect(own.tilt(at: 114).vector == Vector2(0, 1))
    #expect(own.tilt(at: 144).weight == 1 && own.tilt(at: 145).weight < 1)
    // One that is not known changes nothing.
    own.note(LateTilt(meant: 111, taken: 200))
    #expect(own.tilt(at: 114).vector == Vector2(0, 1))
  }

  // MARK: Counts

  @Test func aCorrectionIsRecentForTwoSeconds() {
    var counted = FollowStatistics()
    counted.take(correction: 14, now: 5000)
    counted.forgetOldCorrection(now: 6900)
    #expect(counted.recentCorrection == 14)
    counted.forgetOldCorrection(now: 7100)
    #expect(counted.recentCorrection == 0 && counted.largestCorrection == 14)
  }
}

extension OwnInputs {
  /// The numbers of what is foretold for a tick by somebody who holds the stickers in these slots.
  fileprivate func foretold(
    for tick: UInt32, after confirmed: UInt32, holding slots: [UInt16] = []
  ) -> [UInt32] {
    var commands: [StampedCommand] = []
    append(for: tick, after: confirmed, to: &commands) { slots.contains($0) }
    return commands.map(\.sequence)
  }
}
