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
    /// What the world was made with.
    public var world: WorldSettings
  }

  /// A snapshot, and the records up to the next one.
  public struct Stretch: Sendable {
    public var snapshot: LogSnapshot
    /// The records, one after the other; they end early where some are damaged or missing.
    public var records: [UInt8]
    /// The position of the next stretch's snapshot; nil for the last stretch.
    public var next: UInt64?
  }

  private let journal: Journal
  /// The positions of the snapshots that this program's core can go on from, in ascending order.
  private let snapshots: [UInt64]
  public let extent: Extent

  /// Looks at what is there. Throws `noSnapshot` for a journal with nothing to show, and
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
    guard let first = snapshots.first, let start = try journal.newestSnapshot(upTo: first) else {
      throw .noSnapshot(journal.path)
    }
    let end = try journal.groups(after: max(journal.last, 1) - 1, limit: 1).first
    extent = Extent(
      first: first, last: max(journal.last, first), firstTime: start.time,
      lastTime: max(end?.time ?? start.time, start.time), world: newest.world)
  }

  /// The stretch that holds a position, or the next one after it where that is missing; nil if it
  /// is before the first or behind the last, or nothing before it can be read.
  public func stretch(holding position: UInt64) throws(JournalError) -> Stretch? {
    guard (extent.first...extent.last).contains(position) else { return nil }
    var index = snapshots.lastIndex { $0 <= position }
    while let place = index {
      let found = try journal.newestSnapshot(upTo: snapshots[place])
      if let snapshot = found, snapshot.position == snapshots[place], isWhole(snapshot) {
        return try stretch(from: snapshot, at: place)
      }
      index = place > 0 ? place - 1 : nil
    }
    return nil
  }

  private func stretch(from snapshot: LogSnapshot, at place: Int) throws(JournalError) -> Stretch {
    var stretch = Stretch(snapshot: snapshot, records: [], next: nil)
    var place = place + 1
    // Past a damaged snapshot, the records before it lead on.
    while place < snapshots.count {
      let next = try journal.newestSnapshot(upTo: snapshots[place])
      if let next, next.position == snapshots[place], isWhole(next) { break }
      place += 1
    }
    stretch.next = place < snapshots.count ? snapshots[place] : nil
    let end = min(
      stretch.next ?? extent.last, snapshot.position + UInt64(RecordedStretch.mostTicks))
    var before: LogGroup?
    var position = snapshot.position
    while position < end {
      let groups = try journal.groups(after: position, limit: Journal.page)
      for group in groups {
        guard group.last <= end, group.follows(position, before) else { return stretch }
        stretch.records += group.records
        (position, before) = (group.last, group)
      }
      if groups.count < Journal.page { break }
    }
    return stretch
  }

  private func isWhole(_ snapshot: LogSnapshot) -> Bool {
    snapshot.isSound && (try? Replica(snapshot: snapshot.bytes)) != nil
  }
}
