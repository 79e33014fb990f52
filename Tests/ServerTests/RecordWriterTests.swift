import Simulation
import Testing
import Wire

@testable import Server

@Suite struct RecordWriterTests {
  /// A server keeps half a minute of records. One tick in which a crowd acted must not make all
  /// that follow as large as itself: that would be megabytes, and look like a leak.
  @Test func everyRecordIsKeptInAsMuchMemoryAsItNeeds() throws {
    let pit = try Pit(PitConfiguration(bodies: 0, seed: 1))
    var writer = RecordWriter(RecordCoder(tick: pit.tick, gravity: pit.gravity))
    let publication = Publication()
    var kept: [[UInt8]] = []
    for tick in 1...100 {
      var record = TickRecord(tick: UInt32(tick))
      if tick == 5 {
        record.commands = (1...200).map {
          StampedCommand(person: $0, sequence: 1, command: .drop(kind: 3, x: 1200, y: 300))
        }
      }
      writer.write(record, tilt: TiltBlend(), into: publication)
      kept.append(publication.record)
    }
    #expect(kept[4].count > 1000)
    #expect(kept.dropFirst(5).allSatisfy { $0.count < 16 && $0.capacity < 64 })
  }
}
