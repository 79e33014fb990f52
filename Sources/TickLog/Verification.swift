import Dispatch
import Simulation
import Synchronization
import Wire

/// Replays the whole log and compares it with itself: every hash in the records, and the world at
/// the end of each stretch with the snapshot that was taken there.
public struct Verification: Sendable {
  /// What came of it.
  public struct Report: Sendable, Encodable {
    /// Ticks that were replayed.
    public fileprivate(set) var ticks = 0
    /// Hashes that were compared: those of the records, and those of whole snapshots.
    public fileprivate(set) var hashes = 0
    /// Stretches that led to another world, or could not be read.
    public fileprivate(set) var mismatches = 0
    /// The position at which the first of them was found.
    public fileprivate(set) var firstMismatch: UInt64?
    /// What was wrong there, in words.
    public fileprivate(set) var problems: [String] = []
    /// Ticks that were written by a program with another core, which only that one can replay.
    public fileprivate(set) var foreignTicks = 0

    fileprivate mutating func add(_ problem: String, at position: UInt64) {
      mismatches += 1
      firstMismatch = min(firstMismatch ?? position, position)
      if problems.count < 20 { problems.append(problem) }
    }
  }

  /// The ticks from one snapshot to the next.
  public struct Stretch: Sendable, Equatable {
    /// The snapshot that it begins with.
    public let start: UInt64
    /// The next snapshot; nil for the last stretch.
    public let end: UInt64?
    /// Whether the world at the end must be the next snapshot's.
    public let isJoined: Bool
    /// Whether this program can replay it.
    public let isOurs: Bool
  }

  private let journal: Journal
  private let makeReplayer: @Sendable () throws(JournalError) -> any LogReplayer
  private let replayers = ReplayerPool()

  /// - Parameter makeReplayer: makes what replays; as many as there are processors.
  public init(
    _ journal: Journal,
    makeReplayer: @escaping @Sendable () throws(JournalError) -> any LogReplayer = {
      () throws(JournalError) in NativeReplayer()
    }
  ) {
    self.journal = journal
    self.makeReplayer = makeReplayer
  }

  /// All stretches, in their order.
  public func stretches() throws(JournalError) -> [Stretch] {
    let positions = try journal.snapshotPositions()
    let origins = try journal.origins()
    return positions.indices.map { index in
      let start = positions[index]
      let end = index + 1 < positions.count ? positions[index + 1] : nil
      // Where a stretch begins with a snapshot, what was before doesn't lead there.
      let isCut = origins.contains { $0.beginning == .snapshot && $0.position == end }
      let origin = origins.last { $0.position <= start }
      return Stretch(
        start: start, end: end, isJoined: !isCut,
        isOurs: origin?.core == CoreVersion.goldens)
    }
  }

