import Testing
import Wire

@testable import Simulation

/// A device that pays dearly for rollbacks follows what others do a few ticks later, and what its
/// own commands became at once.
@Suite struct RollbackPauseTests {
  @Test(arguments: [1, 3, 4]) func whatOthersDoIsSeenAFewTicksLater(pause: Int) throws {
    var party = try RollbackParty(pause: pause)
    var rollbacks: [Int] = []
    for tick in 0..<60 where try party.tick(drops: [2]) { rollbacks.append(tick) }
    let pauses = zip(rollbacks, rollbacks.dropFirst()).map { $1 - $0 }
    #expect(rollbacks.count >= 60 / pause - 1 && pauses.allSatisfy { $0 == pause })
    // When all is quiet, what is foretold is what will be.
    for _ in 0..<pause { _ = try party.tick() }
    let foretold = party.prediction.pit
    for _ in 0..<RollbackParty.ahead { party.pit.tick(TickInputs()) }
    #expect(foretold.tick == party.pit.tick)
    #expect(foretold.stateHash() == party.pit.stateHash())
    #expect(party.prediction.replica.hashesMatched > 1)
  }

  @Test func whatBecameOfOwnCommandsIsSeenAtOnce() throws {
    var party = try RollbackParty(pause: 100)
    #expect(try !party.tick(drops: [2]))
    let aim = party.prediction.pit.tick.nextTick
    party.prediction.act(RollbackParty.drop, for: aim)
    while party.pit.tick.nextTick != aim { #expect(try !party.tick()) }
    #expect(try party.tick(), "it is not in the log's tick that it was meant for")
    #expect(try !party.tick(drops: [1]), "but in the one after that, as is foretold now")
    #expect(party.prediction.statistics.lateTicks == 1)
  }

  /// Somebody joins, or the journal saves: what that changes is not seen, so it may wait as well.
  @Test(arguments: [1, 3, 5]) func aSavedWorldIsNoReasonToHurry(pause: Int) throws {
    var party = try RollbackParty(pause: pause)
    for tick in 1...pause {
      let isAnew = try party.tick(saves: tick == 1)
      #expect(isAnew == (tick == pause), "tick \(tick)")
    }
    #expect(party.isRight() && party.prediction.statistics.rollbacks == 1)
  }

  /// What a saved world's tick did with own commands is compared all the same.
  @Test func anOwnCommandThatASavedTickLacksIsSeenAtOnce() throws {
    var party = try RollbackParty(pause: 100)
    let aim = party.prediction.pit.tick.nextTick
    party.prediction.act(RollbackParty.drop, for: aim)
    while party.pit.tick.nextTick != aim { #expect(try !party.tick()) }
    #expect(try party.tick(saves: true))
  }

  /// The ring about what somebody dropped, and the sound of a throw, belong to a sticker: nobody is
  /// told of them before it is there to be seen.
  @Test func whatOthersDidIsToldWhenItIsSeen() throws {
    var party = try RollbackParty(pause: 5)
    party.prediction.noteEffects()
    let count = party.prediction.pit.bodyCount
    var effects: [TickEffect] = []
    var (seen, told): ([Int], [Int]) = ([], [])
    for tick in 0..<10 {
      _ = try party.tick(drops: tick == 0 ? [2] : [])
      party.prediction.takeEffects(into: &effects)
      if party.prediction.pit.bodyCount > count { seen.append(tick) }
      if effects.contains(where: { $0.person == 2 }) { told.append(tick) }
    }
    #expect(seen.first == 4 && told == [4], "seen \(seen), told \(told)")
  }

  /// What this person did itself is told as soon as it is certain, whatever others did.
  @Test func ownDeedsAreToldAtOnce() throws {
    var party = try RollbackParty(pause: 100)
    party.prediction.noteEffects()
    let aim = party.prediction.pit.tick.nextTick
    party.prediction.act(RollbackParty.drop, for: aim)
    var effects: [TickEffect] = []
    while party.pit.tick.nextTick != aim { _ = try party.tick(drops: [2]) }
    _ = try party.tick(drops: [1])
    party.prediction.takeEffects(into: &effects)
    #expect(effects.contains { $0.person == 1 } && !effects.contains { $0.person == 2 })
  }
}
