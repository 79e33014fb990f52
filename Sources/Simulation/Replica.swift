import Wire

/// The world of somebody who follows the log: it begins with a snapshot and does what the records
/// say, so it is the server's world bit for bit, some ticks later. Hashes in the records prove it.
///
///     var replica = try Replica(snapshot: bytes)
///     try replica.receive(records) { outcome in … }
///     replica.pit.bodies(into: &bodies)
public struct Replica: Sendable {
  /// The world after the last record.
  public private(set) var pit: Pit
  /// Hashes that were compared and equal.
  public private(set) var hashesMatched = 0
  /// Whether the world is another one than the server's. It goes on all the same, so that there is
  /// something to show until a snapshot comes.
  public private(set) var hasDiverged = false
  /// How many people's tilts the gravity is made of.
  public var tilting: UInt16 { coder.tilting }
  /// Whose tilts those are.
  public var tiltRule: TiltRule { coder.tiltRule }
  /// The coder of the log's records after the last one: whoever writes the log goes on with it.
  public private(set) var coder: RecordCoder
  /// The last record and what became of it, of which the memory serves each tick.
  private var record: TickRecord
  private var outcome: TickOutcome
  /// The effects of its ticks; nil where nobody wants to know.
  private var effects: TickEffects?

  /// Becomes the world of a snapshot: a coder, then a packed pit. Throws
  /// `malformedRecord` or `malformedSnapshot` for anything else.
  public init(snapshot: [UInt8]) throws(ReplicaError) {
    do throws(WireError) {
      coder = try RecordCoder(from: snapshot)
    } catch {
      throw .malformedRecord(error)
    }
    let world: [UInt8]
    do throws(WireError) {
      world = try Packing.unpack(snapshot, from: RecordCoder.savedBytes)
    } catch {
      throw .malformedSnapshot
    }
    do throws(PitError) { pit = try Pit.restore(from: world) } catch { throw .malformedSnapshot }
    (record, outcome) = (TickRecord(tick: pit.tick), TickOutcome(tick: pit.tick))
    guard pit.tick == coder.tick else { throw .malformedSnapshot }
  }

  /// Goes on with a world that a log leads on: the coder must be the log's after the same tick.
  public init(_ pit: Pit, _ coder: RecordCoder) {
    assert(pit.tick == coder.tick)
    self.pit = pit
    self.coder = coder
    (record, outcome) = (TickRecord(tick: pit.tick), TickOutcome(tick: pit.tick))
  }

  /// Carries out a run of records.
  ///
  /// - Parameters:
  ///   - bytes: whole records, those that follow on the last one.
  ///   - onTick: is told what became of each tick.
  /// - Returns: how many there were.
  /// - Throws: `malformedRecord` for bytes that are none, `unlikelyRecord` for one that no server
  ///   gives, `tooManyRecords` behind the last that a message may hold: what came before is carried
  ///   out, and the replica can't go on. `diverged`, once, when the world is another one than the
  ///   server's: everything is carried out. After any of them it must begin anew with a snapshot.
  @discardableResult
  public mutating func receive(
    _ bytes: UnsafeRawBufferPointer, onTick: (TickOutcome) -> Void = { _ in }
  ) throws(ReplicaError) -> Int {
    var (offset, count) = (0, 0)
    let wasEqual = !hasDiverged
    var diverged: UInt32?
    while offset < bytes.count {
      guard count < TickRecord.mostInMessage else { throw .tooManyRecords }
      try carryOutNext(bytes, at: &offset)
      onTick(outcome)
      if wasEqual, hasDiverged, diverged == nil { diverged = pit.tick }
      count += 1
    }
    if let diverged { throw .diverged(tick: diverged) }
    return count
  }

  /// `receive` for an array.
  @discardableResult
  public mutating func receive(
    _ bytes: [UInt8], onTick: (TickOutcome) -> Void = { _ in }
  ) throws(ReplicaError) -> Int {
    let result: Result<Int, ReplicaError> = bytes.withUnsafeBytes { raw in
      do throws(ReplicaError) {
        return .success(try receive(raw, onTick: onTick))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Carries one record of a run out: the one at `offset`, which moves on behind it. Throws
  /// `malformedRecord` or `unlikelyRecord`; whether the world is the server's, `hasDiverged` tells.
  mutating func receiveNext(
    _ bytes: UnsafeRawBufferPointer, at offset: inout Int
  ) throws(ReplicaError) -> TickOutcome {
    try carryOutNext(bytes, at: &offset)
    return outcome
  }

  private mutating func carryOutNext(
    _ bytes: UnsafeRawBufferPointer, at offset: inout Int
  ) throws(ReplicaError) {
    do throws(WireError) { try coder.decode(bytes, at: &offset, into: &record) } catch {
      throw .malformedRecord(error)
    }
    try apply()
  }

  /// Notes the effects of the ticks from here on, or no longer.
  mutating func noteEffects(_ wanted: Bool) { effects = wanted ? TickEffects() : nil }

  /// Moves the effects that were noted to `taken`, in place of what was there; see
  /// `TickEffects.take`.
  mutating func takeEffects(into taken: inout [TickEffect], unseen: TickEffects.Unseen? = nil) {
    if effects == nil { taken.removeAll() } else { effects!.take(into: &taken, unseen: unseen) }
  }

  /// The one place where a record becomes a tick.
  private mutating func apply() throws(ReplicaError) {
    guard record.isOrdered else { throw .unlikelyRecord(tick: record.tick) }
    pit.tick(TickInputs(record), into: &outcome)
    effects?.note(outcome, in: pit)
    // Only the log knows how many tilt, to the world they are one gravity; and what will be.
    outcome.record.tilting = record.tilting
    outcome.record.tiltRule = record.tiltRule
    outcome.record.dropNotice = record.dropNotice
    assert(outcome.record.tick == record.tick, "the coder counts as the pit does")
    if outcome.record.gravity != record.gravity || outcome.record.stateHash != record.stateHash {
      hasDiverged = true
    }
    if record.stateHash != nil, !hasDiverged { hashesMatched += 1 }
  }
}

/// Why a replica can't go on: it needs a snapshot.
public enum ReplicaError: Error, Equatable, Sendable {
  case malformedSnapshot
  case malformedRecord(WireError)
  /// The record's commands are in no order that a server gives.
  case unlikelyRecord(tick: UInt32)
  /// More than `TickRecord.mostInMessage` in one message.
  case tooManyRecords
  /// After this tick the world is not the server's.
  case diverged(tick: UInt32)
}

extension TickRecord {
  /// Whether the commands ascend by (person, sequence).
  fileprivate var isOrdered: Bool {
    for index in commands.indices.dropFirst()
    where !commands[index - 1].precedes(commands[index]) { return false }
    return true
  }
}

/// A world as it was after a tick, to begin a `Replica` with. Saving takes a small part of the
/// time that packing does (12 µs in memory that is there, and 5 ms, at a thousand stickers), so the
/// thread that ticks saves it, and another one packs it.
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
