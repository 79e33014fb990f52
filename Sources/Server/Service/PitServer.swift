import Glibc
import Simulation
import Synchronization
import TickLog
import Transport
import Wire

/// The server's two halves wired together, without threads or sockets of its own: whoever holds it
/// decides what calls them. `PitService` does so with a real clock, a thread and a listener; tests
/// do with the in-memory network and a clock that they turn by hand.
final class PitServer: Sendable {
  let exchange: Exchange
  /// Runs the ticks; nil where another server does.
  private let currentRunner = Mutex<WorldRunner?>(nil)
  /// Meets the other servers of the world, if there are any.
  let cluster: (any ClusterRunning)?
  private let callbacks = Mutex(Callbacks())
  /// By the network thread's number.
  let hubs: [SessionHub]
  private let settings: LiveSettings
  private let addresses: AddressBudgets
  let directory: Directory
  let hostDesk: HostDesk
  private let log: ServerLog
  private let metrics: ServerMetrics
  let metricsDesk: MetricsDesk
  /// Writes the journal, if one is kept; it is not started yet.
  let journal: JournalWriter?
  let drain: Drain

  /// - Parameters:
  ///   - startTick: ticks before the first one of a new world.
  ///   - journal: the one that is kept, and what it says of the world and its people.
  ///   - cluster: meets the other servers of the world, and has the world; nil for a server on its
  ///     own.
  ///   - log: where what happens is written.
  ///   - clock: monotonic nanoseconds.
  ///   - wallClock: milliseconds since 1970.
  ///   - makeWorker: makes a thread, by name, for what takes too long where time must be kept.
  init(
    configuration: ServerConfiguration, startTick: UInt32 = 0, journal: JournalStart? = nil,
    cluster: (any ClusterRunning)? = nil, log: ServerLog = .none,
    clock: @escaping @Sendable () -> UInt64,
    wallClock: @escaping @Sendable () -> UInt64 = WallClock.milliseconds,
    makeWorker: (String) -> Worker.Run = Worker.thread
  ) throws(PitError) {
    let limits = configuration.limits
    precondition(
      (1...ServerConfiguration.mostNetworkThreads).contains(configuration.networkThreads))
    exchange = Exchange(limits: limits, networkThreads: configuration.networkThreads)
    let metrics = ServerMetrics(
      networkThreads: configuration.networkThreads, clock: clock)
    self.metrics = metrics
    self.cluster = cluster
    let world: WorldDescription
    if let cluster {
      world = cluster.world
    } else {
      let runner = WorldRunner(
        start: try Self.worldStart(configuration, journal, startTick: startTick),
        hasCaptain: configuration.hasCaptain, limits: limits,
        checksFrames: configuration.checksFrames, exchange: exchange, metrics: metrics,
        journal: journal?.desk, log: log, clock: clock)
      world = runner.world
      currentRunner.withLock { $0 = runner }
    }
    self.world = world
    let people = Self.people(
      configuration, journal, usesBlocks: cluster != nil, now: clock(), wallClock: wallClock)
    settings = LiveSettings(.init(limits: limits, keywords: configuration.keywords))
    addresses = AddressBudgets(limits)
    directory = Directory(people, journal: journal?.desk, wallClock: wallClock)
    self.log = log
    let handOvers = HandOverBox(networkThreads: configuration.networkThreads)
    hostDesk = HostDesk(
      token: configuration.hostToken, maxBodies: configuration.pit.maxBodies,
      shape: configuration.pit.shape, exchange: exchange, directory: directory,
      handOvers: handOvers, settings: settings, cluster: cluster, log: log,
      wallClock: wallClock)
    drain = Drain(configuration)
    let writer = journal.map {
      JournalWriter(
        $0.home, $0.desk, $0.settings, identity: $0.identity, metrics: metrics, log: log,
        clock: clock, wallClock: wallClock)
    }
    self.journal = writer
    resumedTick = journal?.recovery?.position
    metricsDesk = MetricsDesk(
      isPublic: configuration.admin == nil, run: makeWorker("metrics")
    ) { [exchange, directory, cluster, log] in
      let threads = exchange.lanes.map(\.report)
      let text = metrics.text(
        exchange.health, directory.count, threads, writer?.health, cluster?.health,
        linesLost: log.lost)
      return Array(text.utf8)
    }
    let venue = Venue(
      publicURL: configuration.publicURL, code: JoinCode(configuration.tokenKey),
      isSecure: configuration.tls != nil, networkAddress: configuration.networkAddress)
    self.venue = venue
    let shared = SharedParts(
      exchange: exchange, limits: limits, world: world, stickers: configuration.stickers,
      venue: venue, keywords: configuration.keywords,
      checksFrames: configuration.checksFrames, directory: directory, hostDesk: hostDesk,
      addresses: addresses, handOvers: handOvers,
      worldTeller: WorldTeller(limits: limits, run: makeWorker("worlds")),
      packer: SnapshotPacker(run: makeWorker("snapshots")),
      standstills: StandstillWatch(now: clock()), drain: drain, metrics: metrics,
      metricsDesk: metricsDesk, journal: writer, cluster: cluster, log: log, settings: settings)
    hubs = (0..<configuration.networkThreads).map { SessionHub(thread: $0, shared, clock: clock) }
    attach(configuration, handOvers, clock: clock, worker: makeWorker("worlds for others"))
  }

  /// The world that the journal goes on with, or a new one.
  private static func worldStart(
    _ configuration: ServerConfiguration, _ journal: JournalStart?, startTick: UInt32
  ) throws(PitError) -> WorldStart {
    if let recovery = journal?.recovery { return WorldStart(recovery.replica) }
    return try WorldStart(configuration.pit, tick: startTick)
  }

