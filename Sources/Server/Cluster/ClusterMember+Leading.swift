import Simulation
import TickLog
import Wire

/// Leading: ticks are run here, and shown when the log has them.
extension ClusterMember {
  /// The message with which a leader begins, until the log has it. Behind it the log has no tick of
  /// the leader before.
  struct Fence {
    let bytes: [UInt8]
    /// The number that it is to have in the log.
    let sequence: UInt64
    /// By it the log knows a message that is sent again.
    let id: String
    /// When it was sent last, in monotonic nanoseconds.
    var sent: UInt64
  }

  /// A leader's question for the end of the log.
  struct Looking {
    /// When it was asked, or the last answer came, in monotonic nanoseconds.
    var since: UInt64
    let token: UInt64
    /// The message of the last tick that was shown when it was asked.
    let shown: UInt64
    /// The end, once it is known.
    var end: UInt64?
  }

  /// What a leader has.
  final class Leading {
    let desk: LeaderDesk
    /// Behind the last tick that was shown.
    var shown: LogCursor
    /// Set while it is being found out who wrote the end of the log.
    var looking: Looking?
    /// When a world was kept last, in monotonic nanoseconds.
    var kept: UInt64?
    /// The people of whose doing other members told.
    var people: [MemberID: Set<UInt16>] = [:]

    init(_ desk: LeaderDesk, shown: LogCursor) {
      self.desk = desk
      self.shown = shown
    }
  }

  /// Nanoseconds from one kept world to the next: whoever joins replays so much at most, 300 ticks,
  /// which takes a tenth of a second at 1000 bodies.
  private static let keepInterval: UInt64 = 5_000_000_000

  /// Writes the message behind which nobody else's ticks are taken.
  func fence(_ cursor: LogCursor, _ now: UInt64) {
    let message = LogMessage(
      epoch: cursor.epoch + 1, position: cursor.position, before: cursor.link)
    let sequence = cursor.sequence + 1
    let fence = Fence(
      bytes: message.encoded(), sequence: sequence, id: "\(id.value)-begins-\(sequence)",
      sent: now)
    phase = .fencing(fence)
    link.append(fence.bytes, after: cursor.sequence, id: fence.id, token: sequence)
  }

  /// Sends the message again, if no answer came for long.
  func turn(_ fence: Fence, _ now: UInt64) {
    guard now - fence.sent > Self.pause else { return }
    var fence = fence
    fence.sent = now
    phase = .fencing(fence)
    link.append(fence.bytes, after: fence.sequence - 1, id: fence.id, token: fence.sequence)
  }

  /// Takes the log's answer to something that was appended.
  func appended(_ token: UInt64, _ answer: AppendAnswer, _ now: UInt64) {
    switch phase {
    case .fencing(let fence) where token == fence.sequence: fenced(fence, answer, now)
    case .leading(let leading):
      take(leading.desk.ticks.answered(token: token, answer, now: now), now)
    default: break
    }
  }

  private func fenced(_ fence: Fence, _ answer: AppendAnswer, _ now: UInt64) {
    switch answer {
    case .failed: break
    case .otherEnd:
      // Somebody wrote meanwhile. Those ticks count; then once more.
      reader?.forgetEnd()
      phase = .catchingUp
    case .stored(let sequence):
      guard sequence == fence.sequence else { return }
      read(sequence, fence.bytes, now)
      guard case .fencing = phase else { return }
      // Behind it another leader may have begun before this answer came.
      guard reader?.cursor.sequence == fence.sequence else {
        reader?.forgetEnd()
        phase = .catchingUp
        return
      }
      lead(now)
    }
  }

  private func lead(_ now: UInt64) {
    var cursor = reader!.cursor
    counts.isNewWorld = false
    reader = nil
    cursor.forgetGone(members.isHere)
    // Clients of other members, and those of this one if it followed until now, go on holding what
    // they hold.
    let (others, own) = (members, edge == nil ? [] : Set(blocks.blocks))
    let desk = LeaderDesk(
      PendingTicks(cursor, member: id, link: link), MemberInputs(cursor.taken),
      isHere: { others.owner(of: $0) != nil || own.contains(NumberBlock(of: $0)) })
    desk.inputs.wantWorld(true)
    let leading = Leading(desk, shown: cursor)
    // Whoever held something with the leader before may be gone with that one: then all of its
    // clients let go, as soon as it is missed.
    for person in edge?.replica.pit.holders ?? [] {
      if let owner = others.owner(of: person) {
        leading.people[owner, default: []].insert(person)
      }
    }
    phase = .leading(leading)
    log.write(
      .notice, "leading the world",
      ["epoch": "\(cursor.epoch)", "after": "\(cursor.position)"])
    guard let attachment, let edge else { return }
    let start = WorldStart(edge.replica)
    // What clients did and no leader has taken yet is done in the first tick here.
    desk.inputs.add(forwarder.takeBack())
    desk.inputs.add(edge.outgoing)
    self.edge = nil
    attachment.lead(start, desk)
  }

