import Testing
import Wire

@testable import Simulation

/// The listing of the documentation's overview, so that it compiles and does what it says.
@Suite struct OverviewTests {
  @Test func theListingMakesItRain() throws {
    var pit = try Pit(PitConfiguration(scene: .rain, seed: 7))
    let cake = StampedCommand(person: 1, sequence: 0, command: .say(keyword: Sticker.cake))
    let record = pit.tick(TickInputs(commands: [cake]))
    #expect(record.events == [.rainBegan(keyword: Sticker.cake, person: 1)])
    #expect(pit.bodyCount == 1)
  }
}
