import Logging
import Simulation
import TickLog
import Wire

/// One of the servers that share a world. It finds the world, follows its log, and leads when that
/// is its part.
///
/// A state machine without a thread or a clock of its own: whoever has it tells it what the link
/// tells (`handle`), and calls `turn` every few milliseconds. What it does then stands in its
/// extensions: claims, presence, following, clients and leading.
final class ClusterMember {
  /// What it is doing. Times are monotonic nanoseconds.
  enum Phase {
    /// Trying to become the leader.
    case claiming(since: UInt64)
    /// Waiting for a world to begin with.
    case askingWorld(since: UInt64)
    /// Reading the log to its end; whoever has the claim leads afterwards.
    case catchingUp
    /// About to lead: once the log has its message, it takes no more ticks of the leader before.
    case fencing(Fence)
    /// Running the world's ticks.
    case leading(Leading)
    /// Carrying out the log's ticks as they come.
    case following
    /// It can't go on.
    case over(ClusterError)
  }

  /// Nanoseconds that a leader waits at its start for the claim of one before it to run out, and
  /// that others wait for a world.
  static let patience: UInt64 = 10_000_000_000
  /// Nanoseconds until something is asked again.
  static let pause: UInt64 = 300_000_000
  /// Nanoseconds after which the network threads are woken without a tick. While the world stands
  /// still they close overdue connections all the same, and don't take the pause for one of the
  /// whole process.
  private static let wakeInterval: UInt64 = 100_000_000

  let settings: ClusterSettings
  let id: MemberID
  let link: any ClusterLink
  let log: ServerLog
  /// Makes a world where there is none.
  let newWorld: () throws(PitError) -> WorldStart

  var phase: Phase
  var attachment: Attachment?
  var counts = ClusterCounts()
  private var lastToken: UInt64 = 0
  private var wokenAt: UInt64 = 0

  /// Whether NATS is reached, and since when.
  private(set) var isConnected = false
  private(set) var connectedAt: UInt64 = 0

  var leadership = Claim(.leader)
  var blocks: BlockClaims
  var claimRequests = ClaimRequests()
  /// Whether the claim to lead is asked for although nobody is followed yet: by a leader at its
  /// start, and by a standby where there is no world.
  var wantsToLead: Bool

  var members: Members
  var presencePace = PresencePace()

  var reader: LogReader?
  /// The world at the end of what was read, until clients are shown it.
  var replica: Replica?
  /// The world that clients are shown while another member leads.
  var edge: EdgeWorld?
  /// When a world was asked for last.
  var worldAskedAt: UInt64 = 0

  var forwarder: InputForwarder
  /// When inputs are forwarded next.
  var forwardAt: UInt64?

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

  // MARK: What happens

  /// Takes what came from the link at once.
  /// - Parameter clock: monotonic nanoseconds.
  func handle(_ events: [LinkEvent], clock: () -> UInt64) {
    // After the process or its line stood still, everything that happened meanwhile comes at once.
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
      if let request = claimRequests.take(token) { claimed(request, revision, now) }
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
    case .fencing(let fence): turn(fence, now)
    case .leading(let leading): turn(leading, now)
    case .following:
      counts.asked += reader?.turn(link, now: now, token: token()) ?? 0
      forward(now)
    case .over: break
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

  /// How far the log was read, for messages of the server's log.
  var cursorMetadata: Logger.Metadata {
    let cursor = reader?.cursor
    return ["epoch": "\(cursor?.epoch ?? 0)", "after": "\(cursor?.position ?? 0)"]
  }
}
