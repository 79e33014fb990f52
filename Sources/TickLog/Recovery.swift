import Simulation
import Wire

/// The world at the end of the log, and the people that were in it.
public struct Recovery {
  /// The world, with which the log goes on.
  public let replica: Replica
  /// The position of its last tick.
  public let position: UInt64
  /// What wrote the log last.
  public let origin: LogOrigin
  /// Everybody who may come back, with the numbers of their last commands.
  public let people: [LoggedPerson]
  /// When the last tick was written, in milliseconds since 1970.
  public let time: UInt64
  /// The position of the snapshot that it began with.
  public let snapshot: UInt64
  /// What was damaged and could be done without, in words for the operator.
  public let notes: [String]
}

extension LogHome {
  /// The world at the end of the log; nil if the home is new.
  ///
  /// A snapshot that is damaged is passed over: the records behind the one before it lead as far.
  /// Damage at the very end is cut off, because that is where a disk that lost its power leaves it;
  /// both are told in `notes`. Damage that sound records follow throws `damagedMiddle`: somebody
  /// must decide about it.
  /// - Parameter cutsTail: whether damage at the end is really cut off, so that the log can go on.
  public func recover(cutsTail: Bool = true) throws(JournalError) -> Recovery? {
    let origins = try origins()
    guard let origin = origins.last else { return nil }
    guard origin.core == CoreVersion.goldens else {
      throw .otherCore(path, version: origin.version)
    }
    var notes: [String] = []
    // Nothing leads over from before a stretch that begins with a snapshot.
    let floor = origins.last { $0.beginning != .continued }?.position ?? 0
    let start = try usableSnapshot(from: floor, &notes)
    var replica = start.replica
    var (position, time) = (start.snapshot.position, start.snapshot.time)
    var commands: [UInt16: UInt32] = [:]
    var before: LogGroup?
    while true {
      let groups = try groups(after: position, limit: LogGroup.mostRead)
      for group in groups {
        guard group.follows(position, before) else {
          notes.append(try tailNote(after: position, group))
          if cutsTail { try prune(after: position) }
          return try finish(replica, position, time, origin, start.snapshot, commands, notes)
        }
        try replay(group, in: &replica, noting: &commands)
        (position, time, before) = (group.last, group.time, group)
      }
      if groups.count < LogGroup.mostRead { break }
    }
    return try finish(replica, position, time, origin, start.snapshot, commands, notes)
  }

  func usableSnapshot(
    from floor: UInt64, _ notes: inout [String]
  ) throws(JournalError) -> (replica: Replica, snapshot: LogSnapshot) {
    var position = UInt64(Int64.max)
    while let snapshot = try newestSnapshot(upTo: position), snapshot.position >= floor {
      if snapshot.isSound, let replica = try? Replica(snapshot: snapshot.bytes) {
        return (replica, snapshot)
      }
      notes.append("the snapshot of tick \(snapshot.position) is damaged and was passed over")
      guard snapshot.position > 0 else { break }
      position = snapshot.position - 1
    }
    throw .noSnapshot(path)
  }

  private func replay(
    _ group: LogGroup, in replica: inout Replica, noting commands: inout [UInt16: UInt32]
  ) throws(JournalError) {
    do throws(ReplicaError) {
      try replica.receive(group.records) { outcome in
        for command in outcome.record.commands where command.sequence != 0 {
          commands[command.person] = command.sequence
        }
      }
    } catch .diverged(let tick) {
      throw .diverged(path, position: group.position(of: tick))
    } catch {
      throw .damaged(path, what: "records of ticks \(group.first) to \(group.last): \(error)")
    }
    guard replica.pit.tick == UInt32(truncatingIfNeeded: group.last) else {
      throw .damaged(path, what: "a group of \(group.count) ticks has others")
    }
  }

  /// What to tell the operator of what can't be read at the end.
  private func tailNote(after position: UInt64, _ bad: LogGroup) throws(JournalError) -> String {
    if bad.isSound { throw .damagedMiddle(path, first: position + 1, resumes: bad.first) }
    let lost = max(bad.last, last)
    if let sound = try firstSoundGroup(after: bad.last) {
      throw .damagedMiddle(path, first: position + 1, resumes: sound.first)
    }
    return "ticks \(position + 1) to \(lost) at the end are damaged and cut off"
  }

  private func firstSoundGroup(after position: UInt64) throws(JournalError) -> LogGroup? {
    var position = position
    while true {
      let groups = try groups(after: position, limit: LogGroup.mostRead)
      if let sound = groups.first(where: \.isSound) { return sound }
      guard groups.count == LogGroup.mostRead else { return nil }
      position = groups.last!.last
    }
  }

  private func finish(
    _ replica: Replica, _ position: UInt64, _ time: UInt64, _ origin: LogOrigin,
    _ snapshot: LogSnapshot, _ commands: [UInt16: UInt32], _ notes: [String]
  ) throws(JournalError) -> Recovery {
    let people = try people().map { person in
      var person = person
      person.commands = max(person.commands, commands[person.number] ?? 0)
      return person
    }
    return Recovery(
      replica: replica, position: position, origin: origin, people: people, time: time,
      snapshot: snapshot.position, notes: notes)
  }
}

extension LogGroup {
  /// The position of one of its ticks.
  func position(of tick: UInt32) -> UInt64 {
    last - UInt64(UInt32(truncatingIfNeeded: last) &- tick)
  }
}

extension Journal {
  /// Whether this program can go on with the log: the same core wrote its end.
  public func isOurs() throws(JournalError) -> Bool {
    guard let origin = try origins().last else { return true }
    return origin.core == CoreVersion.goldens
  }

  /// Lets this program go on with a log that one with another core wrote: from its last snapshot
  /// that can be used. The ticks behind it can be replayed by the other program only, and are given
  /// up; after an orderly end there are none.
  /// - Parameters:
  ///   - version: this program's.
  ///   - now: milliseconds since 1970.
  /// - Returns: the position from which the log goes on, and how many ticks are given up.
  public func upgrade(
    version: String, at now: UInt64
  ) throws(JournalError) -> (position: UInt64, lost: UInt64) {
    guard var origin = try origins().last else { throw .missing(path) }
    var notes: [String] = []
    let floor = try origins().last { $0.beginning != .continued }?.position ?? 0
    let snapshot = try usableSnapshot(from: floor, &notes).snapshot
    let lost = last - snapshot.position
    if lost > 0 { try prune(after: snapshot.position) }
    (origin.position, origin.beginning) = (snapshot.position, .snapshot)
    (origin.time, origin.version, origin.core) = (now, version, CoreVersion.goldens)
    var entry = LogEntry()
    (entry.origin, entry.snapshot) = (origin, snapshot)
    try append(entry)
    return (snapshot.position, lost)
  }
}
