import Testing
import Wire

@testable import Simulation

/// A rollback that would take a picture too long is spread over a few. Meanwhile the world that is
/// shown goes on, and in the end it is the same as if all had been done at once.
@Suite struct SpreadRollbackTests {
  /// Ticks of one part each that a picture may do of it, besides the new one.
  static let work = 2

  @Test func noPictureRunsMoreTicksThanItMay() throws {
    var party = try RollbackParty(pause: 1, work: Float(Self.work))
    #expect(try !party.tick(drops: [2]), "it is begun, and not done")
    #expect(party.prediction.isRollingBack && party.prediction.statistics.rollbacks == 1)
    var (pictures, isDone) = (1, false)
    while !isDone {
      let (before, shown) = (party.prediction.statistics.predicted, party.prediction.pit.tick)
      #expect(!party.isRight(), "what is shown does not know of the drop yet")
      isDone = try party.tick()
      pictures += 1
      #expect(party.prediction.pit.tick == shown.nextTick)
      #expect(Int(party.prediction.statistics.predicted &- before) <= Self.work + 1)
    }
    #expect(pictures > 2 && pictures <= Prediction.mostSlices)
    #expect(!party.prediction.isRollingBack && party.isRight())
    #expect(party.prediction.statistics.rollbacks == 1)
  }

  /// However little a picture may do, and also where the log goes on by two ticks a picture, as on
  /// a display of 30 Hz: each picture does its share, and none has to do all the rest.
  @Test(arguments: [1, 2]) func everyPictureDoesItsShare(ticks: Int) throws {
    var party = try RollbackParty(pause: 1, work: 0)
    var (since, most, done) = (0, 0, 0)
    for _ in 0..<120 {
      let before = party.prediction.statistics.predicted
      let isNew = try party.tick(drops: [2], count: ticks)
      #expect(Int(party.prediction.statistics.predicted &- before) <= 1 + 2 * ticks)
      since += 1
      guard isNew else { continue }
      most = max(most, since)
      (since, done) = (0, done + 1)
    }
    #expect(done >= 120 / Prediction.mostSlices && most <= Prediction.mostSlices)
    for _ in 0..<2 * Prediction.mostSlices { _ = try party.tick(count: ticks) }
    #expect(party.isRight() && party.prediction.replica.hashesMatched > 3)
  }

  @Test func ownCommandsAreInTheNextTickWhateverIsUnderWay() throws {
    var party = try RollbackParty(pause: 1, work: Float(Self.work))
    _ = try party.tick(drops: [2])
    let count = party.prediction.pit.bodyCount
    let aim = party.prediction.pit.tick.nextTick
    party.prediction.act(RollbackParty.drop, for: aim)
    #expect(try !party.tick(), "the rollback is not done yet")
    #expect(party.prediction.pit.tick == aim && party.prediction.pit.bodyCount == count + 1)
    while party.pit.tick.nextTick != aim { _ = try party.tick() }
    #expect(party.prediction.pit.bodyCount == count + 2, "both drops")
    #expect(try !party.tick(drops: [1]), "the log says what was foretold")
    #expect(!party.prediction.isRollingBack && party.isRight())
  }

  /// The connection was silent: what comes then is later than all that was made anew so far.
  @Test func theLogOvertakesARollback() throws {
    var party = try RollbackParty(pause: 1, work: 1)
    _ = try party.tick(drops: [2])
    #expect(party.prediction.isRollingBack)
    for _ in 0..<3 {
      var record: [UInt8] = []
      party.coder.encode(party.pit.tick(TickInputs()).record, into: &record)
      try record.withUnsafeBytes { try party.prediction.receive($0) }
    }
    #expect(party.prediction.needsRollback, "it begins with the log again")
    for _ in 0..<Prediction.mostSlices { _ = try party.tick() }
    #expect(!party.prediction.isRollingBack && party.isRight())
  }

  /// A snapshot in the middle of it: what was being made anew belongs to the world before.
  @Test func aSnapshotEndsARollback() throws {
    var party = try RollbackParty(pause: 1, work: Float(Self.work))
    _ = try party.tick(drops: [2])
    #expect(party.prediction.isUnderWay)
    // Another world at the same tick.
    party.pit = try Pit(PitConfiguration(bodies: 5, maxBodies: 200, seed: 4), tick: party.pit.tick)
    party.coder = RecordCoder(tick: party.pit.tick, gravity: party.pit.gravity)
    party.prediction.restart(Replica(party.pit, party.coder))
    #expect(!party.prediction.isUnderWay)
    for _ in 0..<2 * Prediction.mostSlices { _ = try party.tick() }
    #expect(!party.prediction.isRollingBack && party.isRight())
  }

  /// A world that is older than what may be predicted to where it is shown.
  @Test func nobodyPredictsMoreThanTheMost() throws {
    var party = try RollbackParty(pause: 1)
    let old = Replica(party.pit, party.coder)
    for _ in 0..<40 { _ = try party.tick() }
    let before = party.prediction.statistics.predicted
    party.prediction.restart(old)
    party.prediction.advance(to: party.prediction.pit.tick)
    #expect(Int(party.prediction.statistics.predicted &- before) <= Prediction.mostTicks)
    #expect(party.prediction.ticksAhead == Prediction.mostTicks)
  }

  /// Throws that make many fast: such ticks are solved in many parts, and a picture that ran some
  /// of them again besides its own two would be the longest of all.
  @Test func whatOthersDoWaitsWhileTicksAreDear() throws {
    var party = try RollbackParty(pause: 1, work: Float(Self.work))
    party.prediction.noteEffects()
    for _ in 0..<24 { _ = try party.tick() }
    var (effects, told): ([TickEffect], Int) = ([], 0)
    func listen() {
      party.prediction.takeEffects(into: &effects)
      let thrown = effects.count { $0.kind == Float(TickEffect.Kind.thrown.rawValue) }
      #expect(thrown == 0 || party.prediction.ticksUnseen == 0, "told before it is seen")
      told += thrown
    }
    _ = try party.tick(by: [2, 3, 4, 5, 6, 7]) { person in
      .throwSticker(x: Int16(person) * 300, y: 900, velocityX: 3000, velocityY: -3000)
    }
    #expect(party.prediction.replica.pit.partsSolved > 2)
    var waited = 0
    while party.prediction.replica.pit.partsSolved > 2, waited < Prediction.mostWait {
      #expect(!party.prediction.isUnderWay && !party.prediction.needsRollback)
      listen()
      waited += 1
      _ = try party.tick()
    }
    #expect(waited > 1, "there was something to wait for")
    for _ in 0..<24 + Prediction.mostSlices {
      listen()
      _ = try party.tick()
    }
    #expect(party.isRight() && told == 6, "\(told) throws were told")
  }

  @Test func aDearTickLeavesLessForARollback() {
    var budget = PredictionBudget()
    #expect(budget.rollbackWork == .infinity, "nothing is known yet")
    var second = 0.0
    func spend(_ milliseconds: Double, parts: Float) {
      for _ in 0..<20 {
        budget.spent(60 * milliseconds, on: 60, work: 60 * parts, now: 1000 * second)
        second += 1
      }
    }
    spend(0.2, parts: 1)
    #expect(budget.rollbackWork >= 8, "all of a usual rollback at once")
    spend(2, parts: 1)
    let dear = budget.rollbackWork
    #expect(dear > 1 && dear < 2)
    spend(2, parts: 4)
    let cheapParts = budget.rollbackWork
    #expect(abs(cheapParts - 4 * dear) < 0.01, "ticks are dear, what they are solved in is not")
  }
}
