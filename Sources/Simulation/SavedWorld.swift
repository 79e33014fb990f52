import Wire

/// A world as it was after a tick, to begin a `Replica` with. Saving takes a hundredth of the time
/// that packing does (50 µs and 5 ms at a thousand stickers), so the thread that ticks saves it,
/// and another one packs it.
///
///     let saved = SavedWorld(pit, coder)
///     let snapshot = saved.packed()  // wherever there is time
///     let replica = try Replica(snapshot: snapshot)
public struct SavedWorld: Sendable {
  /// The tick after which the world was so.
  public let tick: UInt32
  private var coder: [UInt8] = []
  private var pit: [UInt8] = []

  /// - Parameters:
  ///   - pit: the world after a tick.
  ///   - coder: the coder of the log's records after the same tick.
  public init(_ pit: borrowing Pit, _ coder: RecordCoder) {
    assert(pit.tick == coder.tick)
    tick = pit.tick
    coder.save(into: &self.coder)
    pit.save(into: &self.pit)
    assert(self.coder.count == RecordCoder.savedBytes && self.pit.count <= Packing.mostBytes)
  }

  /// The snapshot, behind `start`: the coder, then the pit without what can be foretold of it.
  public func packed(behind start: [UInt8] = []) -> [UInt8] {
    var bytes = start
    bytes.append(contentsOf: coder)
    Packing.pack(pit, into: &bytes)
    return bytes
  }
}
