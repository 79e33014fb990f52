import Physics
import Transport
import Wire

@testable import PageModule
@testable import Server
@testable import Simulation

/// One of a fleet: the page's own module natively, with a line that stalls and breaks, a display
/// and a person; what it holds for certain is compared with the keeper of the log at each picture.
final class FleetPage: ClientDelegate {
  /// What happened to it, so that a run can show that things did happen.
  struct Tally {
    var compared = 0
    var hashes = 0
    var connections = 0
    var resumed = 0
    var stalls = 0
    var pauses = 0
    var switches = 0
    var askedAgain = 0
    var spoiled = 0
    var found = 0
    var healed = 0
    /// Healed before it was found, by a snapshot that was under way.
    var overtaken = 0
    /// The right world again by itself before a hash came: whose velocity was wrong was held, say.
    var vanished = 0
    /// The longest time from when a world was found to be wrong to a picture of the right one, in
    /// seconds.
    var slowestHealing = 0.0
    /// What was wrong in the worlds that were found to be.
    var faults: Set<WorldFault> = []
    /// Pictures after which a rollback was under way, and after which one waited.
    var spread = 0
    var postponed = 0
    /// Pictures for which the device may predict fewer ticks than most, and for which more.
    var fewerTicks = 0
    var moreTicks = 0
  }

  /// Seconds in which a world that was found to be wrong is right again on the worst of lines: the
  /// page is hidden for five, gives the stream up after five more, within a second, and needs two
  /// to come back on another connection.
  static let longestHealing = 14.0

  /// Milliseconds that a tick may take on the device, from nothing that is ever told to more than
  /// allows any prediction; and what it takes where the module is taped: rollbacks are spread, and
  /// only four ticks are predicted in the end.
  static let costs = [0, 0.2, 0.6, 1.3, 5]
  static let tapedCost = 1.3
  /// The most ticks that a device may predict of whose speed nothing is known.
  private static let usualTicks = PredictionBudget().most

  private(set) var driver = PageDriver()
  private(set) var tally = Tally()
  private(set) var failures: [String] = []
  /// Whether nothing happens to it any more, so that it comes to rest and can be compared.
  var isCalm = false

  private let name: String
  private let keeper: LogKeeper
  private unowned let network: MemoryNetwork
  private let clients: () -> MemoryClients
  private let faults: NetworkFaults
  private let cost: Double
  private var person: FleetPerson
  private var chance: RandomGenerator
  private var kind = StreamKind.replica
  private var connection: (any Connection)?
  private var isConnecting = false
  /// When something is over, in nanoseconds of the network.
  private var returnAt: UInt64
  private var readAt: UInt64?
  private var showAt: UInt64?
  private var switchAt: UInt64?
  private var mayAskAt: UInt64 = 0
  private var nextSecond: UInt64 = 0
  /// The last tick at which its world was the keeper's.
  private var lastEqual: UInt32?
  /// Whether its world was made wrong, and whether it has found that out.
  private(set) var isSpoiled = false
  private var wasFound: Bool { foundAt != nil }
  private var foundAt: UInt64?
  private var fault: WorldFault?
  /// Snapshots that it had got when its world was made wrong.
  private var snapshotsBefore: UInt32 = 0
  private var snapshots: UInt32 { driver.page.follower?.statistics.snapshots ?? 0 }

  /// - Parameters:
  ///   - seed: decides what its person does and what happens to its line.
  ///   - arrives: seconds until it comes.
  ///   - cost: milliseconds that a tick takes on its device; 0 for one that never tells.
  ///   - isTaped: whether everything that its module is called with is kept.
  init(
    _ pit: VirtualServer, _ keeper: LogKeeper, name: String, seed: UInt64, arrives: Double,
    faults: NetworkFaults, picture milliseconds: Int, cost: Double, isTaped: Bool = false
  ) {
    self.name = name
    self.keeper = keeper
    self.faults = faults
    self.cost = cost
    network = pit.network
    chance = RandomGenerator(seed: seed)
    person = FleetPerson(seed: chance.next())
    returnAt = network.now + UInt64(arrives * 1e9)
    if isTaped { driver.tape = PageTape(interval: UInt64(milliseconds) * 1_000_000) }
    var pool: MemoryClients?
    clients = { pool! }
    pool = network.clients(self, timerIntervalMilliseconds: milliseconds)
  }

  /// Goes for good: its network no longer knows it.
  func dismiss() { clients().stop() }

  private var now: UInt64 { network.now }
  var replica: Replica? { driver.page.follower?.prediction?.replica }
  var isTaped: Bool { driver.tape != nil }

