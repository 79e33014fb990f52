import Glibc
import Logging
import ServiceLifecycle
import Simulation
import TickLog
import Transport
import Wire

/// The running server: a tick thread and network threads around a `PitServer`, from start to
/// graceful shutdown.
public final class PitService: Service {
  private let configuration: ServerConfiguration
  private let log: ServerLog
  private let listeners: ListenerGroup
  /// The port for monitoring; a group of one, because groups can change while they run.
  private let admin: ListenerGroup?
  private let loop: TickLoop
  /// Meets the other servers of the world, if there are any.
  private let cluster: ClusterThread?
  private let server: PitServer

  /// Binds the port and makes the world; nothing ticks yet.
  /// - Parameters:
  ///   - logger: where lines go. Ticks wait for it, so its lines had better go through a queue.
  ///   - queue: that one, whose losses are told to monitoring.
  /// - Throws: `StartError`, each with one line that says what to do.
  public init(
    configuration: ServerConfiguration, logger: Logger, queue: LogQueue? = nil
  ) throws(StartError) {
    self.configuration = configuration
    let log = ServerLog(logger, queue: queue) { MonotonicClock.nanoseconds() }
    self.log = log
    if let problem = configuration.limits.problem { throw .badLimit(problem) }
    try WebFolderCheck.run(configuration.webFolder)
    var configuration = configuration
    let journal = try Self.openJournal(&configuration, log)
    let cluster = try Self.joinCluster(configuration, log)
    self.cluster = cluster
    do throws(PitError) {
      server = try PitServer(
        configuration: configuration, journal: journal, cluster: cluster, log: log,
        clock: { MonotonicClock.nanoseconds() })
    } catch {
      throw .badWorld(error)
    }
    // A journal has been asked before anything was written.
    guard server.world.stickers == configuration.pit.stickers else { throw .otherStickers }
    var port = ListenerConfiguration(configuration, log: log)
    port.counts = server.counts
    port.handedSockets = configuration.handedSockets
    listeners = ListenerGroup(configuration: port, delegates: server.hubs)
    admin = configuration.admin.map { [server] address in
      ListenerGroup(
        configuration: ListenerConfiguration(
          admin: address, allowedHosts: configuration.allowedHosts, log: log),
        delegates: [AdminPages(server, clock: { MonotonicClock.nanoseconds() })],
        logsService: false)
    }
    let (server, listeners) = (server, listeners)
    // Where servers share a world, ticks are sent when the log has them.
    let wakes = cluster == nil
    loop = TickLoop { deadline, lost in
      server.runner.runTick(deadline: deadline, lostTicks: lost)
      if wakes { listeners.wake() }
    }
    do throws(TransportError) {
      try listeners.start()
    } catch {
      throw .network(error)
    }
    do throws(TransportError) {
      try admin?.start()
    } catch {
      listeners.stop()
      throw .admin(error)
    }
    do throws(JournalError) {
      if let journal { try journal.begin(server.runner.savedWorld, at: WallClock.milliseconds()) }
    } catch {
      listeners.stop()
      admin?.stop()
      throw .journal(error)
    }
  }

  /// Joins the servers with which the world is shared, if it is: when this returns, the world is
  /// there.
  private static func joinCluster(
    _ configuration: ServerConfiguration, _ log: ServerLog
  ) throws(StartError) -> ClusterThread? {
    guard let settings = configuration.cluster else { return nil }
    precondition(configuration.journal == nil, "the world is kept by those who share it")
    do throws(ClusterError) {
      let member = ClusterMember(
        settings, id: MemberID(.random(in: .min ... .max)), link: try settings.connect(), log: log,
        now: MonotonicClock.nanoseconds()
      ) { () throws(PitError) in try WorldStart(configuration.pit) }
      let thread = ClusterThread(member) { MonotonicClock.nanoseconds() }
      try thread.start()
      return thread
    } catch {
      throw .cluster(error)
    }
  }

  /// Opens the journal that the configuration names. Tokens are signed with the key beside it,
  /// unless another file was named.
  private static func openJournal(
    _ configuration: inout ServerConfiguration, _ log: ServerLog
  ) throws(StartError) -> JournalStart? {
    guard let settings = configuration.journal else { return nil }
    let folder: JournalFolder
    do throws(JournalError) {
      folder = try JournalFolder(settings.folder, creates: true)
    } catch {
      throw .journal(error)
    }
    if !configuration.tokenKey.isKept {
      do throws(TokenKeyError) {
        configuration.tokenKey = try TokenKey(keptIn: folder.tokenKey)
      } catch {
        throw .tokenKey(error)
      }
    }
    do throws(JournalError) {
      return try JournalStart(
        settings, folder, pit: configuration.pit,
        resumeSeconds: configuration.limits.resumeSeconds, now: WallClock.milliseconds()
      ) { log.write(.warning, $0) }
    } catch {
      throw .journal(error)
    }
  }

  /// The tick that the world goes on from; nil if it is new, or nothing is kept.
  public var resumedTick: UInt64? { server.resumedTick }

  /// The port on which monitoring may ask, if it has one.
  public var adminPort: UInt16? { admin?.port }

  /// Whether a tick ran within the last second.
  public var isTicking: Bool {
    server.exchange.health.isReady(at: MonotonicClock.nanoseconds())
  }