  /// Shows what the log has.
  private func take(_ verdict: PendingTicks.Verdict, _ now: UInt64) {
    guard case .leading(let leading) = phase, let attachment else { return }
    switch verdict {
    case .nothing: break
    case .mustLook: lookAtEnd(now)
    case .stored(let stored):
      leading.shown = stored.cursor
      if let world = stored.publication.world { keep(world, stored.cursor, leading, now) }
      attachment.exchange.publish(stored.publication, health: stored.health)
      attachment.wake()
    }
  }

  /// Keeps a world beside the log, if it is time for one.
  private func keep(
    _ world: SavedWorld, _ cursor: LogCursor, _ leading: Leading, _ now: UInt64
  ) {
    let isDue = leading.kept.map { now - $0 >= Self.keepInterval } ?? true
    leading.desk.inputs.wantWorld(false)
    guard isDue else { return }
    leading.kept = now
    let link = link
    attachment?.worker {
      let message = WorldMessage(
        epoch: cursor.epoch, position: cursor.position, sequence: cursor.sequence,
        link: cursor.link, core: CoreVersion.goldens, taken: cursor.takenList,
        world: world.packed())
      link.keep(world: message.encoded())
    }
  }

  /// Does what time asks a leader for.
  func turn(_ leading: Leading, _ now: UInt64) {
    leading.desk.ticks.turn(now: now)
    if leading.kept.map({ now - $0 >= Self.keepInterval }) ?? true {
      leading.desk.inputs.wantWorld(true)
    }
    if let looking = leading.looking, now - looking.since > Self.pause { askEnd(now) }
  }

  // MARK: Who wrote the end

  /// Finds out who wrote the end of the log: if it was somebody else, this one leads no more.
  func lookAtEnd(_ now: UInt64) {
    guard case .leading(let leading) = phase, leading.looking == nil else { return }
    askEnd(now)
  }

  private func askEnd(_ now: UInt64) {
    guard case .leading(let leading) = phase else { return }
    let token = token()
    leading.looking = Looking(since: now, token: token, shown: leading.shown.sequence)
    link.askEnd(token: token)
  }

  /// The log told its end.
  func found(_ token: UInt64, end: UInt64, _ now: UInt64) {
    guard case .leading(let leading) = phase, let looking = leading.looking,
      looking.token == token
    else { return }
    guard end >= looking.shown else {
      // A power cut of the machine that keeps the log can do that.
      let what = "it ends at message \(end), and \(looking.shown) was stored"
      return fail(.damaged(world: settings.world, what: what))
    }
    leading.looking?.since = now
    leading.looking?.end = end
    link.askMessage(end, token: self.token())
  }

  /// A message of the log, while this one leads: the end, if it was asked for.
  func sawEnd(_ sequence: UInt64, _ bytes: [UInt8], _ now: UInt64) {
    guard case .leading(let leading) = phase else { return }
    guard let message = try? LogMessage(bytes) else { return counts.malformed.count() }
    guard message.epoch <= leading.shown.epoch,
      let verdict = leading.desk.ticks.found(bytes, at: sequence, now: now)
    else { return fail(.otherLeader(world: settings.world)) }
    take(verdict, now)
    guard let end = leading.looking?.end, sequence == end else { return }
    leading.looking = nil
    leading.desk.ticks.turn(now: now, atOnce: true)
  }

  // MARK: Inputs of other members

  /// Whether a person's number belongs to another member than the one that used it.
  func isOthers(_ person: UInt16, than member: MemberID) -> Bool {
    blocks.has(NumberBlock(of: person))
      || members.isOthers(person, than: member)
  }

  /// Takes what other members' clients did.
  func received(inputs bytes: [UInt8]) {
    guard case .leading(let leading) = phase else { return }
    guard var message = try? InputsMessage(bytes) else { return counts.malformed.count() }
    guard message.member != id else { return }
    // A member that has lost its numbers, and was told late, does nothing in the name of others.
    message.inputs.removeAll { isOthers($0.person, than: message.member) }
    guard leading.desk.inputs.receive(message) else { return }
    for input in message.inputs {
      switch input {
      case .tilt(let person, _, _, _): leading.people[message.member, default: []].insert(person)
      case .command(let command, _):
        leading.people[message.member, default: []].insert(command.person)
      case .left(let person, _): leading.people[message.member]?.remove(person)
      }
    }
  }
}