  /// How it stands with its line, for whoever looks why it has no new world.
  var line: String {
    let way = connection == nil ? isConnecting ? "connecting" : "away" : "connected"
    let statistics = driver.page.follower?.statistics
    let state = (readAt == nil ? "" : ", stalled") + (showAt == nil ? "" : ", hidden")
    return "\(name) is \(way)\(state), "
      + "back at \(returnAt) of \(now) ns, with the \(kind) stream, "
      + "\(driver.page.welcome == nil ? "no" : "a") welcome, \(snapshots) snapshots and "
      + "\(statistics?.messages ?? 0) messages of records"
  }

  private func fail(_ what: String) {
    if failures.count < 3 { failures.append("\(name): \(what)") }
  }

  // MARK: The display

  func timerFired(nowNanoseconds: UInt64) {
    if showAt == nil {
      driver.sample(now: now)
      if cost > 0 { driver.pay(cost, now: now) }
      notePrediction()
      compare()
    }
    if !isCalm { happen() }
    end()
    guard showAt == nil, connection != nil, driver.page.welcome != nil else { return }
    everySecond()
    let deeds = person.deeds(
      in: Vector2(
        Float(driver.page.welcome!.worldWidth), Float(driver.page.welcome!.worldHeight))
    ) { number in
      let seen = driver.instances
      guard !seen.isEmpty else { return nil }
      let sticker = seen[Int(number) % seen.count]
      return (Int32(sticker.slot), sticker.x.rounded(), sticker.y.rounded())
    }
    for deed in deeds where !isCalm { send(driver.act(deed, now: now)) }
  }

  /// Counts what the device's speed does to the prediction.
  private func notePrediction() {
    guard let follower = driver.page.follower, follower.prediction != nil else { return }
    if follower.prediction?.isUnderWay == true { tally.spread += 1 }
    if let prediction = follower.prediction, prediction.ticksUnseen > 0, !prediction.isUnderWay {
      tally.postponed += 1
    }
    if follower.budget.most < Self.usualTicks { tally.fewerTicks += 1 }
    if follower.budget.most > Self.usualTicks { tally.moreTicks += 1 }
  }

  /// Its certain world must be the keeper's at that tick.
  private func compare() {
    guard let replica, !driver.page.follower!.statistics.isDiverged else { return }
    let tick = replica.pit.tick
    guard tick != lastEqual else { return }
    let isEqual = keeper.tick(tick)?.hash == replica.pit.stateHash()
    if isEqual { lastEqual = tick }
    if isSpoiled {
      guard isEqual else { return }
      noteHealing()
    }
    tally.compared += 1
    tally.hashes += isEqual ? 1 : 0
    guard !isEqual else { return }
    fail("another world at tick \(tick)" + past(upTo: tick))
  }

  /// Its world, which was made wrong, is the keeper's again.
  private func noteHealing() {
    isSpoiled = false
    if let foundAt {
      tally.slowestHealing = max(tally.slowestHealing, Double(now - foundAt) / 1e9)
    } else if snapshots > snapshotsBefore {
      // One that was under way when the world was made wrong heals it before it is found.
      tally.overtaken += 1
    } else {
      tally.vanished += 1
      return
    }
    foundAt = nil
    tally.healed += 1
  }

  /// Since when its world may be wrong, and what was done since.
  private func past(upTo tick: UInt32) -> String {
    let since = lastEqual ?? tick &- 30
    return (lastEqual.map { ", the last equal one was that of \($0)" } ?? ", none was equal before")
      + "; after \(since) came\n" + keeper.told(after: since, upTo: tick)
  }

  /// Makes its certain world another one: it must find that out by itself, and be healed.
  /// - Parameter isExpected: whether that is no failure.
  /// - Returns: false while it has no world, or one that can't have the fault, or nothing arrives
  ///   that could tell it.
  func spoil(_ fault: WorldFault, isExpected: Bool) -> Bool {
    guard !isSpoiled, connection != nil, readAt == nil, let follower = driver.page.follower,
      let replica = follower.prediction?.replica
    else { return false }
    var pit = replica.pit
    do { try fault.spoil(&pit) } catch { return false }
    follower.begin(
      Replica(pit, replica.coder), after: driver.page.lastCommand, now: Double(now) / 1e6)
    guard isExpected else { return true }
    snapshotsBefore = snapshots
    self.fault = fault
    isSpoiled = true
    tally.spoiled += 1
    return true
  }

  // MARK: What happens to it

