import Simulation
import Synchronization
import TickLog
import Transport
import Wire

/// Where the tick thread and the network threads put what is to be written down, and the
/// journal's thread fetches it. Nobody waits here for a disk.
final class JournalDesk: Sendable {
  /// Ticks from one snapshot to the next: ten seconds, which is as far as a restart replays.
  static let snapshotTicks: UInt64 = 600
  /// Bytes of records that wait for the disk at most: as much as a hundred people make in some
  /// hours, and little beside what the rest of the server needs.
  static let mostBytes = 16 << 20

  /// What was left since the last time.
  struct Batch: Sendable {
    var origin: UInt64?
    var groups: [Group] = []
    /// The world after a tick, not packed yet.
    var world: (position: UInt64, saved: SavedWorld)?
    var people: [LoggedPerson] = []
    /// Ticks that were given up because too much waited.
    var lostTicks = 0

    /// Whether there is nothing to write.
    var isEmpty: Bool { origin == nil && groups.isEmpty && world == nil && people.isEmpty }

    var tickCount: Int { groups.reduce(0) { $0 + $1.count } }
  }

  /// Ticks in a row.
  struct Group: Sendable {
    var first: UInt64
    var count: Int
    /// When the first tick was left, in milliseconds since 1970.
    var time: UInt64
    var records: [UInt8]

    var last: UInt64 { first + UInt64(count) - 1 }
  }

  fileprivate struct State {
    var waiting = Batch()
    var byteCount = 0
    /// The position of the last tick that was left here.
    var position: UInt64
    /// The position of the last snapshot.
    var snapshot: UInt64
    /// Records are given up until there is a world to go on with.
    var isCutOff = false
    /// Who is here.
    var roster: [UInt16: LoggedPerson] = [:]
    /// People of whom there is something new to write.
    var changed: Set<UInt16> = []
    /// People of whom only the number of commands is new. It is written with the next snapshot; how
    /// it goes on from there can be counted in the records behind that.
    var counted: Set<UInt16> = []
    /// Who left, by number: only the last to have one is remembered, so there are 65 535 at most.
    var left: [UInt16: LoggedPerson] = [:]
  }

  private let state: Mutex<State>
  private let wallClock: @Sendable () -> UInt64

  /// - Parameters:
  ///   - position: of the last tick that the journal has.
  ///   - snapshot: of its last snapshot.
  ///   - wallClock: milliseconds since 1970.
  init(
    position: UInt64, snapshot: UInt64,
    wallClock: @escaping @Sendable () -> UInt64 = WallClock.milliseconds
  ) {
    state = Mutex(State(position: position, snapshot: snapshot))
    self.wallClock = wallClock
  }

  // MARK: The tick thread's side

  /// Whether the world is to be saved after the next tick.
  var wantsWorld: Bool { state.withLock { $0.isSnapshotDue(at: $0.position + 1) } }

  /// Takes the record of the next tick, and the world after it if it was saved. It may have been
  /// for people who join, which can be twice a second: then it is not written down.
  func put(record: [UInt8], commands: [StampedCommand], world: SavedWorld?) {
    let now = wallClock()
    state.withLock { state in
      state.position += 1
      state.count(commands)
      state.add(record, at: now)
      guard let world, state.isSnapshotDue(at: state.position) else { return }
      assert(world.tick == UInt32(truncatingIfNeeded: state.position))
      state.add(world)
    }
  }

  /// Takes the world after the last tick.
  func put(world: SavedWorld) {
    state.withLock { state in
      assert(world.tick == UInt32(truncatingIfNeeded: state.position))
      state.add(world)
    }
  }

  // MARK: The network threads' side

  /// Somebody is here.
  func arrived(_ person: LoggedPerson) {
    state.withLock {
      $0.roster[person.number] = person
      $0.changed.insert(person.number)
    }
  }

  /// Somebody left at a time, in milliseconds since 1970.
  func left(_ person: LoggedPerson) {
    state.withLock {
      $0.roster[person.number] = nil
      $0.changed.remove(person.number)
      $0.counted.remove(person.number)
      $0.left[person.number] = person
    }
  }

  // MARK: The journal's side

  /// Takes everything.
  func take() -> Batch {
    state.withLock { state in
      var batch = state.waiting
      state.waiting = Batch()
      state.byteCount = 0
      if batch.world != nil {
        state.changed.formUnion(state.counted)
        state.counted.removeAll(keepingCapacity: true)
      }
      // Whoever left and came back as the same number is written as who is here.
      let left = state.left.values.filter { state.roster[$0.number] == nil }
      batch.people =
        left.sorted { $0.number < $1.number }
        + state.changed.sorted().compactMap { state.roster[$0] }
      state.left.removeAll(keepingCapacity: true)
      state.changed.removeAll(keepingCapacity: true)
      return batch
    }
  }

  /// Ticks that wait, and those that were given up since the last time.
  var waitingTicks: Int { state.withLock { $0.waiting.tickCount } }
  var lostTicks: Int { state.withLock { $0.waiting.lostTicks } }

  /// Whether nothing waits.
  var isEmpty: Bool {
    state.withLock { $0.waiting.isEmpty && $0.left.isEmpty && $0.changed.isEmpty }
  }
}

extension JournalDesk.State {
  fileprivate func isSnapshotDue(at position: UInt64) -> Bool {
    isCutOff || position - snapshot >= JournalDesk.snapshotTicks
  }

  fileprivate mutating func count(_ commands: [StampedCommand]) {
    for command in commands where command.sequence != 0 {
      guard roster[command.person] != nil else { continue }
      roster[command.person]!.commands = command.sequence
      counted.insert(command.person)
    }
  }

  fileprivate mutating func add(_ record: [UInt8], at time: UInt64) {
    guard !isCutOff, byteCount + record.count <= JournalDesk.mostBytes else { return cutOff() }
    byteCount += record.count
    // A group ends where a snapshot stands, so that what follows on it can be told apart.
    guard let last = waiting.groups.indices.last, waiting.groups[last].count < LogGroup.mostTicks,
      snapshot != position - 1
    else {
      waiting.groups.append(.init(first: position, count: 1, time: time, records: record))
      return
    }
    waiting.groups[last].records.append(contentsOf: record)
    waiting.groups[last].count += 1
  }

  /// Gives up what waits: the log goes on with the next world that is saved.
  private mutating func cutOff() {
    waiting.lostTicks += waiting.tickCount + 1
    waiting.groups.removeAll()
    (waiting.origin, waiting.world) = (nil, nil)
    byteCount = 0
    isCutOff = true
  }

  fileprivate mutating func add(_ world: SavedWorld) {
    snapshot = position
    // The log goes on with the world that it was cut off for: no later one may take its place.
    guard waiting.origin == nil else { return }
    waiting.world = (position, world)
    guard isCutOff else { return }
    isCutOff = false
    waiting.origin = position
    assert(waiting.groups.isEmpty)
  }
}
