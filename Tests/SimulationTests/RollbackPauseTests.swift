import Testing
import Wire

@testable import Simulation

/// A device that pays dearly for rollbacks follows what others do a few ticks later, and what its
/// own commands became at once.
@Suite struct RollbackPauseTests {
  /// A server's world and a page's, six ticks ahead of it.
  private struct Party {
    var pit: Pit
    var coder: RecordCoder
    var prediction: Prediction
    private var sequences: [UInt16: UInt32] = [:]
    static let ahead: UInt32 = 6

    init(pause: Int) throws {
      pit = try Pit(PitConfiguration(bodies: 20, maxBodies: 200, seed: 3))
      for _ in 0..<120 { pit.tick(TickInputs()) }
      coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
      prediction = Prediction(Replica(pit, coder), client: 1, after: 0)
      prediction.rollbackPause = pause
      prediction.advance(to: pit.tick &+ Self.ahead)
    }

    /// A tick of the server with drops of these clients, of which the page hears.
    /// - Returns: whether the page made its world anew.
    mutating func tick(drops: [UInt16] = []) throws -> Bool {
      var inputs = TickInputs()
      for client in drops {
        sequences[client, default: 0] += 1
        inputs.commands.append(
          StampedCommand(client: client, sequence: sequences[client]!, command: Self.drop))
      }
      let outcome = pit.tick(inputs)
      var record: [UInt8] = []
      coder.encode(outcome.record, into: &record)
      try record.withUnsafeBytes { try prediction.receive($0) }
      return prediction.advance(to: pit.tick &+ Self.ahead)
    }

    static let drop = Command.drop(kind: 3, x: 1200, y: 300)
  }

  @Test(arguments: [1, 3, 4]) func whatOthersDoIsSeenAFewTicksLater(pause: Int) throws {
    var party = try Party(pause: pause)
    var rollbacks: [Int] = []
    for tick in 0..<60 where try party.tick(drops: [2]) { rollbacks.append(tick) }
    let pauses = zip(rollbacks, rollbacks.dropFirst()).map { $1 - $0 }
    #expect(rollbacks.count >= 60 / pause - 1 && pauses.allSatisfy { $0 == pause })
    // When all is quiet, what is foretold is what will be.
    for _ in 0..<pause { _ = try party.tick() }
    let foretold = party.prediction.pit
    for _ in 0..<Party.ahead { party.pit.tick(TickInputs()) }
    #expect(foretold.tick == party.pit.tick)
    #expect(foretold.stateHash() == party.pit.stateHash())
    #expect(party.prediction.replica.hashesMatched > 1)
  }

  @Test func whatBecameOfOwnCommandsIsSeenAtOnce() throws {
    var party = try Party(pause: 100)
    #expect(try !party.tick(drops: [2]))
    let aim = party.prediction.pit.tick &+ 1
    party.prediction.act(Party.drop, for: aim)
    while party.pit.tick.nextTick != aim { #expect(try !party.tick()) }
    #expect(try party.tick(), "it is not in the log's tick that it was meant for")
    #expect(try !party.tick(drops: [1]), "but in the one after that, as is foretold now")
    #expect(party.prediction.statistics.lateCommands == 1)
  }
}
