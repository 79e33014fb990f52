import Determinism
import Simulation
import TickLog
import Transport
import Wire

@testable import Server

/// The place where the servers of a world meet, in memory and on a virtual clock: what NATS with
/// JetStream promises (`ClusterLink`), with seeded faults, and nothing that it does not promise.
final class MemoryMeeting {
  /// What happens to messages on their way.
  struct Faults {
    /// Nanoseconds in each direction.
    var delay: ClosedRange<UInt64> = 200_000...1_000_000
    /// Of a thousand messages, so many are lost, and so many come twice.
    var lost = 0
    var doubled = 0
    /// Of a thousand worlds that are asked for, so many are the one before the newest.
    var stale = 0
  }

  let network: MemoryNetwork
  var faults = Faults()
  /// What is broken all the time, so that the checks must find it.
  let planted: PlantedFault?
  /// Nobody reaches it, as if it were killed; what it stored is there when it is back.
  var isDown = false {
    didSet { for link in links { link.noticeLine() } }
  }
  /// The log; the first message has number 1.
  private(set) var log: [[UInt8]] = []
  /// The number of the first message that it still tells.
  fileprivate private(set) var first: UInt64 = 1
  /// The record of each tick that the log has, and what is wrong with the log itself.
  private(set) var records: [UInt32: [UInt8]] = [:]
  private(set) var problems: [String] = []
  private var cursor = LogCursor()
  private var hasForgotten = false
  private var numbers: [String: UInt64] = [:]
  private var worlds: [[UInt8]] = []
  private var claims: [ClaimKey: (revision: UInt64, made: UInt64)] = [:]
  private var revision: UInt64 = 0
  private var links: [MemoryLink] = []
  private var chance: RandomGenerator

  init(seed: UInt64, network: MemoryNetwork, planted: PlantedFault? = nil) {
    chance = RandomGenerator(seed: seed)
    self.planted = planted
    self.network = network
  }

  func link() -> MemoryLink {
    let link = MemoryLink(self)
    links.append(link)
    return link
  }

  func forget(_ link: MemoryLink) { links.removeAll { $0 === link } }

  func random(_ bound: Int) -> Int {
    Int(chance.next() % UInt64(bound))
  }

  /// Lets something cross the network once, never or twice.
  fileprivate func cross(_ link: MemoryLink, _ arrive: @escaping () -> Void) {
    guard !isDown, !link.isCut, random(1000) >= faults.lost else { return }
    for _ in 0..<(random(1000) < faults.doubled ? 2 : 1) {
      let span = Int(faults.delay.upperBound - faults.delay.lowerBound) + 1
      network.schedule(after: faults.delay.lowerBound + UInt64(random(span))) {
        if !self.isDown, !link.isCut { arrive() }
      }
    }
  }

  /// Lets what a member says cross the network, now or when its line lets go of it.
  fileprivate func reach(from link: MemoryLink, _ arrive: @escaping () -> Void) {
    if link.isHeld { link.held.append(arrive) } else { cross(link, arrive) }
  }

  fileprivate func answer(_ link: MemoryLink, _ event: LinkEvent) {
    cross(link) { link.deliver(event) }
  }

  // MARK: What is asked here

  fileprivate func append(_ bytes: [UInt8], after: UInt64, id: String) -> AppendAnswer {
    if let number = numbers[id] { return .stored(number) }
    guard after == UInt64(log.count) || planted == .fenceIgnored else { return .otherEnd }
    if planted == .tickForgotten, after + 1 == PlantedFault.begins, !hasForgotten {
      hasForgotten = true
      return .stored(after + 1)
    }
    log.append(bytes)
    let number = UInt64(log.count)
    check(bytes, number)
    numbers[id] = number
    for link in links {
      if let bytes = message(number, to: link) {
        answer(link, .stored(sequence: number, bytes))
      }
    }
    return .stored(number)
  }

  /// Each message must follow on the one before.
  private func check(_ bytes: [UInt8], _ number: UInt64) {
    guard let message = try? LogMessage(bytes) else {
      return problems.append("message \(number) of the log is none")
    }
    if let problem = cursor.problem(message, at: number) {
      problems.append("the log is broken: \(problem)")
    }
    cursor.advance(message, bytes: bytes)
    let tick = UInt32(truncatingIfNeeded: message.position)
    if message.isTick, records[tick] == nil { records[tick] = message.record }
  }

  fileprivate func message(_ sequence: UInt64, to link: MemoryLink) -> [UInt8]? {
    guard sequence >= first else { return nil }
    if let planted, link === links.last { return planted.read(sequence, of: log) }
    return sequence <= UInt64(log.count) ? log[Int(sequence) - 1] : nil
  }

  /// The log lets go of what is old, as a stream with limits does: of all before the newest kept
  /// world at most.
  func trim() {
    guard let newest = worlds.last.flatMap({ try? WorldMessage($0) }) else { return }
    let rest = UInt64(random(240))
    first = max(first, newest.sequence - min(newest.sequence - 1, rest))
  }

  fileprivate func keep(_ world: [UInt8]) {
    worlds = worlds.suffix(1) + [planted?.kept(world) ?? world]
  }

  fileprivate var world: [UInt8]? { random(1000) < faults.stale ? worlds.first : worlds.last }