  /// Nobody yet, but for those who may come back: as the journal says, and with tokens of the
  /// server before.
  /// - Parameters:
  ///   - usesBlocks: whether numbers are those of blocks, because servers share the world.
  ///   - now: monotonic nanoseconds.
  ///   - wallClock: milliseconds since 1970.
  private static func people(
    _ configuration: ServerConfiguration, _ journal: JournalStart?, usesBlocks: Bool, now: UInt64,
    wallClock: @escaping @Sendable () -> UInt64
  ) -> People {
    let limits = configuration.limits
    var people = People(
      capacity: limits.connections,
      takeOvers: TokenBucket(
        perSecond: limits.takeOversPerSecondPerPerson, burst: limits.takeOverBurstPerPerson),
      mint: TokenMint(configuration.tokenKey), wallClock: wallClock,
      othersCountUntil: othersCountUntil(configuration, now: now), usesBlocks: usesBlocks)
    for absentee in journal?.absentees ?? [] {
      people.expect(absentee.person, until: now + absentee.milliseconds * 1_000_000)
    }
    return people
  }

  /// Has the member of a cluster show its world to the clients of this server.
  private func attach(
    _ configuration: ServerConfiguration, _ handOvers: HandOverBox,
    clock: @escaping @Sendable () -> UInt64, worker: @escaping Worker.Run
  ) {
    guard let cluster else { return }
    let (limits, checksFrames) = (configuration.limits, configuration.checksFrames)
    let hasCaptain = configuration.hasCaptain
    cluster.perform { [self] member in
      let attachment = ClusterMember.Attachment(
        exchange: exchange, directory: directory, handOvers: handOvers, limits: limits,
        checksFrames: checksFrames, wake: { self.callbacks.withLock { $0.wake }?() },
        lead: { start, desk in
          let runner = WorldRunner(
            start: start, hasCaptain: hasCaptain, limits: limits, checksFrames: checksFrames,
            exchange: self.exchange, metrics: self.metrics, journal: nil, leader: desk,
            log: self.log, clock: clock)
          self.currentRunner.withLock { $0 = runner }
          self.callbacks.withLock { $0.lead }?()
        },
        worker: worker)
      member.attach(attachment, now: clock())
    }
  }

  /// What the threads around the server are told.
  private struct Callbacks {
    var wake: (@Sendable () -> Void)?
    var lead: (@Sendable () -> Void)?
  }

  /// Has somebody called when clients of another server's world have something to be sent, and when
  /// ticks are to run here from now on: at once, if they are already.
  func callWhen(
    published wake: @escaping @Sendable () -> Void, leading lead: @escaping @Sendable () -> Void
  ) {
    let isLeading = callbacks.withLock {
      ($0.wake, $0.lead) = (wake, lead)
      return currentRunner.withLock { $0 != nil }
    }
    if isLeading { lead() }
  }

  /// Drops the callbacks: they hold strong references to this server and would keep it in memory.
  func endCalls() {
    callbacks.withLock { ($0.wake, $0.lead) = (nil, nil) }
  }

  /// Runs the ticks. Only where they are run here.
  var runner: WorldRunner { currentRunner.withLock { $0! } }

  /// Whether ticks are run here.
  var isLeading: Bool { currentRunner.withLock { $0 != nil } }

  /// The world as it was at the start.
  let world: WorldDescription

  /// The position from which the world goes on; nil for a new one.
  let resumedTick: UInt64?

  /// Where people find the page.
  let venue: Venue

  /// What the port counts.
  var counts: PortCounts { metrics.port }

  /// The body of `/healthz`, by what the threads told last; on any thread.
  func health(_ now: UInt64) -> [UInt8] {
    HealthReport(
      exchange, directory, journal: journal?.health, cluster: cluster?.health, now: now
    ).json()
  }

  /// From now on other limits and keywords hold on all network threads. What addresses have used is
  /// forgotten; connections that are there keep the limits of a single one that they came with.
  /// What the host decided holds on, and the log says so where the configuration says otherwise.
  /// - Parameter traffic: what the port takes; here it only counts for when clients come back.
  func change(limits: Limits, traffic: TrafficLimits, keywords: KeywordList) {
    addresses.change(limits)
    drain.change(limits, traffic)
    let before = settings.value.limits
    let value = settings.change { value in
      (value.limits, value.keywords) = (limits, keywords)
    }
    guard let commands = value.host.commandsPerSecond,
      before.commandsPerSecond != limits.commandsPerSecond
    else { return }
    log.write(
      .notice, "the host's limit of commands holds on",
      ["commands_per_second": "\(commands)", "configured": "\(limits.commandsPerSecond)"])
  }

  /// Until when people of the server before may come back, in monotonic nanoseconds: their places
  /// are kept as long as those of people here, from the latest moment that they were told.
  private static func othersCountUntil(_ configuration: ServerConfiguration, now: UInt64) -> UInt64
  {
    guard configuration.tokenKey.isKept else { return 0 }
    let told = UInt64(ReturnWindow.earliest + ReturnWindow.longest) * 1_000_000
    return now + UInt64(configuration.limits.resumeSeconds) * 1_000_000_000 + told
  }

  /// From now on every call of a network thread tells those of its clients who don't know it yet
  /// that the server ends. Ports are closed and ticks have ended before.
  func beginDrain() { drain.begin(clients: directory.presentCount) }
}