  /// Draws whether something happens to the line, the display or the stream.
  private func happen() {
    guard connection != nil, driver.page.welcome != nil, !isSpoiled else { return }
    switch chance.next(below: 2400) {
    case 0...1: leave(secondsAway: chance.nextFloat(0.1, 4))
    case 2 where chance.next(below: 4) == 0: leave(secondsAway: 33)
    case 3...6 where readAt == nil: stall(seconds: chance.nextFloat(0.05, 1))
    case 7 where readAt == nil: stall(seconds: chance.nextFloat(1, 8))
    case 8 where !isTaped:
      showAt = now + nanoseconds(chance.nextFloat(0.1, 5))
      tally.pauses += 1
    case 9 where switchAt == nil && mayAskAt <= now: change()
    case 10 where kind == .replica && mayAskAt <= now:
      mayAskAt = now + 3_000_000_000
      tally.askedAgain += 1
      send(driver.stream(kind, now: now))
    case 11 where !isTaped && chance.next(below: 2) == 0:
      // The page is loaded anew: it knows nothing, not even who it is.
      leave(secondsAway: 0.3)
      driver = PageDriver()
    default: break
    }
  }

  /// Ends what is over.
  private func end() {
    if let time = readAt, time <= now || isCalm {
      readAt = nil
      connection?.isReading = true
    }
    if let time = showAt, time <= now || isCalm { showAt = nil }
    if let time = switchAt, time <= now || isCalm, mayAskAt <= now, connection != nil { change() }
    if connection == nil, !isConnecting, returnAt <= now || isCalm {
      isConnecting = true
      clients().connect(faults: faults)
    }
  }

  private func leave(secondsAway: Float) {
    guard let connection else { return }
    person.letGo()
    (readAt, switchAt) = (nil, nil)
    returnAt = now + nanoseconds(secondsAway)
    self.connection = nil
    if chance.next(below: 2) == 0 {
      connection.close(.normal, reason: "")
    } else {
      clients().lose(connection.id)
    }
  }

  private func stall(seconds: Float) {
    connection?.isReading = false
    readAt = now + nanoseconds(seconds)
    tally.stalls += 1
  }

  /// From the log to states, or back.
  private func change() {
    mayAskAt = now + 2_000_000_000
    if kind == .replica {
      kind = .state
      switchAt = now + nanoseconds(chance.nextFloat(2, 5))
      tally.switches += 1
    } else {
      kind = .replica
      switchAt = nil
    }
    send(driver.stream(kind, now: now))
  }

  private func nanoseconds(_ seconds: Float) -> UInt64 { UInt64(Double(seconds) * 1e9) }

  // MARK: The connection

  private func send(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    _ = connection?.send(OutgoingFrame(copying: bytes))
  }

  func clientOpened(_ connection: any Connection) {
    self.connection = connection
    isConnecting = false
    kind = .replica
    nextSecond = now
    let hello = driver.hello(kind, now: now)
    tally.connections += 1
    if driver.page.kept != nil { tally.resumed += 1 }
    send(hello)
  }

  func client(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
    // What was under way when it left is nobody's any more.
    guard let own = self.connection, own.id == connection.id else { return }
    let before = driver.page.follower?.statistics.diverged ?? 0
    let code = driver.receive(bytes, now: now)
    let diverged = (driver.page.follower?.statistics.diverged ?? 0) > before
    if diverged { found() }
    guard code < 0 else {
      if bytes[0] == ServerMessageType.snapshot.rawValue, let replica {
        let snapshot = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        keeper.note(joiner: snapshot, hash: replica.pit.stateHash())
      }
      return
    }
    // States that were on their way when it changed to the log and back don't fit.
    let isState = StreamDecoder.accepts(bytes[0])
    if !diverged, !isState, !wasFound { fail("refused a message, \(code), type \(bytes[0])") }
    recover()
  }

  private func found() {
    guard isSpoiled else {
      let tick = replica?.pit.tick ?? 0
      return fail("found another world than the log's by tick \(tick)" + past(upTo: tick))
    }
    guard !wasFound else { return }
    foundAt = now
    tally.found += 1
    if let fault { tally.faults.insert(fault) }
  }

  private func everySecond() {
    guard nextSecond <= now else { return }
    nextSecond = now + 1_000_000_000
    send(driver.clock(now: now))
    recover()
  }

  private func recover() {
    switch driver.recover(now: now) {
    case 1: send(driver.stream(kind, now: now))
    case 2 where readAt == nil: leave(secondsAway: 0.3)
    default: break
    }
  }

  func clientClosed(_ connection: any Connection, code: CloseCode, reason: String) {
    guard self.connection?.id == connection.id else { return }
    fail("was closed: \(code) \(reason)")
    self.connection = nil
    returnAt = now + 300_000_000
  }

  func clientFailed(_ id: UInt64, error: TransportError) {
    isConnecting = false
    returnAt = now + 300_000_000
  }
}
