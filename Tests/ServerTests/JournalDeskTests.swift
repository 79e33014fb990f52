import Simulation
import Testing
import TickLog
import Wire

@testable import Server

/// What the tick thread leaves is fetched as it was left, and never grows without a bound.
@Suite struct JournalDeskTests {
  /// A world that ticks, and its log.
  private struct World {
    var pit: Pit
    var coder: RecordCoder

    init() throws {
      pit = try Pit(PitConfiguration(bodies: 1, seed: 1))
      coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
    }

    mutating func record() -> [UInt8] {
      var bytes: [UInt8] = []
      coder.encode(pit.tick(TickInputs()).record, into: &bytes)
      return bytes
    }

    var saved: SavedWorld { SavedWorld(pit, coder) }
  }

  private func person(_ number: UInt16, commands: UInt32 = 0) -> LoggedPerson {
    LoggedPerson(
      number: number, token: SessionToken(low: UInt64(number), high: 1), commands: commands)
  }

  @Test func ticksAreTakenInOneGroupAndInTheirOrder() throws {
    var world = try World()
    let desk = JournalDesk(position: 0, snapshot: 0)
    var all: [UInt8] = []
    for _ in 0..<5 {
      let record = world.record()
      all += record
      desk.put(record: record, commands: [], world: nil)
    }
    #expect(desk.waitingTicks == 5)
    let batch = desk.take()
    #expect(batch.groups.map(\.first) == [1] && batch.groups.map(\.count) == [5])
    #expect(batch.groups[0].records == all)
    #expect(desk.take().groups.isEmpty && desk.waitingTicks == 0)
    desk.put(record: world.record(), commands: [], world: nil)
    #expect(desk.take().groups.map(\.first) == [6])
  }

  @Test func aSnapshotIsDueEachTenSecondsAndGroupsEndThere() throws {
    var world = try World()
    let desk = JournalDesk(position: 0, snapshot: 0)
    for tick in 1...650 {
      #expect(desk.wantsWorld == (tick == 600))
      let record = world.record()
      // One that was saved for somebody who joins is not written down.
      let isSaved = desk.wantsWorld || tick == 300
      desk.put(record: record, commands: [], world: isSaved ? world.saved : nil)
    }
    let batch = desk.take()
    #expect(batch.world?.position == 600)
    #expect(batch.groups.map(\.first) == [1, 601])
    #expect(batch.groups.map(\.count) == [600, 50])
  }

  @Test func whatADiskDoesNotTakeForHoursIsGivenUpUpToAWorld() throws {
    var world = try World()
    let desk = JournalDesk(position: 0, snapshot: 0)
    let large = [UInt8](repeating: 0, count: 1 << 20)
    for _ in 0..<20 { desk.put(record: large, commands: [], world: nil) }
    #expect(desk.wantsWorld)
    #expect(desk.take().lostTicks == 20)
    for _ in 0..<20 { _ = world.record() }
    let record = world.record()
    desk.put(record: record, commands: [], world: world.saved)
    #expect(!desk.wantsWorld)
    desk.put(record: world.record(), commands: [], world: nil)
    let batch = desk.take()
    #expect(batch.origin == 21 && batch.world?.position == 21 && batch.lostTicks == 1)
    #expect(batch.groups.map(\.first) == [22])
  }

  /// The disk takes nothing for as long as it takes to fill the desk, and then longer.
  @Test func theWorldThatTheLogGoesOnWithIsKeptUntilItIsTaken() throws {
    var world = try World()
    let desk = JournalDesk(position: 0, snapshot: 0)
    let large = [UInt8](repeating: 0, count: 1 << 20)
    for _ in 0..<20 { desk.put(record: large, commands: [], world: nil) }
    #expect(desk.lostTicks == 20)
    for _ in 0..<20 { _ = world.record() }
    for _ in 0..<1300 {
      let record = world.record()
      desk.put(record: record, commands: [], world: desk.wantsWorld ? world.saved : nil)
    }
    let batch = desk.take()
    #expect(batch.origin == 21 && batch.world?.position == 21)
    #expect(batch.groups.first?.first == 22 && batch.groups.last?.last == 1320)
  }

  @Test func aSecondCutOffForgetsTheFirst() throws {
    var world = try World()
    let desk = JournalDesk(position: 0, snapshot: 0)
    let large = [UInt8](repeating: 0, count: 1 << 20)
    for _ in 0..<20 { desk.put(record: large, commands: [], world: nil) }
    for _ in 0..<20 { _ = world.record() }
    desk.put(record: world.record(), commands: [], world: world.saved)
    for _ in 0..<20 { desk.put(record: large, commands: [], world: nil) }
    let batch = desk.take()
    #expect(batch.origin == nil && batch.world == nil && batch.groups.isEmpty)
    #expect(batch.lostTicks == 41)
  }

  @Test func peopleAreWrittenWhenTheyComeAndGoAndTheirCommandsWithSnapshots() throws {
    var world = try World()
    let desk = JournalDesk(position: 0, snapshot: 0)
    desk.arrived(person(3))
    desk.arrived(person(4))
    #expect(desk.take().people == [person(3), person(4)])
    let command = StampedCommand(person: 3, sequence: 9, command: .say(keyword: 1))
    let own = StampedCommand(person: 4, sequence: 0, command: .leave)
    for tick in 1...600 {
      let record = world.record()
      if tick == 5 {
        desk.put(record: record, commands: [command, own], world: nil)
      } else {
        desk.put(record: record, commands: [], world: tick == 600 ? world.saved : nil)
      }
      if tick < 600 { #expect(desk.take().people.isEmpty) }
    }
    #expect(desk.take().people == [person(3, commands: 9)])
    var gone = person(3, commands: 12)
    gone.leftAt = 5
    desk.left(gone)
    desk.arrived(person(3, commands: 12))
    #expect(desk.take().people == [person(3, commands: 12)])
    desk.left(gone)
    #expect(desk.take().people == [gone])
  }
}
