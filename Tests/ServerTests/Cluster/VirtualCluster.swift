import TickLog
import Transport
import Wire

@testable import Server

/// A leader, a standby and two edges that share a world in memory. One seed is one run: what
/// happens to them, and what their clients do.
final class VirtualCluster {
  let seed: UInt64
  let network: MemoryNetwork
  let meeting: MemoryMeeting
  private(set) var members: [VirtualMember] = []
  private var nextID: UInt32 = 1
  private var sequences: [String: UInt32] = [:]
  private var isFaulty = true
  private(set) var faults: [String: Int] = [:]

  init(seed: UInt64, planted: PlantedFault? = nil) throws {
    self.seed = seed
    network = MemoryNetwork(seed: seed)
    meeting = MemoryMeeting(seed: seed, network: network, planted: planted)
    // Who may lead can be started as either.
    try start(seed % 2 == 0 ? .leader : .standby)
    network.advance(by: 1_000_000_000)
    for role in [ClusterSettings.Role.standby, .edge, .edge] { try start(role) }
    network.advance(by: 1_000_000_000)
    act()
  }

  /// - Parameter given: the member's number; nil for one that begins as some others' do.
  @discardableResult
  func start(_ role: ClusterSettings.Role, id given: UInt32? = nil) throws -> VirtualMember {
    let id = nextID
    nextID += 1
    // Member numbers decide which blocks they want first; some want the same.
    let number = given ?? (id % 3 + id << 8)
    let member = try VirtualMember("\(role)-\(id)", role, id: number, meeting)
    members.append(member)
    return member
  }

  var running: [VirtualMember] { members.filter { !$0.isKilled } }

  var leaders: [VirtualMember] { running.filter(\.isLeading) }

  // MARK: What clients do

  /// Each 50 ms somebody does something somewhere.
  private func act() {
    network.every(50_000_000) { [unowned self] in
      for member in running where member.firstNumber != nil && meeting.random(3) > 0 {
        let person = member.firstNumber! + UInt16(meeting.random(3))
        if meeting.random(4) > 0 {
          let x = Int16(meeting.random(200) - 100)
          member.post(.tilt(person: person, x: x, y: 100))
        } else {
          drop(at: member, person)
        }
      }
    }
  }

  /// A client drops a sticker.
  /// - Returns: the command's number.
  @discardableResult
  func drop(at member: VirtualMember, _ person: UInt16) -> UInt32 {
    let key = "\(member.name) \(person)"
    let sequence = (sequences[key] ?? 0) + 1
    sequences[key] = sequence
    member.post(
      .command(
        StampedCommand(
          person: person, sequence: sequence, command: .drop(kind: 1, x: 500, y: 500))))
    return sequence
  }

  // MARK: What happens to them

  /// Lets things go wrong for some time.
  func suffer(seconds: Int) throws {
    for _ in 0..<(seconds * 2) {
      try breakSomething()
      network.advance(by: 500_000_000)
      try replaceEnded()
    }
  }

  private func count(_ fault: String) { faults[fault, default: 0] += 1 }

  private func breakSomething() throws {
    let member = running[meeting.random(running.count)]
    let until = UInt64(200 + meeting.random(5000)) * 1_000_000
    switch meeting.random(12) {
    case 0:
      count("killed")
      member.kill()
    case 1:
      count("paused")
      member.link.isPaused = true
      network.schedule(after: until) { member.link.isPaused = false }
    case 2:
      count("cut off")
      member.link.isCut = true
      network.schedule(after: until) { member.link.isCut = false }
    case 3 where !meeting.isDown:
      count("log down")
      meeting.isDown = true
      network.schedule(after: until / 2) { [unowned self] in meeting.isDown = false }
    case 4:
      count("bad lines")
      meeting.faults.lost = meeting.random(100)
      meeting.faults.doubled = meeting.random(100)
      meeting.faults.stale = meeting.random(300)
    case 5:
      count("slow lines")
      meeting.faults.delay = 200_000...UInt64(1 + meeting.random(60)) * 1_000_000
    case 6:
      count("good lines")
      meeting.faults = MemoryMeeting.Faults()
    case 7:
      count("line held")
      member.link.isHeld = true
      network.schedule(after: until) { member.link.isHeld = false }
    case 8:
      count("log trimmed")
      meeting.trim()
    default: break
    }
  }

  /// Whoever ended is started again, as an operator's machine does it: leaders as standbys.
  private func replaceEnded() throws {
    for member in running where member.failure != nil { member.kill() }
    while running.count < 4 {
      let leading = running.filter { $0.member.settings.role != .edge }.count
      try start(leading < 2 ? .standby : .edge)
    }
  }

  /// All faults end; five seconds later all must be well.
  func recover() throws {
    meeting.faults = MemoryMeeting.Faults()
    meeting.isDown = false
    for member in running {
      member.link.isPaused = false
      member.link.isCut = false
    }
    for member in members { member.link.isHeld = false }
    try replaceEnded()
    // A leader that finds out now that it is none any more ends, and is started again.
    for _ in 0..<10 {
      network.advance(by: 500_000_000)
      try replaceEnded()
    }
  }

  // MARK: What must be

  /// Everything that must not be, of all that was shown so far.
  func violations() -> [String] {
    var violations = members.flatMap(\.problems) + meeting.problems
    var records: [UInt32: (record: [UInt8], name: String)] = [:]
    for member in members {
      for (tick, record) in member.shown {
        if let other = records[tick], other.record != record {
          violations.append("tick \(tick) is another one at \(member.name) than at \(other.name)")
        }
        records[tick] = (record, member.name)
      }
      if member.member.counts.mismatches > 0 {
        violations.append("\(member.name) had another world than the log")
      }
      var done: Set<UInt64> = []
      for outcome in member.outcomes where outcome.outcome == .carriedOut {
        let key = UInt64(outcome.person) << 32 | UInt64(outcome.sequence)
        if !done.insert(key).inserted {
          violations.append(
            "\(member.name): command \(outcome.sequence) of \(outcome.person) twice")
        }
      }
    }
    return violations
  }

  /// What is not well after a recovery.
  func complaints() -> [String] {
    var complaints: [String] = []
    if leaders.count != 1 {
      complaints.append(
        "\(leaders.count) leaders: \(running.map { "\($0.name) \($0.member.phase)" })")
    }
    let newest = running.map(\.lastShown).max() ?? 0
    let numbers = running.flatMap { $0.member.blocks.blocks }
    if Set(numbers).count < numbers.count { complaints.append("numbers were given twice") }
    for member in running where newest &- member.lastShown > 6 {
      complaints.append("\(member.name) is at \(member.lastShown), others at \(newest)")
    }
    var dropped: [(VirtualMember, UInt16, UInt32)] = []
    for member in running {
      guard let person = member.firstNumber.map({ $0 + 9 }) else {
        complaints.append("\(member.name) has no numbers")
        continue
      }
      dropped.append((member, person, drop(at: member, person)))
    }
    network.advance(by: 1_000_000_000)
    for (member, person, sequence) in dropped {
      let isDone = member.outcomes.contains { $0.person == person && $0.sequence == sequence }
      if !isDone { complaints.append("\(member.name)'s command was not heard of") }
    }
    return complaints
  }
}
