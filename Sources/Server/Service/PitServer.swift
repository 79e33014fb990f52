import Simulation
import Transport
import Wire

/// The server's two halves wired together, without threads or sockets of its own: whoever holds it
/// decides what calls them. `PitService` does so with a real clock, a thread and a listener; tests
/// do with the in-memory network and a clock that they turn by hand.
final class PitServer: Sendable {
  let exchange: Exchange
  let runner: WorldRunner
  /// By the network thread's number.
  let hubs: [SessionHub]

  /// - Parameters:
  ///   - startTick: ticks before the first one.
  ///   - clock: monotonic nanoseconds.
  ///   - makeToken: gives the secret that a returning page shows, 16 bytes.
  ///   - makeWorker: makes a thread, by name, for what takes too long where time must be kept.
  init(
    configuration: ServerConfiguration, startTick: UInt32 = 0,
    clock: @escaping @Sendable () -> UInt64,
    makeToken: @escaping @Sendable () -> SessionToken = { People.secretToken() },
    makeWorker: (String) -> Worker.Run = Worker.thread
  ) throws(PitError) {
    let limits = configuration.limits
    precondition(
      (1...ServerConfiguration.mostNetworkThreads).contains(configuration.networkThreads))
    exchange = Exchange(limits: limits, networkThreads: configuration.networkThreads)
    let metrics = ServerMetrics(
      networkThreads: configuration.networkThreads, scene: "\(configuration.pit.scene)",
      clock: clock)
    runner = try WorldRunner(
      configuration: configuration.pit, startTick: startTick, limits: limits,
      checksFrames: configuration.checksFrames, exchange: exchange, metrics: metrics,
      clock: clock)
    let world = WorldDescription(
      width: runner.worldSize.width, height: runner.worldSize.height,
      scene: configuration.pit.scene.rawValue, bodyCap: runner.bodyCap)
    let people = People(
      capacity: limits.connections,
      takeOvers: TokenBucket(
        perSecond: limits.takeOversPerSecondPerPerson, burst: limits.takeOverBurstPerPerson),
      makeToken: makeToken)
    let shared = SharedParts(
      exchange: exchange, limits: limits, world: world, keywords: configuration.keywords,
      checksFrames: configuration.checksFrames, directory: Directory(people),
      addresses: AddressBudgets(limits),
      handOvers: HandOverBox(networkThreads: configuration.networkThreads),
      worldTeller: WorldTeller(limits: limits, run: makeWorker("worlds")),
      packer: SnapshotPacker(run: makeWorker("snapshots")),
      standstills: StandstillWatch(now: clock()), metrics: metrics)
    hubs = (0..<configuration.networkThreads).map { SessionHub(thread: $0, shared, clock: clock) }
  }
}
