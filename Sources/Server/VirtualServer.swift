import Simulation
import Transport
import Wire

/// The whole server on a network in memory and a clock turned by hand: the same sessions, ticks and
/// frames as on sockets, without one, and one seed reproduces a run.
final class VirtualServer {
  let network: MemoryNetwork
  let server: PitServer
  let listener: MemoryListener
  private var schedule = TickSchedule(start: 0)

  /// - Parameters:
  ///   - seed: decides the network's faults and everything left to chance in the world.
  ///   - bodies: stickers at the start; nil for the scene's own number, in the pit ten.
  init(
    seed: UInt64 = 1, faults: NetworkFaults = .none, scene: Scene = .pit, bodies: Int? = nil,
    limits: Limits = Limits()
  ) throws(PitError) {
    let network = MemoryNetwork(seed: seed, faults: faults)
    self.network = network
    let configuration = ServerConfiguration(
      pit: try PitConfiguration(
        scene: scene, bodies: bodies ?? (scene == .pit ? 10 : nil), maxBodies: 100, seed: seed),
      limits: limits)
    var tokens: UInt64 = 0
    server = try PitServer(
      configuration: configuration, clock: { [unowned network] in network.now },
      makeToken: {
        tokens += 1
        return SessionToken(low: tokens, high: seed)
      })
    listener = network.listen(server.hub, maximumMessageBytes: limits.messageBytes)
    scheduleTick()
  }

  private func scheduleTick() {
    network.schedule(after: schedule.deadline - network.now) { [unowned self] in
      server.runner.runTick(deadline: schedule.deadline, lostTicks: schedule.lost)
      listener.wake()
      schedule.advance()
      scheduleTick()
    }
  }

  /// The last tick that ran.
  var tick: UInt32 { server.exchange.health.tick }

  /// Lets virtual time pass: ticks run when they are due, messages arrive when they should.
  func advance(seconds: Double) {
    network.advance(by: UInt64(seconds * 1e9))
  }
}
