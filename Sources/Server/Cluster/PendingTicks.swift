import DequeModule
import Synchronization
import TickLog
import Wire

/// The leader's ticks on their way into the log. The tick thread offers each; it is shown to
/// clients when the log has it, so that nobody ever saw a tick that another leader does not know.
///
/// Only one is under way at a time: the log takes a message behind the one with a number, whoever
/// wrote that. With two under way, another leader's message could take the place of the first, and
/// the second would be taken behind it.
///
/// The tick thread offers and the cluster's thread hears from the log; a lock is held for as long
/// as moving values takes.
final class PendingTicks: Sendable {
  /// A tick that the log took.
  struct Stored: Sendable {
    var publication: Publication
    var health: TickHealth
    /// Where the log stands behind it.
    var cursor: LogCursor
  }

  /// What the log's answer means.
  enum Verdict {
    /// The tick may be shown.
    case stored(Stored)
    /// It is known already, or comes again.
    case nothing
    /// Something else stands where the tick was to stand: who wrote it must be found out.
    case mustLook
  }

  private struct Entry {
    let id: String
    let bytes: [UInt8]
    let publication: Publication
    let health: TickHealth
    let cursor: LogCursor

    /// The number that it is to have in the log.
    var sequence: UInt64 { cursor.sequence }
  }

  private struct State {
    /// Behind the last tick that was offered.
    var cursor: LogCursor
    /// The first one is under way.
    var entries: Deque<Entry> = []
    /// When the first one was sent last, in monotonic nanoseconds.
    var since: UInt64 = 0
    var isOver = false
    var standstills = 0
  }

  /// Ticks that may wait for the log: half a second of them. With more the world stands still, and
  /// people see it stand instead of jump.
  static let most = 30
  /// Nanoseconds without an answer until a tick is sent again. An answer takes 1.3 ms as a rule and
  /// 5 ms on a busy machine (nats-server 2.9.10, file storage).
  private static let patience: UInt64 = 300_000_000

  private let state: Mutex<State>
  private let link: any ClusterLink
  private let member: MemberID

  /// - Parameter cursor: where the log stands; its epoch is this leader's.
  init(_ cursor: LogCursor, member: MemberID, link: any ClusterLink) {
    state = Mutex(State(cursor: cursor))
    self.link = link
    self.member = member
  }

  /// Ticks that wait, and times that the world stood still because too many did.
  var waiting: (ticks: Int, standstills: Int) {
    state.withLock { ($0.entries.count, $0.standstills) }
  }

  // MARK: The tick thread's side

  /// Whether another tick may run.
  func mayTick() -> Bool {
    state.withLock {
      guard !$0.isOver, $0.entries.count < Self.most else {
        $0.standstills += 1
        return false
      }
      return true
    }
  }

  /// Sends a tick to the log.
  /// - Parameters:
  ///   - taken: members' messages that it took.
  ///   - now: monotonic nanoseconds.
  func offer(
    _ publication: Publication, _ health: TickHealth, taken: [InputsTaken], now: UInt64
  ) {
    let leftOut = publication.outcomes.lazy.filter { $0.outcome == .leftOut }
      .map { LeftOutCommand(person: $0.person, sequence: $0.sequence) }
    let told = Array(leftOut.prefix(ClusterLimits.leftOut))
    let first = state.withLock { state -> Entry? in
      let message = LogMessage(
        epoch: state.cursor.epoch, position: state.cursor.position + 1,
        before: state.cursor.link, taken: taken, leftOut: told,
        lateTilts: publication.lateTilts, record: publication.record)
      assert(UInt32(truncatingIfNeeded: message.position) == publication.tick)
      let bytes = message.encoded()
      state.cursor.advance(message, bytes: bytes)
      state.entries.append(
        Entry(
          id: "\(member.value)-\(message.position)", bytes: bytes, publication: publication,
          health: health, cursor: state.cursor))
      guard state.entries.count == 1 else { return nil }
      state.since = now
      return state.entries.first
    }
    send(first)
  }

  private func send(_ entry: Entry?) {
    guard let entry else { return }
    link.append(entry.bytes, after: entry.sequence - 1, id: entry.id, token: entry.sequence)
  }

  // MARK: The side of the cluster's thread

  /// Takes the log's answer, and sends the next tick.
  /// - Parameter token: the number that the tick was to have.
  func answered(token: UInt64, _ answer: AppendAnswer, now: UInt64) -> Verdict {
    switch answer {
    case .failed: return .nothing
    case .otherEnd:
      return state.withLock { $0.entries.first?.sequence == token } ? .mustLook : .nothing
    case .stored(let sequence):
      guard sequence == token else { return .mustLook }
      return takeFirst(if: sequence, now: now).map { .stored($0) } ?? .nothing
    }
  }

  /// A message of the log is looked at: is it the one that this leader sent for that place? Then it
  /// is stored, although the answer was lost.
  /// - Returns: nil if somebody else wrote it.
  func found(_ bytes: [UInt8], at sequence: UInt64, now: UInt64) -> Verdict? {
    let isOther = state.withLock {
      $0.entries.first { $0.sequence == sequence }.map { $0.bytes != bytes } ?? false
    }
    guard !isOther else { return nil }
    return takeFirst(if: sequence, now: now).map { .stored($0) } ?? .nothing
  }

  /// The first tick stands in the log: it is given out, and the next one is sent.
  private func takeFirst(if sequence: UInt64, now: UInt64) -> Stored? {
    let (taken, next) = state.withLock { state -> (Entry?, Entry?) in
      guard state.entries.first?.sequence == sequence else { return (nil, nil) }
      let taken = state.entries.removeFirst()
      state.since = now
      return (taken, state.entries.first)
    }
    send(next)
    return taken.map { Stored(publication: $0.publication, health: $0.health, cursor: $0.cursor) }
  }

  /// Sends again what was not answered in time, or at once.
  func turn(now: UInt64, atOnce: Bool = false) {
    let first = state.withLock { state -> Entry? in
      guard atOnce || now - min(state.since, now) > Self.patience else { return nil }
      state.since = now
      return state.entries.first
    }
    send(first)
  }

  /// Forgets members that are gone, as `LogCursor` does.
  func forgetGone(_ isHere: (MemberID) -> Bool) {
    state.withLock { $0.cursor.forgetGone(isHere) }
  }

  /// Somebody else leads: no tick runs any more, and those that wait are never shown.
  func end() {
    state.withLock {
      $0.isOver = true
      $0.entries.removeAll()
    }
  }
}
