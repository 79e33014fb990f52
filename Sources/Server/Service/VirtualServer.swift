import Simulation
import Synchronization
import Transport
import Wire

/// The whole server on a network in memory and a clock turned by hand: the same sessions, ticks and
/// frames as on sockets, without one, and one seed reproduces a run.
final class VirtualServer {
  let network: MemoryNetwork
  let server: PitServer
  /// By the network thread's number.
  private let listeners: [MemoryListener]
  private var schedule: TickSchedule
  /// Ticks run and network threads are woken by them; not after the end has begun.
  private var isTicking = true
  /// Network threads that are not woken: something else keeps them.
  var heldThreads: Set<Int> = []
  /// Ticks that pass between a network thread's taking what there is to send and its telling what
  /// is needed next: sending to thousands takes as long.
  var sendingTicks = 0 {
    didSet { for hub in server.hubs { hub.tellsDemandItself = sendingTicks == 0 } }
  }
  /// Deadlines that pass for each tick that runs: more than 1 is a world too heavy for its machine.
  var deadlinesPerTick = 1
  /// Nanoseconds by which the server's clock is ahead of the network's.
  private let standstills: Standstills

  /// Sendable because all of a virtual server happens on one thread.
  private struct VirtualThread: @unchecked Sendable {
    unowned let network: MemoryNetwork
    let standstills: Standstills
  }

  /// How long the server stood still, while the network's clock did.
  private final class Standstills {
    var nanoseconds: UInt64 = 0
  }

  /// - Parameters:
  ///   - seed: decides the network's faults and everything left to chance in the world.
  ///   - bodies: stickers at the start; nil for the scene's own number, in the pit ten.
  ///   - maxBodies: the most that there may be.
  ///   - startTick: ticks before the first one.
  ///   - checksFrames: whether every frame is decoded and compared.
  ///   - networkThreads: how many halves there are that serve connections, one after the other.
  ///   - isAdministered: whether monitoring has a port of its own.
  ///   - workNanoseconds: how long worker threads take for anything.
  ///   - shape: of a pit.
  ///   - hasCaptain: whether one person's tilt counts at a time.
  ///   - hostToken: who shows it is the host.
  ///   - tokenKey: what tokens are signed with; nil for one that the seed decides.
  ///   - network: one on which there was a server before; nil for a new one.
  ///   - log: where the server writes what happens.
  init(
    seed: UInt64 = 1, faults: NetworkFaults = .none, scene: Scene = .pit, bodies: Int? = nil,
    maxBodies: Int = 100, startTick: UInt32 = 0, limits: Limits = Limits(),
    keywords: KeywordList = .standard, networkThreads: Int = 1, checksFrames: Bool = true,
    isAdministered: Bool = false, workNanoseconds: UInt64 = 1_000_000,
    shape: WorldShape = .upright, hasCaptain: Bool = false, hostToken: HostToken? = nil,
    tokenKey: TokenKey? = nil,
    network: MemoryNetwork? = nil,
    log: ServerLog = .none
  ) throws(PitError) {
    let network = network ?? MemoryNetwork(seed: seed, faults: faults)
    self.network = network
    schedule = TickSchedule(start: network.now)
    var configuration = ServerConfiguration(
      pit: try PitConfiguration(
        scene: scene, bodies: bodies ?? (scene == .pit ? 10 : nil), maxBodies: maxBodies,
        shape: shape, seed: seed),
      limits: limits,
      tokenKey: tokenKey ?? TokenKey(bytes: Array("the key of seed \(seed)".utf8), isKept: false),
      keywords: keywords, networkThreads: networkThreads,
      checksFrames: checksFrames)
    configuration.hostToken = hostToken
    configuration.hasCaptain = hasCaptain
    if isAdministered { configuration.admin = AdminAddress("127.0.0.1:0") }
    let standstills = Standstills()
    self.standstills = standstills
    let thread = VirtualThread(network: network, standstills: standstills)
    server = try PitServer(
      configuration: configuration, startTick: startTick, log: log,
      clock: { thread.network.now + thread.standstills.nanoseconds },
      wallClock: { thread.network.now / 1_000_000 },
      makeWorker: { _ in
        { work in thread.network.schedule(after: workNanoseconds, work) }
      })
    listeners = server.hubs.map {
      network.listen($0, maximumMessageBytes: limits.messageBytes)
    }
    scheduleTick()
  }

  private func scheduleTick() {
    network.schedule(after: schedule.deadline - network.now) { [weak self] in
      guard let self, isTicking else { return }
      server.runner.runTick(
        deadline: schedule.deadline + standstills.nanoseconds, lostTicks: schedule.lost)
      for (thread, listener) in listeners.enumerated() where !heldThreads.contains(thread) {
        listener.wake()
        tellDemandLate(of: server.hubs[thread])
      }
      for _ in 0..<deadlinesPerTick { schedule.advance() }
      scheduleTick()
    }
  }

  private func tellDemandLate(of hub: SessionHub) {
    guard sendingTicks > 0 else { return }
    // Just before the tick that hears of it.
    let delay = UInt64(sendingTicks) * 1_000_000_000 / 60 - 1_000_000
    network.schedule(after: delay) { hub.updateDemand() }
  }

  /// Asks the server to end, as SIGTERM does; see `PitService.run`.
  func drain() {
    for listener in listeners { listener.closePort() }
    isTicking = false
    server.beginDrain()
    sayFarewells(until: network.now + Drain.patience)
  }

  private func sayFarewells(until deadline: UInt64) {
    guard server.drain.left != 0, network.now < deadline else {
      for listener in listeners { listener.stop() }
      return
    }
    for (thread, listener) in listeners.enumerated() where !heldThreads.contains(thread) {
      listener.wake()
    }
    network.schedule(after: 5_000_000) { [weak self] in self?.sayFarewells(until: deadline) }
  }

  /// The half of the server that the first connection reaches.
  var hub: SessionHub { server.hubs[0] }

  /// The last tick that ran.
  var tick: UInt32 { server.exchange.health.tick }

  /// The server stands still, as after SIGSTOP: its clock goes on, and nothing calls it. What is
  /// sent to it before the next `advance` arrives all at once after that.
  func standStill(seconds: Double) {
    standstills.nanoseconds += UInt64(seconds * 1e9)
  }

  /// Lets virtual time pass: ticks run when they are due, messages arrive when they should.
  func advance(seconds: Double) {
    network.advance(by: UInt64(seconds * 1e9))
  }
}