  /// Replays all stretches, each on any of the processors.
  /// - Parameter onStretch: told how many are done, on any thread.
  public func run(onStretch: @Sendable (Int) -> Void = { _ in }) throws(JournalError) -> Report {
    let stretches = try stretches()
    let report = Mutex(Report())
    let done = Atomic(0)
    let failure = Mutex<JournalError?>(nil)
    if let problem = try missing(before: stretches.first?.start) {
      report.withLock { $0.add(problem, at: 0) }
    }
    DispatchQueue.concurrentPerform(iterations: stretches.count) { index in
      guard failure.withLock({ $0 == nil }) else { return }
      do throws(JournalError) {
        let own = try replay(stretches[index])
        report.withLock { $0.merge(own) }
      } catch {
        failure.withLock { $0 = error }
      }
      onStretch(done.add(1, ordering: .relaxed).newValue)
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return report.withLock { $0 }
  }

  /// What is wrong with a log whose records begin before its first snapshot, or that has none.
  private func missing(before start: UInt64?) throws(JournalError) -> String? {
    guard let start else { return "there is no snapshot to begin with" }
    guard let first = try journal.groups(after: 0, limit: 1).first, first.last <= start else {
      return nil
    }
    return "ticks from \(first.first) on have no snapshot before them"
  }

  // MARK: One stretch

  /// Throws only where nothing can be replayed at all.
  private func replay(_ stretch: Stretch) throws(JournalError) -> Report {
    var report = Report()
    var position = stretch.start
    do throws(JournalError) {
      guard stretch.isOurs else {
        report.foreignTicks = try ticks(of: stretch)
        return report
      }
      let free = replayers.take()
      let replayer = if let free { free } else { try makeReplayer() }
      defer { replayers.giveBack(replayer) }
      guard let snapshot = try snapshot(at: stretch.start), try replayer.begin(snapshot.bytes)
      else {
        report.add("the snapshot of tick \(position) is damaged", at: position)
        return report
      }
      try follow(stretch, replayer, &position, &report)
      report.hashes += try replayer.hashesMatched()
      if report.mismatches == 0, let end = stretch.end, stretch.isJoined {
        try compare(replayer, position, with: end, &report)
      }
    } catch {
      if case .noReplayer = error { throw error }
      report.add("\(error)", at: position)
    }
    return report
  }

  private func snapshot(at position: UInt64) throws(JournalError) -> LogSnapshot? {
    guard let snapshot = try journal.newestSnapshot(upTo: position), snapshot.isSound,
      snapshot.position == position
    else { return nil }
    return snapshot
  }

  private func follow(
    _ stretch: Stretch, _ replayer: any LogReplayer, _ position: inout UInt64,
    _ report: inout Report
  ) throws(JournalError) {
    var before: LogGroup?
    while true {
      let groups = try journal.groups(after: position, limit: LogGroup.mostRead)
      for group in groups {
        if let end = stretch.end, group.first > end { return }
        guard group.follows(position, before) else {
          let isGap = group.isSound && group.first > position + 1
          let what = isGap ? "are missing" : "are damaged"
          let last = isGap ? group.first - 1 : group.last
          report.add("ticks \(position + 1) to \(last) \(what)", at: position + 1)
          return
        }
        switch try replayer.replay(group) {
        case .done: report.ticks += group.count
        case .diverged(let at):
          report.add("the world at tick \(at) is another one than was there", at: at)
          return
        case .refused(let why):
          report.add("ticks \(group.first) to \(group.last): \(why)", at: group.first)
          return
        }
        (position, before) = (group.last, group)
      }
      if groups.count < LogGroup.mostRead { return }
    }
  }

  private func compare(
    _ replayer: any LogReplayer, _ position: UInt64, with end: UInt64, _ report: inout Report
  ) throws(JournalError) {
    guard position == end else {
      return report.add("ticks \(position + 1) to \(end) are missing", at: position + 1)
    }
    // A damaged one is told by the stretch that begins with it.
    guard let next = try snapshot(at: end), let world = try? Replica(snapshot: next.bytes) else {
      return
    }
    report.hashes += 1
    guard try replayer.stateHash() != world.pit.stateHash() else { return }
    report.add("the records don't lead to the snapshot of tick \(end)", at: end)
  }

  private func ticks(of stretch: Stretch) throws(JournalError) -> Int {
    let end = stretch.end ?? journal.last
    return Int(clamping: end - min(stretch.start, end))
  }
}

extension Verification.Report {
  fileprivate mutating func merge(_ other: Self) {
    ticks += other.ticks
    hashes += other.hashes
    mismatches += other.mismatches
    foreignTicks += other.foreignTicks
    if let first = other.firstMismatch { firstMismatch = min(firstMismatch ?? first, first) }
    problems += other.problems.prefix(max(0, 20 - problems.count))
  }
}

/// Something that has a core: it begins with a snapshot and carries out records. Used by one thread
/// at a time. Each call throws where the core can't be reached any more.
public protocol LogReplayer: AnyObject, Sendable {
  /// - Returns: whether the bytes are a snapshot.
  func begin(_ snapshot: [UInt8]) throws(JournalError) -> Bool
  func replay(_ group: LogGroup) throws(JournalError) -> ReplayResult
  /// Hashes in the records since the snapshot that were the world's.
  func hashesMatched() throws(JournalError) -> Int
  /// The hash of the world now.
  func stateHash() throws(JournalError) -> UInt64
}

/// What became of a group's records.
public enum ReplayResult: Equatable, Sendable {
  case done
  /// After the tick at a position the world was not the one that was there.
  case diverged(at: UInt64)
  /// They can't be carried out, for a reason.
  case refused(String)
}

/// The core of this program.
public final class NativeReplayer: LogReplayer, @unchecked Sendable {
  private var replica: Replica?

  public init() {}

  public func begin(_ snapshot: [UInt8]) -> Bool {
    replica = try? Replica(snapshot: snapshot)
    return replica != nil
  }

  public func replay(_ group: LogGroup) -> ReplayResult {
    do throws(ReplicaError) {
      guard let count = try replica?.receive(group.records) else { return .refused("no snapshot") }
      return count == group.count ? .done : .refused("\(count) ticks instead of \(group.count)")
    } catch .diverged(let tick) {
      return .diverged(at: group.position(of: tick))
    } catch {
      return .refused("\(error)")
    }
  }

  public func hashesMatched() -> Int { replica?.hashesMatched ?? 0 }
  public func stateHash() -> UInt64 { replica?.pit.stateHash() ?? 0 }
}

/// Replayers that are free.
final class ReplayerPool: Sendable {
  private let free = Mutex<[any LogReplayer]>([])

  func take() -> (any LogReplayer)? { free.withLock { $0.popLast() } }
  func giveBack(_ replayer: any LogReplayer) { free.withLock { $0.append(replayer) } }
}