  fileprivate func claim(_ key: ClaimKey, revision given: UInt64) -> UInt64? {
    let seconds =
      switch key {
      case .leader: ClaimKey.leaderSeconds
      case .block: ClaimKey.blockSeconds
      }
    let isForEver = planted == .leaderForEver && key == .leader
    if let claim = claims[key], Double(network.now - claim.made) > seconds * 1e9, !isForEver {
      claims[key] = nil
    }
    let isForAll = planted == .numbersGivenTwice && key != .leader
    guard given == claims[key]?.revision ?? 0 || isForAll else { return nil }
    revision += 1
    claims[key] = (revision, network.now)
    return revision
  }

  fileprivate func tellAll(_ event: LinkEvent) {
    if planted == .inputsLost, case .inputs = event { return }
    for link in links { answer(link, event) }
  }
}

/// A member's end of the meeting.
///
/// Sendable because a simulation has one thread.
final class MemoryLink: ClusterLink, @unchecked Sendable {
  private unowned let meeting: MemoryMeeting
  private var tell: (([LinkEvent]) -> Void)?
  /// Nothing passes in either direction.
  var isCut = false {
    didSet { noticeLine() }
  }
  /// What this member says is held up on the way, and arrives all at once afterwards, also if it
  /// has ended meanwhile.
  var isHeld = false {
    didSet {
      guard !isHeld else { return }
      let late = held
      held = []
      for arrive in late { meeting.cross(self, arrive) }
    }
  }
  fileprivate var held: [() -> Void] = []
  /// What was told of the line last.
  private var isUp = true
  /// The process stands still: what arrives waits for it.
  var isPaused = false {
    didSet {
      guard !isPaused else { return }
      let events = waiting
      waiting = []
      tell?(events)
    }
  }
  private var waiting: [LinkEvent] = []
  private var earlier: [MemberInput] = []
  private var hadWorld = false

  fileprivate init(_ meeting: MemoryMeeting) { self.meeting = meeting }

  /// Tells in a while whether the meeting can be reached: that nothing comes any more takes longer
  /// to be noticed than that somebody answers.
  fileprivate func noticeLine() {
    let longest = isCut || meeting.isDown ? 2000 : 200
    meeting.network.schedule(after: UInt64(meeting.random(longest)) * 1_000_000) { [self] in
      let isReached = !isCut && !meeting.isDown
      guard isReached != isUp else { return }
      isUp = isReached
      deliver(.connection(isUp: isUp))
    }
  }

  fileprivate func deliver(_ event: LinkEvent) {
    guard !isPaused else { return waiting.append(event) }
    tell?([event])
  }

  func start(_ deliver: @escaping @Sendable (LinkEvent) -> Void) {
    startAtOnce { events in for event in events { deliver(event) } }
  }

  /// Begins, and tells at once what waited for a process that stood still.
  func startAtOnce(_ deliver: @escaping ([LinkEvent]) -> Void) {
    tell = deliver
    deliver([.connection(isUp: true)])
  }

  func append(_ bytes: [UInt8], after sequence: UInt64, id: String, token: UInt64) {
    if meeting.planted == .shownBeforeStored {
      meeting.network.schedule(after: 1) { [self] in
        deliver(.append(token: token, .stored(sequence + 1)))
      }
    }
    meeting.reach(from: self) { [meeting] in
      let answer = meeting.append(bytes, after: sequence, id: id)
      meeting.answer(self, .append(token: token, answer))
    }
  }

  func askMessage(_ sequence: UInt64, token: UInt64) {
    meeting.reach(from: self) { [meeting] in
      let message = meeting.message(sequence, to: self)
      meeting.answer(self, .message(token: token, sequence: sequence, message))
    }
  }

  func askEnd(token: UInt64) {
    meeting.reach(from: self) { [meeting] in
      let last = UInt64(meeting.log.count)
      let first = last == 0 ? 0 : meeting.first
      meeting.answer(self, .end(token: token, first: first, last: last))
    }
  }

  func keep(world bytes: [UInt8]) { meeting.reach(from: self) { [meeting] in meeting.keep(bytes) } }

  func askWorld(token: UInt64) {
    meeting.reach(from: self) { [meeting] in
      meeting.answer(self, .world(token: token, self.given(meeting.world)))
    }
  }

  /// A world on its way here.
  private func given(_ world: [UInt8]?) -> [UInt8]? {
    guard let world, meeting.planted == .firstWorldChanged, !hadWorld else { return world }
    hadWorld = true
    return try? PlantedFault.other(world)
  }

  func claim(_ key: ClaimKey, by member: UInt32, revision: UInt64, token: UInt64) {
    meeting.reach(from: self) { [meeting] in
      let revision = meeting.claim(key, revision: revision)
      meeting.answer(self, .claim(token: token, revision: revision))
    }
  }

  func send(inputs bytes: [UInt8]) {
    let sent = meeting.planted == .inputsCountAgain ? withEarlier(bytes) : bytes
    meeting.reach(from: self) { [meeting] in meeting.tellAll(.inputs(sent)) }
  }

  /// What clients did before, in front of what they do now.
  private func withEarlier(_ bytes: [UInt8]) -> [UInt8] {
    guard var message = try? InputsMessage(bytes) else { return bytes }
    defer { earlier = message.inputs }
    message.inputs = Array((earlier + message.inputs).prefix(ClusterLimits.inputs))
    return message.encoded()
  }

  func send(presence bytes: [UInt8]) {
    meeting.reach(from: self) { [meeting] in meeting.tellAll(.presence(bytes)) }
  }

  func close() { meeting.forget(self) }
}
