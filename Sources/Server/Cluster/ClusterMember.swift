import Logging
import Simulation
import TickLog
import Wire

/// One of the servers that share a world. It finds the world, follows its log, and leads when that
/// is its part.
///
/// A state machine without a thread or a clock of its own: whoever has it tells it what the link
/// tells (`handle`), and calls `turn` every few milliseconds.
final class ClusterMember {
  /// What it is doing.
  enum Phase {
    /// Trying to become the leader, since when.
    case claiming(since: UInt64)
    /// Waiting for a world to begin with, since when.
    case askingWorld(since: UInt64)
    /// Reading the log to its end; whoever has the claim leads afterwards.
    case catchingUp
    /// Ending what the leader before could still write.
    case fencing(Fence)
    case leading(Leading)
    case following
    /// It can't go on.
    case over(ClusterError)
  }

  /// The message with which a leader begins, until the log has it.
  struct Fence {
    let bytes: [UInt8]
    let sequence: UInt64
    let id: String
    var sent: UInt64
  }

  /// A leader's question for the end of the log.
  struct Looking {
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
    /// When a world was kept last.
    var kept: UInt64?
    /// The people that members spoke of.
    var people: [MemberID: Set<UInt16>] = [:]

    init(_ desk: LeaderDesk, shown: LogCursor) {
      self.desk = desk
      self.shown = shown
    }
  }

  /// What the server has to do with it.
  struct Attachment {
    let exchange: Exchange
    let directory: Directory
    let handOvers: HandOverBox
    let limits: Limits
    let checksFrames: Bool
    /// Has the network threads send what was published.
    let wake: () -> Void
    /// Has ticks run from here on.
    let lead: (WorldStart, LeaderDesk) -> Void
    /// Runs what takes long elsewhere.
    let worker: Worker.Run
  }

  /// Nanoseconds: how long the first leader waits for one before it, whose claim may have to run
  /// out, and others for a world.
  static let patience: UInt64 = 10_000_000_000
  /// Nanoseconds until something is asked again.
  static let pause: UInt64 = 300_000_000
  /// Nanoseconds from one kept world to the next: whoever joins replays so much at most, 300 ticks,
  /// which takes a tenth of a second at 1000 bodies.
  static let keepInterval: UInt64 = 5_000_000_000
  /// Nanoseconds from one presence to the next, and at least when people come and go.
  static let presenceInterval: UInt64 = 1_000_000_000
  static let shortestPresence: UInt64 = 250_000_000
  /// Nanoseconds after which the network threads are woken without a tick: so what is overdue ends
  /// although the world stands still, and that is not taken for a process that stood still.
  private static let wakeInterval: UInt64 = 100_000_000
  /// Nanoseconds without a message of the log after which a standby tries to lead: sixty ticks, and
  /// less than the leader's claim lasts, so that nobody waits for it in vain.
  static let silence: UInt64 = 1_000_000_000

  /// Ticks of the log that a member carries out one after the other: ten seconds of them take up to
  /// a quarter of a second at 1000 bodies. Behind by more it takes the newest kept world, which is
  /// `keepInterval` old at most.
  static let mostReplayed = 600

  let settings: ClusterSettings
  let id: MemberID
  let link: any ClusterLink
  let log: ServerLog
  /// Makes a world where there is none.
  let newWorld: () throws(PitError) -> WorldStart

  var phase: Phase
  var leadership = Claim(.leader)
  var blocks: BlockClaims
  var members: Members
  var forwarder: InputForwarder
  /// Whether the claim to lead is asked for although nobody is followed yet: by a leader at its
  /// start, and by a standby where there is no world.
  var wantsToLead: Bool
  var reader: LogReader?
  /// The world at the end of what was read, until clients are shown it.
  var replica: Replica?
  var edge: EdgeWorld?
  var attachment: Attachment?
  var isConnected = false
  private var connectedAt: UInt64 = 0
  var counts = ClusterCounts()
  private var lastToken: UInt64 = 0
  private var claimRequests: [UInt64: Claim.Request] = [:]
  private var asked: UInt64 = 0
  private var wokenAt: UInt64 = 0
  /// When inputs are forwarded next.
  var forwardAt: UInt64?
  private var presented: (at: UInt64, version: UInt64)?

