import Simulation
import Transport
import Wire

/// The tick thread's side of the log: encodes each tick once, and keeps a snapshot for those who
/// join.
struct RecordWriter {
  /// Ticks from one snapshot to the next at least: whoever joins waits for half a second at most,
  /// and a crowd that joins costs the tick thread no more than one save in that time, which takes
  /// about five microseconds a body to be packed.
  private static let snapshotInterval: UInt32 = 30

  private var coder: RecordCoder
  private var lastSnapshot: UInt32?
  private var bytes: [UInt8] = []

  /// - Parameter pit: the world before the first record.
  init(_ pit: Pit) {
    coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
  }

  /// Whether a snapshot is made after this tick, if somebody wants one.
  func isSnapshotDue(at tick: UInt32) -> Bool {
    lastSnapshot.map { tick &- $0 >= Self.snapshotInterval } ?? true
  }

  /// Encodes what a tick depended on.
  /// - Parameter tilting: how many people's tilts count.
  mutating func write(_ record: TickRecord, tilting: Int, into publication: Publication) {
    var record = record
    let tilting = UInt16(clamping: tilting)
    if tilting != coder.tilting { record.tilting = tilting }
    publication.record.removeAll(keepingCapacity: true)
    publication.hasSnapshot = false
    coder.encode(record, into: &publication.record)
  }

  /// Keeps the world after the tick that was written last.
  mutating func snapshot(_ pit: Pit, into publication: Publication) {
    assert(coder.tick == pit.tick)
    lastSnapshot = pit.tick
    Replica.snapshot(of: pit, coder, into: &bytes)
    publication.snapshot.replace(with: [ServerMessageType.snapshot.rawValue] + bytes)
    publication.hasSnapshot = true
  }
}
