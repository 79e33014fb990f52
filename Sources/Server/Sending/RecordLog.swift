import DequeModule
import Transport
import Wire

/// The records of the last half minute, for those who follow the log: who skipped some, or comes
/// back, gets all of them in one message, and everybody who needs the same gets the same bytes.
struct RecordLog {
  /// About what a snapshot of a thousand bodies takes: with more to catch up on, that is shorter.
  private static let mostBytes = 1 << 18

  private var records: Deque<[UInt8]> = []
  private var byteCount = 0
  /// The tick of the last record.
  private var tick: UInt32 = 0
  /// Messages made in this tick that end with it, by how many records they hold.
  private var frames: [Int: OutgoingFrame] = [:]

  /// Takes the record of the next tick. Of any other tick it means that some are lost, so that
  /// nobody can be led on from before.
  mutating func append(_ record: [UInt8], tick: UInt32) {
    if tick != self.tick.nextTick { removeAll() }
    self.tick = tick
    records.append(record)
    byteCount += record.count
    while records.count > TickRecord.mostInMessage || byteCount > Self.mostBytes {
      byteCount -= records.removeFirst().count
    }
    if !frames.isEmpty { frames.removeAll(keepingCapacity: true) }
  }

  /// Forgets everything.
  mutating func removeAll() {
    records.removeAll()
    byteCount = 0
    if !frames.isEmpty { frames.removeAll() }
  }

  /// All records after a tick, in one message; nil if they are not all here, or if there are none.
  mutating func frame(after tick: UInt32) -> OutgoingFrame? {
    let missing = self.tick.ticks(since: tick)
    guard missing > 0, missing <= records.count else { return nil }
    if let frame = frames[missing] { return frame }
    let frame = OutgoingFrame(copying: records.suffix(missing).flatMap { $0 })
    frames[missing] = frame
    return frame
  }

  /// The records after a tick, through another one that is not after the last.
  mutating func frame(after tick: UInt32, through end: UInt32) -> OutgoingFrame? {
    let left = self.tick.ticks(since: end)
    assert(left >= 0)
    guard left > 0 else { return frame(after: tick) }
    let missing = self.tick.ticks(since: tick)
    guard missing > left, missing <= records.count else { return nil }
    return OutgoingFrame(copying: records.suffix(missing).dropLast(left).flatMap { $0 })
  }

  /// Bytes of all records after a tick that the log reaches back to.
  func byteCount(after tick: UInt32) -> Int {
    assert(reaches(back: tick))
    return records.suffix(self.tick.ticks(since: tick)).reduce(0) { $0 + $1.count }
  }

  /// Whether somebody with the world after a tick can be led on.
  func reaches(back tick: UInt32) -> Bool {
    let missing = self.tick.ticks(since: tick)
    return missing >= 0 && missing <= records.count
  }
}
