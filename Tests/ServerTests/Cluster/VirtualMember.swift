import Foundation
import Logging
import Simulation
import TickLog
import Transport
import Wire

@testable import Server

/// One server of a simulated cluster: the real member, the real tick thread's half and the real
/// exchange on a virtual clock; its clients are inputs that a test posts.
final class VirtualMember {
  let name: String
  let link: MemoryLink
  let member: ClusterMember
  let exchange: Exchange
  let directory: Directory
  let handOvers = HandOverBox(networkThreads: 1)
  private let network: MemoryNetwork
  private let meeting: MemoryMeeting
  private(set) var runner: WorldRunner?
  private var schedule: TickSchedule
  private var posted = PostedInputs()
  private var publications: [Publication] = []
  /// Records that clients here have been shown, by tick.
  private(set) var shown: [UInt32: [UInt8]] = [:]
  private(set) var lastShown: UInt32 = 0
  private(set) var outcomes: [StampedOutcome] = []
  private(set) var lateTilts: [PersonsLateTilt] = []
  /// Set for a process that was killed.
  private(set) var isKilled = false
  /// What went wrong with what was shown.
  private(set) var problems: [String] = []
  private var lastShownAt: UInt64 = 0
  /// The longest time without a new tick, in seconds.
  private(set) var longestStandstill = 0.0

  init(
    _ name: String, _ role: ClusterSettings.Role, id: UInt32, _ meeting: MemoryMeeting,
    bodies: Int = 12
  ) throws {
    self.name = name
    self.meeting = meeting
    network = meeting.network
    let (network, link) = (meeting.network, meeting.link())
    self.link = link
    let pit = try PitConfiguration(scene: .pit, bodies: bodies, maxBodies: 40, seed: 7)
    let settings = ClusterSettings(world: "virtual", role: role) { link }
    member = ClusterMember(
      settings, id: MemberID(id), link: link, log: Self.log(name, network), now: network.now
    ) { () throws(PitError) in try WorldStart(pit) }
    let limits = Limits()
    exchange = Exchange(limits: limits)
    directory = Directory(
      People(
        capacity: 100, takeOvers: TokenBucket(perSecond: 1, burst: 1),
        mint: TokenMint(TokenKey(bytes: Array("virtual".utf8), isKept: false)),
        wallClock: { 0 }, usesBlocks: true))
    schedule = TickSchedule(start: network.now)
    let box = Unchecked(self)
    link.startAtOnce { events in
      guard !box.value.isKilled else { return }
      box.value.member.handle(events) { box.value.network.now }
    }
    turn()
  }

  /// With STICKERPIT_CLUSTER_LOG members say what happens to them, on standard error.
  private static func log(_ name: String, _ network: MemoryNetwork) -> ServerLog {
    guard ProcessInfo.processInfo.environment["STICKERPIT_CLUSTER_LOG"] != nil else { return .none }
    var logger = Logger(label: name)
    logger.logLevel = .info
    let clock = UncheckedNetwork(value: network)
    return ServerLog(logger, clock: { clock.value.now })
  }

  private struct UncheckedNetwork: @unchecked Sendable {
    let value: MemoryNetwork
  }

  /// A simulation has one thread.
  private struct Unchecked: @unchecked Sendable {
    unowned let value: VirtualMember
    init(_ value: VirtualMember) { self.value = value }
  }

  private var isRunning: Bool { !isKilled && !link.isPaused }

  private func turn() {
    network.schedule(after: 2_000_000) { [weak self] in
      guard let self, !isKilled else { return }
      if isRunning {
        if member.isReady, member.attachment == nil { attach() }
        member.turn(now: network.now)
      }
      turn()
    }
  }

  private func attach() {
    member.attach(
      ClusterMember.Attachment(
        exchange: exchange, directory: directory, handOvers: handOvers, limits: Limits(),
        checksFrames: false,
        wake: { [unowned self] in show() },
        lead: { [unowned self] start, desk in lead(start, desk) },
        worker: { $0() }),
      now: network.now)
  }

  private func lead(_ start: WorldStart, _ desk: LeaderDesk) {
    let network = network
    runner = WorldRunner(
      start: start, limits: Limits(), checksFrames: false, exchange: exchange,
      metrics: ServerMetrics(networkThreads: 1) { 0 }, journal: nil, leader: desk, log: .none,
      clock: { network.now })
    schedule = TickSchedule(start: network.now)
    tick()
  }

  private func tick() {
    network.schedule(after: schedule.deadline - min(network.now, schedule.deadline)) {
      [weak self] in
      guard let self, !isKilled else { return }
      if isRunning {
        schedule.skipStandstill(now: network.now)
        runner?.runTick(deadline: schedule.deadline, lostTicks: schedule.lost)
        schedule.advance()
        tick()
      } else {
        network.schedule(after: 10_000_000) { [weak self] in self?.tick() }
      }
    }
  }

  private func show() {
    exchange.lanes[0].exchange(&publications)
    for publication in publications {
      if lastShown != 0, publication.tick != lastShown.nextTick, !isAnew(publication) {
        problems.append("\(name): tick \(publication.tick) was shown after \(lastShown)")
      }
      if meeting.records[publication.tick] != publication.record {
        problems.append("\(name): tick \(publication.tick) was shown and is not in the log")
      }
      if lastShownAt != 0 {
        longestStandstill = max(longestStandstill, Double(network.now - lastShownAt) / 1e9)
      }
      lastShownAt = network.now
      lastShown = publication.tick
      shown[publication.tick] = publication.record
      outcomes.append(contentsOf: publication.outcomes)
      lateTilts.append(contentsOf: publication.lateTilts)
    }
  }

  /// A member that took another world begins anew with it.
  private func isAnew(_ publication: Publication) -> Bool {
    defer { worldNumber = publication.worldNumber }
    return publication.worldNumber != worldNumber
  }
  private var worldNumber = 0

  /// A client does something here.
  func post(_ input: Exchange.Input) {
    exchange.lanes[0].post(input, &posted)
  }

  /// The numbers that clients here get.
  var firstNumber: UInt16? { member.blocks.blocks.first?.numbers.lowerBound }

  var isLeading: Bool { if case .leading = member.phase { true } else { false } }

  var failure: ClusterError? {
    if case .over(let error) = member.phase { error } else { nil }
  }

  /// The process is gone, without a farewell.
  func kill() {
    isKilled = true
    link.close()
  }
}
