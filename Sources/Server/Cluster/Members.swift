import TickLog
import Wire

/// The other servers of the world, by what they told last.
struct Members {
  private struct Entry {
    var presence: PresenceMessage
    var heard: UInt64
  }

  /// Nanoseconds without news after which a member is gone. Presences come each second.
  static let patience: UInt64 = 5_000_000_000

  private let own: MemberID
  private var entries: [MemberID: Entry] = [:]
  /// Since when this member hears what others tell, without a break.
  private var listening: UInt64 = 0
  private var looked: UInt64 = 0

  init(own: MemberID) {
    self.own = own
  }

  /// Takes what a member told.
  /// - Returns: whether it said that it leaves.
  mutating func receive(_ presence: PresenceMessage, now: UInt64) -> Bool {
    guard presence.member != own else { return false }
    guard presence.role != .leaving else {
      return entries.removeValue(forKey: presence.member) != nil
    }
    guard entries[presence.member] != nil || entries.count < ClusterLimits.members else {
      return false
    }
    entries[presence.member] = Entry(presence: presence, heard: now)
    return false
  }

  /// This member could not be told anything until now: nobody is gone because of that.
  mutating func listen(since now: UInt64) { listening = now }

  /// Forgets those of whom nothing was heard for too long. A member that stood still itself for so
  /// long that it did not call this has not listened either.
  /// - Returns: who they are.
  mutating func expire(now: UInt64) -> [MemberID] {
    if now - min(looked, now) > Self.patience / 2 { listening = now }
    looked = now
    let gone = entries.filter { now - min(max($0.value.heard, listening), now) > Self.patience }
      .map(\.key)
    for member in gone { entries[member] = nil }
    return gone.sorted { $0.value < $1.value }
  }

  /// Whose person has a number; nil if nobody here gives that number.
  func owner(of person: UInt16) -> MemberID? {
    let block = NumberBlock(of: person)
    return entries.first { $0.value.presence.blocks.contains(block) }?.key
  }

  /// Whether another member gives a person's number, and this one does not.
  func isOthers(_ person: UInt16, than member: MemberID) -> Bool {
    let block = NumberBlock(of: person)
    guard entries[member]?.presence.blocks.contains(block) != true else { return false }
    return owner(of: person) != nil
  }

  func isHere(_ member: MemberID) -> Bool { member == own || entries[member] != nil }

  var count: Int { entries.count }

  /// People at the others: how many, and the newest that they listed, in one order for all.
  var people: (count: Int, listed: [Person]) {
    let ordered = entries.sorted { $0.key.value < $1.key.value }.map(\.value.presence)
    let count = ordered.reduce(0) { $0 + Int($1.people) }
    return (count, Array(ordered.flatMap(\.listed).prefix(ClusterLimits.listedPeople)))
  }
}