  init(
    _ settings: ClusterSettings, id: MemberID, link: any ClusterLink, log: ServerLog, now: UInt64,
    newWorld: @escaping () throws(PitError) -> WorldStart
  ) {
    self.settings = settings
    self.id = id
    self.link = link
    self.log = log
    self.newWorld = newWorld
    blocks = BlockClaims(id)
    members = Members(own: id)
    forwarder = InputForwarder(id)
    wantsToLead = settings.role == .leader
    phase = wantsToLead ? .claiming(since: now) : .askingWorld(since: now)
  }

  /// A number for what is asked next.
  func token() -> UInt64 {
    lastToken += 1
    return lastToken
  }

  private func claimToken(_ request: Claim.Request) -> UInt64 {
    let token = token()
    // Answers that never come must not pile up: a member asks four times a second, and an answer
    // after minutes is one that will not come.
    if claimRequests.count > 1024 { claimRequests.removeAll() }
    claimRequests[token] = request
    return token
  }

  /// Whether clients can be served: the world is there, and numbers for them.
  var isReady: Bool {
    guard !blocks.blocks.isEmpty else { return false }
    switch phase {
    case .following, .leading: return true
    case .claiming, .askingWorld, .catchingUp, .fencing, .over: return false
    }
  }

  // MARK: What happens

  /// Takes what came from the link at once.
  /// - Parameter clock: monotonic nanoseconds.
  func handle(_ events: [LinkEvent], clock: () -> UInt64) {
    // A process that stood still, or whose line did, has everything before it that happened since.
    let ticks = events.count { if case .stored = $0 { true } else { false } }
    if ticks > Self.mostReplayed { fallBehind(by: ticks, clock()) }
    for event in events { handle(event, now: clock()) }
  }

  /// Takes what the link tells.
  /// - Parameter now: monotonic nanoseconds.
  func handle(_ event: LinkEvent, now: UInt64) {
    if case .over = phase { return }
    switch event {
    case .stored(let sequence, let bytes), .message(_, let sequence, let bytes?):
      if case .leading = phase { return sawEnd(sequence, bytes, now) }
      read(sequence, bytes, now)
    case .message(_, _, nil): reader?.forgetEnd()
    case .end(let token, let first, let last): sawEnd(token, first, last, now)
    case .world(_, let bytes): if case .askingWorld(let since) = phase { found(bytes, since, now) }
    case .append(let token, let answer): appended(token, answer, now)
    case .claim(let token, let revision):
      if let request = claimRequests.removeValue(forKey: token) { claimed(request, revision, now) }
    case .inputs(let bytes): received(inputs: bytes)
    case .presence(let bytes): received(presence: bytes, now)
    case .connection(let isUp): connection(isUp, now)
    }
  }

  /// Does what time asks for.
  /// - Parameter now: monotonic nanoseconds.
  func turn(now: UInt64) {
    if case .over = phase { return }
    if now - min(wokenAt, now) >= Self.wakeInterval {
      wokenAt = now
      attachment?.wake()
    }
    turnClaims(now)
    turnPresence(now)
    switch phase {
    case .claiming(let since):
      if now - since > Self.patience { fail(.otherLeader(world: settings.world)) }
    case .askingWorld(let since): askWorld(since, now)
    case .catchingUp:
      counts.asked += reader?.turn(link, now: now, token: token()) ?? 0
      checkEnd(now)
    case .fencing(var fence):
      guard now - fence.sent > Self.pause else { return }
      fence.sent = now
      phase = .fencing(fence)
      link.append(fence.bytes, after: fence.sequence - 1, id: fence.id, token: fence.sequence)
    case .leading(let leading): turn(leading, now)
    case .following:
      counts.asked += reader?.turn(link, now: now, token: token()) ?? 0
      forward(now)
    case .over: break
    }
  }

  private func turnClaims(_ now: UInt64) {
    if wantsToLead || leadership.isHeld || isLeading || isStandbyReady(now) {
      leadership.turn(link, by: id, now: now, token: claimToken)
    }
    let needsMore = blocks.blocks.isEmpty || attachment?.directory.needsNumbers ?? false
    let ended = blocks.turn(link, by: id, now: now, needsMore: needsMore, token: claimToken)
    for block in ended { take(.doubtful(block)) }
  }

  private var isLeading: Bool { if case .leading = phase { true } else { false } }

