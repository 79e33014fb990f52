import Simulation
import Transport
import Wire

/// The network thread's half of the server: sessions in, frames out.
///
/// What clients say is in `SessionHub+Messages`, how people come, leave and come back in
/// `SessionHub+People`, what they are sent in `SessionHub+FanOut`. What can be done without the
/// others has a type of its own: who stands where (`Audience`), what is asked of the tick thread
/// (`ThreadDemand`), who waits for another thread (`WaitingSessions`), who has yet to be told what
/// (`OwedNotices`).
///
/// Sendable only so that it can be handed to that thread: every method is called there, so nothing
/// here needs a lock.
final class SessionHub: ListenerDelegate, @unchecked Sendable {
  /// The number of this network thread.
  let thread: Int
  let exchange: Exchange
  /// This thread's end of the exchange.
  let lane: Lane
  private(set) var limits: Limits
  let venue: Venue
  let stickers: StickerFolder?
  private(set) var world: WorldDescription
  /// Worlds that the host began, as far as this thread knows.
  var worldNumber = 0
  private(set) var keywords: KeywordList
  private(set) var offer: StreamOffer
  var time: AwakeClock
  let addresses: AddressBudgets
  let directory: Directory
  let hostDesk: HostDesk
  /// What the host decided that matters here.
  private(set) var host = HostSettings()
  /// What the last publication says of the host's part in the world, and of whose tilt counts.
  var hosted: HostedWorld
  var tiltRule = TiltRule.everybody
  /// How people tilt.
  var tilts: [PersonTilt] = []
  var traffic = Traffic()
  private var report = ThreadReport()
  private(set) var load = LoadWatch()
  let metrics: ServerMetrics
  let metricsDesk: MetricsDesk
  let journal: JournalWriter?
  let cluster: (any ClusterRunning)?
  let standstills: StandstillWatch
  let drain: Drain
  let serverLog: ServerLog
  /// Who was told that the server ends.
  var farewells = Farewells()

  var sessions: [Session] = []
  /// Who of them is sent what.
  let audience = Audience()
  /// Who has messages that its pipe had no room for.
  var withMail: [Session] = []
  /// Who said hello, by the number of its person.
  var byPerson: [UInt16: Session] = [:]
  /// Who waits for another thread to hand its person over.
  var waiting = WaitingSessions()
  let handOvers: HandOverBox
  /// Who has yet to be told what.
  var notices = OwedNotices()
  /// Who is owed a receipt.
  var owed: [Session] = []
  /// Whether what is written to sessions is decoded and compared.
  let checksFrames: Bool
  /// Is told what is wrong with a frame that a session was sent.
  var foundFault: (String) -> Void = { fatalError($0) }
  let worldTeller: WorldTeller
  let packer: SnapshotPacker
  /// How far the packer was at the last publication.
  var snapshots = SnapshotPacker.State()
  /// The phrases that mean something here, for a page that offers them. None where nothing rains.
  private(set) var keywordsJSON: String
  private let settings: LiveSettings
  private var settingsVersion = 0
  /// The health page of a tick.
  var healthPage: (tick: Int, at: UInt64, body: [UInt8])?
  /// When to look next at who is overdue and what there is to tell, in monotonic nanoseconds.
  private var nextLook: UInt64 = 0
  /// Four looks a second are enough for what nobody waits for.
  private static let lookInterval: UInt64 = 250_000_000

  /// The latest publication's tick, how many there were, and when it was due.
  var tick: UInt32 = 0
  var ticksPublished = 0
  var deadline: UInt64 = 0
  private var publications: [Publication] = []
  /// Times that this thread was woken.
  private(set) var turn = 0
  /// The records for those who follow the log, and who checks them.
  var log = RecordLog()
  var logWitness = LogWitness()
  /// Bytes of snapshots that may still be sent in this tick.
  var snapshotBytesLeft = 0
  /// What is asked of the tick thread.
  private(set) var demand: ThreadDemand
  /// Whether it tells what is needed at the end of each turn; a simulation may do that later.
  var tellsDemandItself = true

  /// - Parameters:
  ///   - thread: this network thread's number, from 0.
  ///   - shared: what all network threads share.
  ///   - clock: monotonic nanoseconds, the same as the tick thread's.
  init(thread: Int, _ shared: SharedParts, clock: @escaping () -> UInt64) {
    self.thread = thread
    exchange = shared.exchange
    lane = shared.exchange.lanes[thread]
    demand = ThreadDemand(lane)
    limits = shared.limits
    world = shared.world
    venue = shared.venue
    stickers = shared.stickers
    keywords = shared.keywords
    checksFrames = shared.checksFrames
    directory = shared.directory
    hostDesk = shared.hostDesk
    hosted = HostedWorld(capacity: shared.world.capacity)
    addresses = shared.addresses
    handOvers = shared.handOvers
    worldTeller = shared.worldTeller
    packer = shared.packer
    metrics = shared.metrics
    metricsDesk = shared.metricsDesk
    journal = shared.journal
    cluster = shared.cluster
    standstills = shared.standstills
    drain = shared.drain
    serverLog = shared.log
    keywordsJSON = SharedParts.keywordsJSON(keywords, of: world)
    settings = shared.settings
    offer = StreamOffer(bodyCap: world.capacity, limits: limits)
    time = AwakeClock(clock)
  }

