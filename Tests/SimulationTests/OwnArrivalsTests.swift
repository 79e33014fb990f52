import Testing
import Wire

@testable import Simulation

/// An own sticker that turns out to have another name is known again, in whichever order the worlds
/// and the log name it.
@Suite struct OwnArrivalsTests {
  private static let own: UInt16 = 7

  private func outcome(slot: UInt16, person: UInt16 = own) -> TickOutcome {
    var outcome = TickOutcome(tick: 1)
    outcome.arrivals = [
      TickOutcome.Arrival(person: person, sequence: 3, slot: slot, generation: 0)
    ]
    return outcome
  }

  private func renamed(_ from: UInt16, _ to: UInt16) -> OwnArrivals.Renamed {
    OwnArrivals.Renamed(
      from: StickerName(slot: from, generation: 0), to: StickerName(slot: to, generation: 0))
  }

  /// The log names it while a rollback is under way: that is the next rollback's change.
  @Test func theLogNamesItDuringARollback() {
    var arrivals = OwnArrivals()
    arrivals.take(outcome(slot: 1), of: Self.own, in: .shown)
    arrivals.beginAnew()
    arrivals.take(outcome(slot: 2), of: Self.own, in: .anew)
    arrivals.take(outcome(slot: 4), of: Self.own, in: .log)
    #expect(arrivals.takeRenamed() == [], "what is shown has the old name still")
    arrivals.endAnew()
    #expect(arrivals.takeRenamed() == [renamed(1, 2)])
    arrivals.beginAnew()
    arrivals.endAnew()
    #expect(arrivals.takeRenamed() == [renamed(2, 4)])
    arrivals.beginAnew()
    arrivals.endAnew()
    #expect(arrivals.takeRenamed() == [])
  }

  /// A rollback that begins again: what it called the sticker at first was never shown.
  @Test(arguments: [(3, [(1, 3)]), (1, [])] as [(UInt16, [(UInt16, UInt16)])])
  func aRollbackBeginsAgain(last: UInt16, expected: [(UInt16, UInt16)]) {
    var arrivals = OwnArrivals()
    arrivals.take(outcome(slot: 1), of: Self.own, in: .shown)
    arrivals.beginAnew()
    arrivals.take(outcome(slot: 2), of: Self.own, in: .anew)
    arrivals.beginAnew()
    arrivals.take(outcome(slot: last), of: Self.own, in: .anew)
    arrivals.endAnew()
    #expect(arrivals.takeRenamed() == expected.map { renamed($0.0, $0.1) })
  }

  /// What the log never brings is no sticker, and other people's are not one's own.
  @Test func whatIsNotThereHasNoName() {
    var arrivals = OwnArrivals()
    arrivals.take(outcome(slot: 1), of: Self.own, in: .shown)
    arrivals.beginAnew()
    arrivals.take(outcome(slot: 2, person: 8), of: Self.own, in: .anew)
    arrivals.endAnew()
    arrivals.beginAnew()
    arrivals.take(outcome(slot: 5), of: Self.own, in: .anew)
    arrivals.endAnew()
    #expect(arrivals.takeRenamed() == [])
  }
}