  /// Whether it is to try and become the leader: nothing was heard of the one there is for a
  /// second, while NATS could be reached. After a standstill of NATS all claims have run out, and
  /// the leader comes first.
  private func isStandbyReady(_ now: UInt64) -> Bool {
    guard case .following = phase, settings.role == .standby, attachment != nil, isConnected,
      let heard = reader?.heard
    else { return false }
    return now - min(max(heard, connectedAt), now) >= Self.silence
  }

  private func claimed(_ request: Claim.Request, _ revision: UInt64?, _ now: UInt64) {
    guard request.key == .leader else {
      if let change = blocks.answered(request, revision) { take(change) }
      return
    }
    let isKept = leadership.answered(request, revision)
    switch phase {
    case .claiming where leadership.isHeld: phase = .askingWorld(since: now)
    case .following where leadership.isHeld:
      log.write(.notice, "nobody leads: reading the log to its end", cursorMetadata)
      reader?.forgetEnd()
      phase = .catchingUp
    // Whether somebody else leads, the log decides: a claim that is lost while nobody else wrote is
    // asked for again.
    case .leading where !isKept: lookAtEnd(now)
    default: break
    }
  }

  private func take(_ change: BlockClaims.Change) {
    switch change {
    case .new(let block): attachment?.directory.add(block)
    case .doubtful(let block):
      attachment?.directory.remove(block)
      log.write(
        .warning, "the claim to client numbers ended: asking for them again",
        ["block": "\(block.index)"])
    case .lost(let block):
      log.write(
        .error, "client numbers belong to another server: their people join anew",
        ["block": "\(block.index)"])
      guard let attachment else { return }
      for one in attachment.directory.lose(block) {
        attachment.handOvers.put(
          .removed(person: one.person.id, .numberLost), for: one.thread)
      }
      attachment.wake()
    }
  }

  private func connection(_ isUp: Bool, _ now: UInt64) {
    guard isUp != isConnected else { return }
    isConnected = isUp
    counts.disconnects.count(isUp ? 0 : 1)
    log.write(isUp ? .notice : .error, isUp ? "NATS is reached" : "NATS is not reached")
    guard isUp else { return }
    connectedAt = now
    members.listen(since: now)
    reader?.forgetEnd()
  }

  /// Ends with an error.
  func fail(_ error: ClusterError) {
    if case .leading(let leading) = phase { leading.desk.ticks.end() }
    phase = .over(error)
    log.write(.error, "\(error)")
  }

  var cursorMetadata: Logger.Metadata {
    let cursor = reader?.cursor
    return ["epoch": "\(cursor?.epoch ?? 0)", "after": "\(cursor?.position ?? 0)"]
  }

  // MARK: Who is here

  private func turnPresence(_ now: UInt64) {
    guard let directory = attachment?.directory else { return }
    let version = directory.ownVersion
    if let presented {
      let age = now - min(presented.at, now)
      let isDue =
        age >= Self.presenceInterval
        || version != presented.version && age >= Self.shortestPresence
      guard isDue else { return }
    }
    presented = (now, version)
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

  private func received(presence bytes: [UInt8], _ now: UInt64) {
    guard let presence = try? PresenceMessage(bytes) else { return counts.malformed.count() }
    if members.receive(presence, now: now) { forgetMembers([presence.member]) }
    tellOthers()
  }

  private func tellOthers() {
    let (count, listed) = members.people
    attachment?.directory.setOthers(count: count, listed: listed)
    counts.members = members.count
  }

  /// Members that are gone: their people let go of everything.
  private func forgetMembers(_ gone: [MemberID]) {
    guard !gone.isEmpty else { return }
    tellOthers()
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

  private func askWorld(_ since: UInt64, _ now: UInt64) {
    if edge == nil, now - since > Self.patience {
      return fail(
        isConnected ? .noWorld(settings.world) : .unreachable(settings.world, why: "no answer"))
    }
    guard now - min(asked, now) > Self.pause else { return }
    asked = now
    link.askWorld(token: token())
  }
}

/// What happened to a member since its start.
struct ClusterCounts: Sendable {
  /// Connections to NATS that were lost.
  var disconnects = 0
  /// Messages of the log that had to be asked for.
  var asked = 0
  /// Messages that could not be read.
  var malformed = 0
  /// Worlds that this member took anew because it could not go on with its own.
  var rejoins = 0
  /// Hashes of the log that were not this member's.
  var mismatches = 0
  /// Other members that are here.
  var members = 0
  /// Whether the world was made here and the log has nothing of it yet.
  var isNewWorld = false
}
