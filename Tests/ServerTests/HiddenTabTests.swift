import Testing
import Transport
import Wire

@testable import PageModule
@testable import Server
@testable import Simulation

/// Tabs that are hidden for a while: their connection is closed, and a new one takes them back.
@Suite struct HiddenTabTests {
  /// A tab after half a second that it is back, while somebody else dropped a sticker.
  /// - Parameters:
  ///   - seconds: how long it was away.
  ///   - cost: milliseconds that a tick takes on its device.
  private func back(
    after seconds: Double, cost: Double
  ) throws -> (pit: VirtualServer, tab: HiddenTab) {
    let pit = try VirtualServer(seed: 4, bodies: 24)
    let other = Probe(pit)
    let tab = HiddenTab(pit, cost: cost)
    tab.show()
    // What a tick costs is known after some seconds.
    pit.advance(seconds: 6)
    #expect(tab.snapshots == 1 && tab.driver.page.follower!.budget.cost > 0)
    tab.hide()
    pit.advance(seconds: seconds / 2)
    let bodies = pit.server.exchange.health.bodies
    other.say(.drop(kind: 3, x: 2400, y: 800))
    pit.advance(seconds: seconds / 2)
    #expect(pit.server.exchange.health.bodies == bodies + 1)
    tab.show()
    pit.advance(seconds: 0.5)
    #expect(tab.failures.isEmpty, "\(tab.failures)")
    return (pit, tab)
  }

  /// It has the world of this moment, but for the way, shows all of it and runs ahead of the log.
  private func expectLive(_ tab: HiddenTab, _ pit: VirtualServer) throws {
    let prediction = try #require(tab.driver.page.follower?.prediction)
    #expect(pit.tick.ticks(since: prediction.replica.pit.tick) <= 3)
    #expect((1...8).contains(prediction.ticksAhead), "\(prediction.ticksAhead)")
    #expect(tab.driver.instances.count == pit.server.exchange.health.bodies)
    #expect(!prediction.replica.hasDiverged)
  }

  @Test func withinHalfAMinuteOneMessageBringsAllThatWasMissed() throws {
    let (pit, tab) = try back(after: 29, cost: 0.02)
    try expectLive(tab, pit)
    #expect(tab.snapshots == 0)
    let missed = try #require(tab.runs.first)
    #expect(missed > 29 * 60 && tab.runs.dropFirst().allSatisfy { $0 <= 2 }, "\(tab.runs)")
    #expect(tab.restores == 1)
    let compared = try #require(tab.driver.page.follower?.prediction).replica.hashesMatched
    #expect(compared > missed / 30)
    pit.advance(seconds: 2)
    #expect(tab.driver.page.follower!.prediction!.replica.hashesMatched >= compared + 3)
    #expect(tab.restores == 1 && tab.snapshots == 0 && tab.failures.isEmpty)
  }

  @Test func laterASnapshotDoes() throws {
    let (pit, tab) = try back(after: 31, cost: 0.02)
    // It comes within half a second and the ways.
    pit.advance(seconds: 0.5)
    try expectLive(tab, pit)
    #expect(tab.snapshots == 1 && tab.runs.allSatisfy { $0 < 60 }, "\(tab.runs)")
    pit.advance(seconds: 2)
    #expect(tab.snapshots == 1 && tab.failures.isEmpty)
  }

  /// Where running the ticks would take longer than a snapshot does, a snapshot it is.
  @Test func aSlowDeviceTakesASnapshotSooner() throws {
    let (pit, tab) = try back(after: 10, cost: 1)
    pit.advance(seconds: 0.5)
    try expectLive(tab, pit)
    #expect(tab.snapshots == 1 && tab.runs.allSatisfy { $0 < 60 }, "\(tab.runs)")
  }
}

/// A tab with the page's own module, called as the page's scripts call it: hidden, it is away.
private final class HiddenTab: ClientDelegate {
  private(set) var driver = PageDriver()
  private(set) var failures: [String] = []
  /// Since it was shown last: snapshots, how many ticks each message of records brought, and how
  /// often the predicted world was made anew.
  private(set) var snapshots = 0
  private(set) var runs: [Int] = []
  private(set) var restores = 0

  private let cost: Double
  private unowned let network: MemoryNetwork
  /// The network keeps it.
  private weak var clients: MemoryClients?
  private var connection: (any Connection)?
  private var nextClock: UInt64 = 0
  /// Ticks of both worlds whose time was told.
  private var paidTicks: UInt32 = 0

  private static let way: ClosedRange<UInt64> = 20_000_000...20_000_000

  /// - Parameter cost: milliseconds that a tick takes here.
  init(_ pit: VirtualServer, cost: Double) {
    self.cost = cost
    network = pit.network
    clients = network.clients(self, timerIntervalMilliseconds: 16)
  }

  private var now: UInt64 { network.now }
  private var prediction: Prediction? { driver.page.follower?.prediction }

  func show() {
    (snapshots, runs, restores) = (0, [], 0)
    clients?.connect(faults: NetworkFaults(latency: Self.way))
  }

  func hide() {
    let old = connection
    connection = nil
    old?.close(.normal, reason: "")
  }

  func timerFired(nowNanoseconds: UInt64) {
    guard connection != nil else { return }
    if prediction?.needsRollback == true { restores += 1 }
    driver.sample(now: now)
    pay()
    guard driver.page.welcome != nil, nextClock <= now else { return }
    nextClock = now + 1_000_000_000
    send(driver.clock(now: now))
  }

  /// Tells what the ticks since the last picture would have taken.
  private func pay() {
    let run = prediction.map { $0.statistics.confirmed &+ $0.statistics.predicted } ?? 0
    // Each connection counts anew.
    let ticks = run < paidTicks ? run : run - paidTicks
    paidTicks = run
    driver.page.follower?.spent(cost * Double(ticks), now: Double(now) / 1e6)
  }

  private func send(_ bytes: [UInt8]) { _ = connection?.send(OutgoingFrame(copying: bytes)) }

  func clientOpened(_ connection: any Connection) {
    self.connection = connection
    nextClock = now
    send(driver.hello(.replica, now: now))
  }

  func client(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
    guard self.connection?.id == connection.id else { return }
    let before = prediction?.replica.pit.tick
    let code = driver.receive(bytes, now: now)
    if code < 0 { failures.append("refused a message, \(code), type \(bytes[0])") }
    if bytes[0] == ServerMessageType.snapshot.rawValue {
      snapshots += 1
    } else if RecordCoder.accepts(bytes[0]), let before, let after = prediction?.replica.pit.tick {
      runs.append(after.ticks(since: before))
    }
  }

  func clientClosed(_ connection: any Connection, code: CloseCode, reason: String) {
    guard self.connection?.id == connection.id else { return }
    failures.append("closed: \(code) \(reason)")
  }

  func clientFailed(_ id: UInt64, error: TransportError) { failures.append("\(error)") }
}
