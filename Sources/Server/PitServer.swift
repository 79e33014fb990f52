import Simulation
import Transport
import Wire

/// What a welcome tells of the world: the same for everybody, for as long as the server runs.
struct WorldDescription {
  /// Points.
  let width: Int
  let height: Int
  /// The scene's number in the protocol.
  let scene: UInt8
  let bodyCap: Int

  func welcome(for participant: Participant, tick: UInt32) -> Welcome {
    Welcome(
      clientID: participant.person.id, colour: participant.person.colour,
      name: participant.person.name, token: participant.token, tick: tick,
      worldWidth: UInt16(clamping: width), worldHeight: UInt16(clamping: height), scene: scene,
      bodyCap: UInt16(clamping: bodyCap), commandsBefore: participant.commands)
  }
}

/// The server's two halves wired together, without threads or sockets of its own: whoever holds it
/// decides what calls them. `PitService` does so with a real clock, a thread and a listener; tests
/// do with the in-memory network and a clock that they turn by hand.
final class PitServer: Sendable {
  let exchange: Exchange
  let runner: WorldRunner
  let hub: SessionHub

  /// - Parameters:
  ///   - startTick: ticks before the first one.
  ///   - clock: monotonic nanoseconds.
  ///   - makeToken: gives the secret that a returning page shows, 16 bytes.
  ///   - makeWorker: makes a thread, by name, for what takes too long where time must be kept.
  init(
    configuration: ServerConfiguration, startTick: UInt32 = 0, clock: @escaping () -> UInt64,
    makeToken: @escaping () -> SessionToken = People.secretToken,
    makeWorker: (String) -> Worker.Run = Worker.thread
  ) throws(PitError) {
    let limits = configuration.limits
    exchange = Exchange(limits: limits)
    runner = try WorldRunner(
      configuration: configuration.pit, startTick: startTick, limits: limits,
      checksFrames: configuration.checksFrames, exchange: exchange, clock: clock)
    let world = WorldDescription(
      width: runner.worldSize.width, height: runner.worldSize.height,
      scene: configuration.pit.scene.rawValue, bodyCap: runner.bodyCap)
    let people = People(
      capacity: limits.connections,
      takeOvers: TokenBucket(
        perSecond: limits.takeOversPerSecondPerPerson, burst: limits.takeOverBurstPerPerson),
      makeToken: makeToken)
    hub = SessionHub(
      exchange: exchange, limits: limits, world: world, keywords: configuration.keywords,
      people: people, checksFrames: configuration.checksFrames,
      worldTeller: WorldTeller(limits: limits, run: makeWorker("worlds")),
      packer: SnapshotPacker(run: makeWorker("snapshots")), clock: clock)
  }
}
