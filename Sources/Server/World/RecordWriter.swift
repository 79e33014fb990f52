import Simulation
import Wire

extension HostAct {
  /// Whether it begins another world.
  var isBegin: Bool { if case .begin = self { true } else { false } }
}

/// The tick thread's side of the log: encodes each tick once, and saves the world for those who
/// join.
struct RecordWriter {
  /// Ticks from one saved world to the next at least: whoever joins waits for half a second at
  /// most, and a crowd that joins costs the tick thread no more than one save in that time.
  private static let saveInterval = 30
  /// Ticks from the record that says that the world will be saved to the tick in which it is: one
  /// more than pages predict as a rule (`PredictionBudget`), so that they drop the caches of their
  /// predicted worlds in the same tick, and nothing has to be made anew for who joins.
  private static let notice: UInt8 = 9

  private var coder: RecordCoder
  /// Where a record is encoded before its bytes are copied for those who keep it.
  private var scratch: [UInt8] = []
  private var lastSaved: UInt32?
  /// The tick after which the world is saved next, once that was said.
  private var nextSave: UInt32?

  /// - Parameter coder: the log's before the first record.
  init(_ coder: RecordCoder) {
    self.coder = coder
  }

  /// Whether the world is saved after this tick.
  /// - Parameters:
  ///   - isWanted: whether somebody wants a saved world.
  ///   - isFollowed: whether somebody has the world and follows the log, who is told before.
  mutating func saves(after tick: UInt32, isWanted: Bool, isFollowed: Bool) -> Bool {
    if let nextSave { return nextSave == tick }
    guard isWanted else { return false }
    let next = isFollowed ? tick &+ UInt32(Self.notice) : tick
    let isDue = lastSaved.map { next.ticks(since: $0) >= Self.saveInterval } ?? true
    if isDue { nextSave = next }
    return nextSave == tick
  }

  /// Whether acts begin another world, which is saved at once: nobody has it.
  static func begins(_ acts: [HostAct]) -> Bool { acts.contains(where: \.isBegin) }

  /// Encodes what a tick depended on.
  /// - Parameter tilt: what the tick's gravity came from.
  mutating func write(_ record: TickRecord, tilt: TiltBlend, into publication: Publication) {
    var record = record
    let tilting = UInt16(clamping: tilt.count)
    if tilting != coder.tilting { record.tilting = tilting }
    if tilt.rule != coder.tiltRule { record.tiltRule = tilt.rule }
    if nextSave == record.tick &+ UInt32(Self.notice) { record.dropNotice = Self.notice }
    scratch.removeAll(keepingCapacity: true)
    coder.encode(record, into: &scratch)
    // Half a minute of records is kept, by the journal longer: each in as much memory as it needs.
    // Arrays that are emptied and filled again would all have room for the longest one ever.
    publication.record = scratch.withUnsafeBufferPointer { Array($0) }
    publication.world = nil
  }

  /// Keeps the world after the tick that was written last.
  mutating func save(_ pit: Pit, into publication: Publication) {
    assert(coder.tick == pit.tick)
    (lastSaved, nextSave) = (pit.tick, nil)
    publication.world = saved(pit)
  }

  /// The world after the tick that was written last.
  func saved(_ pit: Pit) -> SavedWorld { SavedWorld(pit, coder) }
}

/// The world that a server begins with, and the log's coder before the first record.
struct WorldStart {
  let pit: Pit
  let coder: RecordCoder

  /// A new world.
  /// - Parameter tick: ticks before the first one.
  init(_ configuration: PitConfiguration, tick: UInt32 = 0) throws(PitError) {
    pit = try Pit(configuration, tick: tick)
    coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
  }

  /// One that is gone on with.
  init(_ replica: Replica) {
    pit = replica.pit
    coder = replica.coder
  }
}
