import Wire

@testable import Simulation

/// A server's world and a page's, six ticks ahead of it.
struct RollbackParty {
  var pit: Pit
  var coder: RecordCoder
  var prediction: Prediction
  private var sequences: [UInt16: UInt32] = [:]
  static let ahead: UInt32 = 6

  /// - Parameters:
  ///   - pause: the page's `rollbackPause`.
  ///   - work: the page's `rollbackWork`.
  init(pause: Int, work: Float = .infinity) throws {
    pit = try Pit(PitConfiguration(bodies: 20, maxBodies: 200, seed: 3))
    for _ in 0..<120 { pit.tick(TickInputs()) }
    coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
    prediction = Prediction(Replica(pit, coder), person: 1, after: 0)
    prediction.rollbackPause = pause
    prediction.rollbackWork = work
    prediction.advance(to: pit.tick &+ Self.ahead)
  }

  /// Ticks of the server, of which the page hears before its next picture.
  /// - Parameters:
  ///   - people: who does something in each of them.
  ///   - saves: whether the world is saved behind each of them, as for somebody who joins.
  ///   - count: how many ticks.
  ///   - command: what each of them does.
  /// - Returns: whether the page made its world anew.
  mutating func tick(
    by people: [UInt16], saves: Bool = false, count: Int = 1, _ command: (UInt16) -> Command
  ) throws -> Bool {
    for _ in 0..<count {
      var inputs = TickInputs()
      inputs.dropsCaches = saves
      for person in people {
        sequences[person, default: 0] += 1
        inputs.commands.append(
          StampedCommand(person: person, sequence: sequences[person]!, command: command(person)))
      }
      let outcome = pit.tick(inputs)
      var record: [UInt8] = []
      coder.encode(outcome.record, into: &record)
      try record.withUnsafeBytes { try prediction.receive($0) }
    }
    return prediction.advance(to: pit.tick &+ Self.ahead)
  }

  /// The same where all drop something, or nobody does anything.
  mutating func tick(drops: [UInt16] = [], saves: Bool = false, count: Int = 1) throws -> Bool {
    try tick(by: drops, saves: saves, count: count) { _ in Self.drop }
  }

  /// Whether the page's world is what the server's will be, if nobody does anything.
  func isRight() -> Bool {
    var later = pit
    for _ in 0..<Self.ahead { later.tick(TickInputs()) }
    return later.tick == prediction.pit.tick && later.stateHash() == prediction.pit.stateHash()
  }

  static let drop = Command.drop(kind: 3, x: 1200, y: 300)
}
