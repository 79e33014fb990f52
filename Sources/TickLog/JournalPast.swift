import Simulation

/// The past as it can be shown: stretches from a snapshot to the next.
public struct JournalPast: Sendable {
  /// What a journal can show.
  public struct Extent: Equatable, Sendable {
    /// The positions of the first tick and of the last.
    public var first: UInt64
    public var last: UInt64
    /// When they were written, in milliseconds since 1970.
    public var firstTime: UInt64
    public var lastTime: UInt64
  }

  /// A snapshot, and the records up to the next one.
  public struct Stretch: Sendable {
    public var snapshot: LogSnapshot
    /// The records, one after the other; they end early where some are damaged or missing.
    public var records: [UInt8]
    /// The position of the last of them; the snapshot's if there are none.
    public var last: UInt64
    /// The position of the next stretch's snapshot; nil for the last stretch.
    public var next: UInt64?
  }

  private let journal: Journal
  /// The positions of the snapshots that this program's core can go on from, in ascending order.
  private let snapshots: [UInt64]
  /// What the world was made with.
  public let world: WorldSettings
  /// What the journal's errors name.
  public let path: String

  /// Looks at what is there. Throws `noSnapshot` for a journal in which nobody has written, and
  /// `otherCore` for one of another version.
  public init(_ journal: Journal) throws(JournalError) {
    self.journal = journal
    let origins = try journal.origins()
    guard let newest = origins.last else { throw .noSnapshot(journal.path) }
    // What another core made before, only that one can show.
    let foreign = origins.lastIndex { $0.core != CoreVersion.goldens }
    let own = foreign.map { origins.index(after: $0) } ?? origins.startIndex
    guard own < origins.endIndex else {
      throw .otherCore(journal.path, version: newest.version)
    }
    let floor = origins[own].position
    snapshots = try journal.snapshotPositions().filter { $0 >= floor }
    (world, path) = (newest.world, journal.path)
  }

  /// What can be shown: from the first snapshot that is whole to the last record that leads on from
  /// one. Throws `noSnapshot` if there is none.
  public func extent() throws(JournalError) -> Extent {
    var start: LogSnapshot?
    for position in snapshots where start == nil { start = try snapshot(at: position) }
    guard let start, let end = try stretch(holding: UInt64.max) else { throw .noSnapshot(path) }
    let last = try journal.groups(after: max(end.last, 1) - 1, limit: 1).first
    return Extent(
      first: start.position, last: end.last, firstTime: start.time,
      lastTime: max(last?.time ?? 0, end.snapshot.time))
  }

  /// The stretch with the last snapshot at a position or before it: it holds the position, unless
  /// that is missing or behind the end. Nil if there is none.
  public func stretch(holding position: UInt64) throws(JournalError) -> Stretch? {
    var index = snapshots.lastIndex { $0 <= position }
    while let place = index {
      if let snapshot = try snapshot(at: snapshots[place]) {
        return try stretch(from: snapshot, at: place)
      }
      index = place > 0 ? place - 1 : nil
    }
    return nil
  }

  private func stretch(from snapshot: LogSnapshot, at place: Int) throws(JournalError) -> Stretch {
    var stretch = Stretch(
      snapshot: snapshot, records: [], last: snapshot.position, next: nil)
    var place = place + 1
    // Past a damaged snapshot, the records before it lead on.
    while place < snapshots.count, try self.snapshot(at: snapshots[place]) == nil { place += 1 }
    stretch.next = place < snapshots.count ? snapshots[place] : nil
    let end = min(
      stretch.next ?? journal.last, snapshot.position + UInt64(RecordedStretch.mostTicks))
    var before: LogGroup?
    while stretch.last < end {
      let groups = try journal.groups(after: stretch.last, limit: LogGroup.mostRead)
      for group in groups {
        guard group.last <= end, group.follows(stretch.last, before) else { return stretch }
        stretch.records += group.records
        (stretch.last, before) = (group.last, group)
      }
      if groups.count < LogGroup.mostRead { break }
    }
    return stretch
  }

  /// The snapshot at a position, if it is whole.
  private func snapshot(at position: UInt64) throws(JournalError) -> LogSnapshot? {
    guard let snapshot = try journal.newestSnapshot(upTo: position), snapshot.isSound,
      snapshot.position == position, (try? Replica(snapshot: snapshot.bytes)) != nil
    else { return nil }
    return snapshot
  }
}
