import Simulation

/// The past: what this page followed in the last minute, or what a journal holds.
extension Page {
  /// Shows what was recorded up to now.
  /// - Returns: how many ticks there are after the first; 0 if there is nothing to show.
  func enterPast() -> Int32 {
    guard recording.count > 0, alone == nil else { return 0 }
    past = RecordedPlayback(recording.stretches)
    return Int32(recording.count)
  }

  /// Takes a stretch of a journal from `stretch`: a snapshot of so many bytes, then records.
  /// - Returns: how many ticks it has after its first, −1 for bytes that are none.
  func takePast(snapshot: Int, records: Int) -> Int32 {
    let bytes = UnsafeRawBufferPointer(stretch.bytes)
    guard snapshot >= 0, records >= 0, snapshot + records <= bytes.count else { return -1 }
    do throws(ReplicaError) {
      let taken = try RecordedStretch(
        snapshot: Array(bytes[..<snapshot]),
        records: Array(bytes[snapshot..<(snapshot + records)]))
      if past == nil { past = RecordedPlayback() }
      past!.add(taken)
      return Int32(taken.count)
    } catch {
      return -1
    }
  }

  /// Samples the past between a tick and the next into `drawing`.
  /// - Returns: the number of instances, −1 if the tick was not reached.
  func samplePast(_ tick: UInt32, share: Float) -> Int32 {
    guard past?.sample(tick, share: share, into: &instances) == true else { return -1 }
    return writeSample()
  }
}