  /// Whether the server does what it can: its world ticks, or waits for the other servers of it.
  public var isAlive: Bool {
    cluster?.isAlive(isTicking: isTicking, at: MonotonicClock.nanoseconds()) ?? isTicking
  }

  /// The letters by which people join.
  public var joinCode: JoinCode { server.venue.code }

  /// How many people are here.
  public var people: Int { server.directory.count }

  /// The scene that it plays: the host may have begun another than was asked for.
  public var scene: Scene { Scene(rawValue: server.world.scene) ?? configuration.pit.scene }

  /// The most stickers that this world was made for.
  public var capacity: Int { server.world.capacity }

  /// The port it listens on.
  public var port: UInt16 { listeners.port }

  /// Goes on by another configuration, as far as a running server can: by what network threads
  /// read of its limits and traffic, keywords, origins, hosts, proxies, the certificate, the host's
  /// token and the log's level. The port for monitoring goes by the same hosts.
  ///
  /// - Returns: whether another certificate is presented from now on.
  /// - Throws: what is wrong with it; then nothing has changed.
  public func change(_ new: ServerConfiguration) throws(StartError) -> Bool {
    if let problem = new.limits.problem { throw .badLimit(problem) }
    let isOtherCertificate: Bool
    do throws(TransportError) {
      isOtherCertificate = try listeners.change(ListenerConfiguration(new, log: log))
    } catch {
      throw .network(error)
    }
    try changeAdmin(new)
    server.change(limits: new.limits, traffic: new.traffic, keywords: new.keywords)
    server.hostDesk.change(token: new.hostToken)
    log.setLevel(new.logLevel)
    return isOtherCertificate
  }

  /// Has the port for monitoring answer to the new names. The page's port has just taken them, and
  /// nothing else of this one changes, so that nothing is left that could be wrong.
  private func changeAdmin(_ new: ServerConfiguration) throws(StartError) {
    guard let admin, let address = configuration.admin else { return }
    do throws(TransportError) {
      _ = try admin.change(
        ListenerConfiguration(admin: address, allowedHosts: new.allowedHosts, log: log))
    } catch {
      throw .admin(error)
    }
  }

  /// Serves until the process is asked to end (SIGINT or SIGTERM). Then it lets nobody in any more,
  /// tells everybody when to come back, and closes every connection: within four seconds, however
  /// slowly clients read.
  public func run() async throws {
    if cluster != nil {
      log.write(.info, "the world is shared", ["world": "\(configuration.cluster?.world ?? "")"])
    } else if let tick = server.resumedTick {
      let hash = String(server.runner.stateHash, radix: 16)
      log.write(.info, "the world goes on", ["after": "\(tick)", "hash": "\(hash)"])
    } else {
      log.write(.info, "the world is new", ["seed": "\(configuration.pit.seed)"])
    }
    server.journal?.start()
    let (loop, listeners) = (loop, listeners)
    server.callWhen(
      published: { listeners.wake() },
      leading: { loop.start(now: MonotonicClock.nanoseconds()) })
    log.write(.info, "ticking", ["port": "\(port)"])
    let failure = await end()
    drain()
    if let journal = server.journal { journal.stop(server.runner.savedWorld) }
    // Both ports at once, so that what is left on them takes one second and not two.
    admin?.beginStop()
    listeners.stop()
    admin?.stop()
    server.endCalls()
    log.flush()
    log.write(.info, "stopped", ["tick": "\(server.exchange.health.tick)"])
    if let failure { throw failure }
  }

  /// Waits until the process is asked to end, or until it can't go on: the journal can't be written
  /// and that ends it, or another server runs the world.
  private func end() async -> StartError? {
    let (journal, cluster) = (server.journal, cluster)
    let folder = configuration.journal?.folder ?? ""
    return await withTaskGroup(of: StartError?.self) { group in
      group.addTask {
        try? await gracefulShutdown()
        return nil
      }
      if let cluster {
        group.addTask { await cluster.failures.first { _ in true }.map { .cluster($0) } }
      }
      if let journal {
        group.addTask { await journal.failures.first { _ in true }.map { .journal($0) } }
        group.addTask {
          while (try? await Task.sleep(for: .seconds(1))) != nil {
            if journal.isStuck { return .journal(.stuck(folder)) }
          }
          return nil
        }
      }
      let first = await group.next()
      group.cancelAll()
      return first ?? nil
    }
  }

  /// The ports first, so that the next process can have them; the world second, so that a tick
  /// that ran is sent to everybody whose pipe takes it; then the farewells. How long a network
  /// thread has to write them is bounded here, how long connections take to end is by `stop`.
  private func drain() {
    listeners.closePort()
    admin?.closePort()
    loop.stop()
    cluster?.stop()
    server.beginDrain()
    log.write(
      .info, "draining", ["window_ms": "\(server.drain.window?.milliseconds ?? 0)"])
    let deadline = MonotonicClock.nanoseconds() + Drain.patience
    repeat {
      listeners.wake()
      usleep(Self.drainPauseMicroseconds)
    } while server.drain.left != 0 && MonotonicClock.nanoseconds() < deadline
  }

  /// Microseconds between two looks at who is still here.
  private static let drainPauseMicroseconds: UInt32 = 5000
}