  // MARK: Connections

  func connectionOpened(_ connection: any Connection) {
    lookAtClock()
    let session = Session(
      connection: connection, limits: limits, offer: offer, awake: time.awake)
    session.budget.take(hostsCommands: host.commandsPerSecond, limits)
    session.index = sessions.count
    sessions.append(session)
    connection.session = session
    logOpened(session)
  }

  func connectionClosed(_ connection: any Connection) {
    lookAtClock()
    guard let session = connection.session as? Session else { return }
    connection.session = nil
    let last = sessions.removeLast()
    if last !== session {
      sessions[session.index] = last
      last.index = session.index
    }
    if !session.isOver {
      let cause = EndCause(connection.end)
      traffic.ended.count(cause)
      logEnd(of: session, cause, connection.end)
    }
    releasePerson(of: session)
  }

  // MARK: Time

  /// The tick thread published.
  func woken() {
    lookAtClock()
    takeSettings()
    readHandOvers()
    lane.exchange(&publications)
    let began = time.now
    turn.count()
    if load.isThreadBehind(with: publications.count, at: time.now) {
      for publication in publications.dropLast() { passOver(publication) }
      publications.last.map(fanOut)
    } else {
      for publication in publications { fanOut(publication) }
    }
    if !publications.isEmpty {
      lookAtClock()
      metrics.fanOuts[thread].recordNanoseconds(Int64(clamping: time.now - began))
    }
    if !publications.isEmpty { report.backlog = publications.count }
    if time.now >= nextLook {
      nextLook = time.now + Self.lookInterval
      noteThoseWhoKeepUp()
      endOverdue()
      notices.tellPeople(sessions, directory, at: time.now)
      notices.tellNews()
      notices.tellNames()
      // The dots that show how people tilt can wait for a turn that is not late.
      if publications.count <= 1 {
        notices.tellTilts(tilts, at: time.now, present: directory.presentCount, sessions)
      }
      report.count(sessions)
      serverLog.flush()
    }
    notices.tellHost(hostNotice, sessions)
    notices.tellTilt(tiltRule, at: tick, sessions, directory)
    if let window = drain.window { sayFarewell(window) }
    tellOthers()
    if tellsDemandItself { updateDemand() }
  }

  /// Takes over the settings that were changed since the last time.
  private func takeSettings() {
    guard let new = settings.changed(since: &settingsVersion) else { return }
    (limits, keywords) = (new.limitsInForce, new.keywords)
    keywordsJSON = SharedParts.keywordsJSON(keywords, of: world)
    let old = host
    host = new.host
    take(host, after: old)
  }

  /// Takes over what another world is like.
  func take(_ world: WorldDescription) {
    self.world = world
    offer = StreamOffer(bodyCap: world.capacity, limits: limits)
    keywordsJSON = SharedParts.keywordsJSON(keywords, of: world)
  }

  /// Tells the other threads how this one fares.
  func tellOthers() {
    report.traffic = traffic
    let isOverloaded = load.isOverloaded(at: time.now)
    if isOverloaded != report.isOverloaded {
      serverLog.write(
        isOverloaded ? .warning : .notice,
        isOverloaded ? "more to send than time: newcomers are refused" : "there is time again",
        ["thread": "\(thread)"])
    }
    report.isOverloaded = isOverloaded
    lane.tell(report)
  }

  /// This process stood still until now, as the transport found out: what came in meanwhile comes
  /// all at once.
  func stoodStill(nanoseconds: UInt64) {
    forgive(time.noteStandstill(nanoseconds: nanoseconds))
  }

  /// Reads the clock, and forgives what a standstill held up. Every call from outside begins with
  /// this.
  func lookAtClock() {
    forgive(time.look())
    let standstill = standstills.look(at: time.now)
    guard standstill > 0 else { return }
    addresses.forgive(standstill)
    worldTeller.forgive(standstill)
  }

  private func forgive(_ standstill: UInt64) {
    guard standstill > 0 else { return }
    traffic.standstills.count()
    serverLog.write(
      .warning, "this process stood still", ["milliseconds": "\(standstill / 1_000_000)"])
    for session in sessions { session.budget.forgive(standstill) }
  }

  /// Closes who never said hello, and who takes nothing any more.
  private func endOverdue() {
    for session in sessions where !session.isOver {
      guard let (cause, reason) = session.overdue(limits, awake: time.awake) else { continue }
      end(session, cause, reason)
    }
  }

  // MARK: Demand

  /// Tells the tick thread what this thread's clients need next.
  func updateDemand() {
    lane.tell(wantsSnapshot: needsSnapshot, isFollowed: audience.isFollowed)
    demand.ask(for: audience, after: tick, at: time.now)
  }

  /// Asks for what one session needs besides what is asked for already.
  func addDemand(of session: Session) {
    guard session.follower == nil else {
      if snapshots.packing == nil, needsSnapshot(session) { lane.wantSnapshot() }
      return
    }
    assert(session.group === audience.behind)
    demand.add(session, after: tick, at: time.now)
  }
}
