import Wire

/// A stretch of the past: a world, and the records of the ticks after it.
public struct RecordedStretch: Sendable {
  /// The world that it begins with.
  let start: Replica
  /// The records, one after the other.
  private(set) var records: [UInt8] = []
  /// The last tick whose record is there.
  public private(set) var last: UInt32

  /// The tick of the world that it begins with.
  public var first: UInt32 { start.pit.tick }

  /// How many ticks there are after the first.
  public var count: Int { last.ticks(since: first) }

  /// Most ticks of a stretch: ten minutes, sixty times as long as from one snapshot of a journal
  /// to the next.
  public static let mostTicks = 36_000

  /// Begins one that will be led on.
  init(_ start: Replica) {
    var start = start
    // What is played again was seen and heard when it happened.
    start.noteEffects(false)
    self.start = start
    last = start.pit.tick
  }

  /// Takes a stretch as a journal has it.
  ///
  /// - Parameters:
  ///   - snapshot: a world, see `Replica.init(snapshot:)`.
  ///   - records: whole records, those that follow on it.
  /// - Throws: `malformedSnapshot` or `malformedRecord` for bytes that are none, and
  ///   `tooManyRecords` for more than `mostTicks`.
  public init(snapshot: [UInt8], records: [UInt8]) throws(ReplicaError) {
    start = try Replica(snapshot: snapshot)
    var coder = start.coder
    let result: Result<Void, ReplicaError> = records.withUnsafeBytes { bytes in
      var (offset, count) = (0, 0)
      while offset < bytes.count {
        guard count < Self.mostTicks else { return .failure(.tooManyRecords) }
        do throws(WireError) { _ = try coder.decode(bytes, at: &offset) } catch {
          return .failure(.malformedRecord(error))
        }
        count += 1
      }
      return .success(())
    }
    try result.get()
    self.records = records
    last = coder.tick
    assert(count >= 0 && count <= Self.mostTicks)
  }

  /// Whether a tick is in it.
  func holds(_ tick: UInt32) -> Bool {
    tick.ticks(since: first) >= 0 && last.ticks(since: tick) >= 0
  }

  /// Takes the records that lead on to a tick.
  mutating func append(_ records: UnsafeRawBufferPointer, through tick: UInt32) {
    assert(tick.ticks(since: last) > 0)
    self.records.append(contentsOf: records)
    last = tick
  }

  /// Gives up what is behind a tick.
  mutating func cut(after tick: UInt32) {
    assert(holds(tick))
    last = tick
  }
}

/// The last minute of what a page followed, so that it can be seen again.
public struct Recording: Sendable {
  /// In their order; each begins where the one before ends.
  public private(set) var stretches: [RecordedStretch] = []

  /// Ticks after which a new stretch begins: ten seconds, as in a journal.
  private static let stretchTicks = 600
  /// Stretches that are kept: a minute at least.
  private static let mostStretches = 7
  /// Bytes after which a new stretch begins all the same: a crowd of a hundred makes a fifth of it
  /// in ten seconds.
  private static let stretchBytes = 1 << 18

  public init() {}

  /// How many ticks there are after the first.
  public var count: Int {
    guard let first = stretches.first, let last = stretches.last else { return 0 }
    return last.last.ticks(since: first.first)
  }

  /// Goes on with a world; what was before is kept if it leads there.
  public mutating func begin(_ replica: Replica) {
    if let last = stretches.last, last.last == replica.pit.tick { return }
    stretches.removeAll()
    stretches.append(RecordedStretch(replica))
  }

  /// Takes records in.
  /// - Parameters:
  ///   - records: whole records, those that follow on what is there.
  ///   - replica: the world that they led to.
  public mutating func append(_ records: UnsafeRawBufferPointer, leadingTo replica: Replica) {
    guard let last = stretches.indices.last, replica.pit.tick != stretches[last].last else {
      return
    }
    stretches[last].append(records, through: replica.pit.tick)
    let isLong = stretches[last].count >= Self.stretchTicks
    guard isLong || stretches[last].records.count >= Self.stretchBytes else { return }
    if stretches.count == Self.mostStretches { stretches.removeFirst() }
    stretches.append(RecordedStretch(replica))
    assert(stretches.count <= Self.mostStretches)
  }

  /// Forgets everything.
  public mutating func removeAll() { stretches.removeAll() }
}
