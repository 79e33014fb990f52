import TickLog
import Wire

/// Who is here: what members tell each other of themselves, and what follows when one is gone.
extension ClusterMember {
  /// Tells the others of this member, when it is time, and forgets those that tell nothing.
  func turnPresence(_ now: UInt64) {
    guard let directory = attachment?.directory,
      presencePace.isDue(listVersion: directory.ownVersion, now: now)
    else { return }
    if isConnected { forgetMembers(members.expire(now: now)) }
    let (count, newest) = directory.ownList()
    send(
      PresenceMessage(
        member: id, role: presenceRole, people: UInt16(clamping: count), listed: newest,
        blocks: blocks.blocks))
  }

  private var presenceRole: PresenceMessage.Role {
    if case .leading = phase { return .leader }
    return settings.role == .edge ? .edge : .standby
  }

  private func send(_ presence: PresenceMessage) { link.send(presence: presence.encoded()) }

  /// Tells the others that this one ends.
  func leave() { send(PresenceMessage(member: id, role: .leaving)) }

  /// Takes what another member told of itself.
  func received(presence bytes: [UInt8], _ now: UInt64) {
    guard let presence = try? PresenceMessage(bytes) else { return counts.malformed.count() }
    if members.receive(presence, now: now) { forgetMembers([presence.member]) }
    countOthers()
  }

  /// Tells the directory who is at the other members.
  private func countOthers() {
    let (count, listed) = members.people
    attachment?.directory.setOthers(count: count, listed: listed)
    counts.members = members.count
  }

  /// Members that are gone: their people let go of everything.
  private func forgetMembers(_ gone: [MemberID]) {
    guard !gone.isEmpty else { return }
    countOthers()
    for member in gone {
      log.write(.warning, "a server of the world is gone", ["member": "\(member.value)"])
    }
    guard case .leading(let leading) = phase else { return }
    for member in gone {
      let people = (leading.people.removeValue(forKey: member) ?? [])
        .filter { !isOthers($0, than: member) }.sorted()
      leading.desk.inputs.add(people.map { .left(person: $0, sequence: HandLimits.stamp) })
    }
    leading.desk.inputs.forgetGone(members.isHere)
    leading.desk.ticks.forgetGone(members.isHere)
  }
}

/// When a member tells the others again that it is here.
struct PresencePace {
  /// Nanoseconds from one time to the next.
  private static let interval: UInt64 = 1_000_000_000
  /// Nanoseconds at least, when people come and go.
  private static let shortestInterval: UInt64 = 250_000_000
  /// When it was last, and which version of the list of people was told.
  private var told: (at: UInt64, version: UInt64)?

  /// Whether it is time; then it counts as told.
  /// - Parameters:
  ///   - listVersion: another number whenever the list of people has changed.
  ///   - now: monotonic nanoseconds.
  mutating func isDue(listVersion: UInt64, now: UInt64) -> Bool {
    if let told {
      let age = now - min(told.at, now)
      let hasNews = listVersion != told.version && age >= Self.shortestInterval
      guard age >= Self.interval || hasNews else { return false }
    }
    told = (now, listVersion)
    return true
  }
}
