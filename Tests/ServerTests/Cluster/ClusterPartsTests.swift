import Testing
import TickLog
import Wire

@testable import Server

/// The parts of a member one by one; what they do together, `ClusterSimulationTests` tries.
@Suite struct ClusterPartsTests {
  /// Notes what is asked of it.
  private final class Asked: ClusterLink, @unchecked Sendable {
    var appended: [(bytes: [UInt8], after: UInt64, id: String)] = []
    var messages: [UInt64] = []
    var ends: [UInt64] = []
    var inputs: [UInt32] = []
    var claims: [UInt64] = []

    func start(_ deliver: @escaping @Sendable (LinkEvent) -> Void) {}
    func append(_ bytes: [UInt8], after sequence: UInt64, id: String, token: UInt64) {
      appended.append((bytes, sequence, id))
    }
    func askMessage(_ sequence: UInt64, token: UInt64) { messages.append(sequence) }
    func askEnd(token: UInt64) { ends.append(token) }
    func keep(world bytes: [UInt8]) {}
    func askWorld(token: UInt64) {}
    func claim(_ key: ClaimKey, by member: UInt32, revision: UInt64, token: UInt64) {
      claims.append(revision)
    }
    func send(inputs bytes: [UInt8]) {
      if let message = try? InputsMessage(bytes) { inputs.append(message.number) }
    }
    func send(presence bytes: [UInt8]) {}
    func close() {}
  }

  private static let millisecond: UInt64 = 1_000_000

  /// A log of so many ticks, each behind the one before.
  private static func log(_ count: Int) -> [[UInt8]] {
    var cursor = LogCursor()
    return (1...count).map { position in
      let message = LogMessage(
        epoch: 1, position: UInt64(position), before: cursor.link, record: [0x90])
      let bytes = message.encoded()
      cursor.advance(message, bytes: bytes)
      return bytes
    }
  }

  @Test func messagesAreReadInTheirOrder() throws {
    let log = Self.log(5)
    var reader = Server.LogReader(LogCursor(), now: 0)
    var read: [UInt64] = []
    for sequence in [3, 1, 1, 5, 2, 3, 4] as [UInt64] {
      let problem = try reader.receive(log[Int(sequence) - 1], sequence, now: 0) {
        read.append($0.position)
      }
      #expect(problem == nil)
    }
    #expect(read == [1, 2, 3, 4, 5] && reader.cursor.sequence == 5)
  }

  @Test func whatIsMissingIsAskedForOnce() throws {
    let log = Self.log(5)
    let link = Asked()
    var reader = Server.LogReader(LogCursor(), now: 0)
    _ = try reader.receive(log[3], 4, now: 0) { _ in }
    let first = reader.turn(link, now: 1, token: 1)
    #expect(first == 3 && link.messages == [1, 2, 3])
    let second = reader.turn(link, now: 2, token: 2)
    #expect(second == 0)
    _ = try reader.receive(log[0], 1, now: 3) { _ in }
    let third = reader.turn(link, now: 4, token: 3)
    #expect(third == 0, "two are still on their way")
    let fourth = reader.turn(link, now: 400 * Self.millisecond, token: 4)
    #expect(fourth == 2)
    #expect(link.messages == [1, 2, 3, 2, 3])
  }

  @Test func aLogThatWasTrimmedOrBeganAnewIsTold() throws {
    let log = Self.log(3)
    let link = Asked()
    var reader = Server.LogReader(LogCursor(), now: 0)
    _ = reader.turn(link, now: 1, token: 7)
    let other = reader.receiveEnd(token: 6, first: 9, last: 20)
    #expect(other == nil, "an answer to another question")
    let trimmed = reader.receiveEnd(token: 7, first: 9, last: 20)
    #expect(trimmed == .trimmed)

    reader = Server.LogReader(LogCursor(), now: 0)
    for (index, bytes) in log.enumerated() {
      _ = try reader.receive(bytes, UInt64(index + 1), now: 10) { _ in }
    }
    _ = reader.turn(link, now: 5, token: 8)
    let overtaken = reader.receiveEnd(token: 8, first: 1, last: 2)
    #expect(overtaken == nil, "messages overtook the answer")
    reader.forgetEnd()
    _ = reader.turn(link, now: 20, token: 9)
    let doubted = reader.receiveEnd(token: 9, first: 1, last: 2)
    #expect(doubted == nil, "who tells it may have yet to look at all that there is")
    #expect(!reader.isAtEnd)
    _ = reader.turn(link, now: 20 + Server.LogReader.doubt, token: 10)
    let problem = reader.receiveEnd(token: 10, first: 1, last: 2)
    #expect(problem == .broken("the log ends at 2, before 3, which was read"))
  }

  @Test func whatFollowsOnAnotherMessageIsBroken() throws {
    var reader = Server.LogReader(LogCursor(), now: 0)
    _ = try reader.receive(Self.log(1)[0], 1, now: 0) { _ in }
    for message in [
      LogMessage(epoch: 1, position: 2, before: 0, record: [0x90]),
      LogMessage(epoch: 0, position: 2, before: reader.cursor.link, record: [0x90]),
      LogMessage(epoch: 1, position: 3, before: reader.cursor.link, record: [0x90]),
      LogMessage(epoch: 1, position: 2, before: reader.cursor.link),
    ] {
      var reader = reader
      var count = 0
      let problem = try reader.receive(message.encoded(), 2, now: 0) { _ in count += 1 }
      #expect(problem != nil && count == 0)
    }
    let malformed = try reader.receive([1, 2], 2, now: 0) { _ in }
    #expect(malformed != nil)
  }

  @Test func oneTickIsUnderWayAtATime() throws {
    let link = Asked()
    let ticks = PendingTicks(LogCursor(), member: MemberID(1), link: link)
    for tick in 1...3 { ticks.offer(Self.publication(tick), TickHealth(), taken: [], now: 0) }
    #expect(link.appended.map(\.after) == [0] && ticks.waiting.ticks == 3)
    guard case .stored(let first) = ticks.answered(token: 1, .stored(1), now: 1) else {
      return #expect(Bool(false))
    }
    #expect(first.publication.tick == 1 && link.appended.map(\.after) == [0, 1])
    // An answer that comes twice shows nothing twice.
    if case .stored = ticks.answered(token: 1, .stored(1), now: 1) { Issue.record("shown twice") }
    ticks.turn(now: 100 * Self.millisecond)
    #expect(link.appended.count == 2)
    ticks.turn(now: 400 * Self.millisecond)
    #expect(link.appended.map(\.id) == ["1-1", "1-2", "1-2"], "the same message again")
  }

  @Test func anotherWritersMessageIsNoneOfOurs() {
    let ticks = PendingTicks(LogCursor(), member: MemberID(1), link: Asked())
    ticks.offer(Self.publication(1), TickHealth(), taken: [], now: 0)
    guard case .mustLook = ticks.answered(token: 1, .otherEnd, now: 1) else {
      return #expect(Bool(false))
    }
    #expect(ticks.found([1, 2, 3], at: 1, now: 1) == nil)
    #expect(ticks.waiting.ticks == 1)
  }

  @Test func aLogThatTakesNothingHoldsTheWorld() {
    let ticks = PendingTicks(LogCursor(), member: MemberID(1), link: Asked())
    for tick in 1...PendingTicks.most {
      #expect(ticks.mayTick())
      ticks.offer(Self.publication(tick), TickHealth(), taken: [], now: 0)
    }
    #expect(!ticks.mayTick() && ticks.waiting.standstills == 1)
    ticks.end()
    #expect(!ticks.mayTick() && ticks.waiting.ticks == 0)
  }

  private static func publication(_ tick: Int) -> Publication {
    let publication = Publication()
    publication.tick = UInt32(tick)
    publication.record = [0x90]
    return publication
  }

  @Test func inputsAreTakenOnceAndInTheirOrder() {
    let inputs = MemberInputs([MemberID(1): 2])
    let left = { (person: UInt16) in MemberInput.left(person: person, sequence: 1) }
    for (number, isNew) in [(4, true), (2, false), (3, true), (4, false), (3, false), (90, false)] {
      let message = InputsMessage(
        member: MemberID(1), number: UInt32(number), inputs: [left(UInt16(number))])
      #expect(inputs.receive(message) == isNew, "\(number)")
    }
    var taken: [MemberInput] = []
    #expect(inputs.take(into: &taken) == [InputsTaken(member: MemberID(1), count: 4)])
    #expect(taken == [left(3), left(4)])
    #expect(inputs.take(into: &taken).isEmpty && taken.isEmpty)
  }

  @Test func membersThatAreGoneMakeRoomForOthers() {
    let inputs = MemberInputs([:])
    func send(_ member: Int, _ number: UInt32 = 1) -> Bool {
      inputs.receive(InputsMessage(member: MemberID(UInt32(member)), number: number, inputs: []))
    }
    var taken: [MemberInput] = []
    for member in 1...ClusterLimits.members { #expect(send(member)) }
    _ = inputs.take(into: &taken)
    #expect(!send(1000), "the table is full")
    #expect(send(1, 2))
    inputs.forgetGone { $0.value > 250 }
    #expect(inputs.take(into: &taken) == [InputsTaken(member: MemberID(1), count: 2)])
    #expect(send(1000) && send(251, 2) && !send(251, 1))
    inputs.forgetGone { $0.value > 251 }
    #expect(!send(251, 2), "with room for all nobody is forgotten")
  }

  @Test func inputsAreSentAgainUntilTheLogHasThem() {
    let link = Asked()
    var forwarder = InputForwarder(MemberID(1))
    for _ in 0..<3 { forwarder.send([], wantsWorld: true, to: link, now: 0) }
    forwarder.taken(1, now: 10 * Self.millisecond)
    forwarder.turn(link, now: 200 * Self.millisecond)
    #expect(link.inputs == [1, 2, 3])
    forwarder.turn(link, now: 300 * Self.millisecond)
    #expect(link.inputs == [1, 2, 3, 2, 3] && forwarder.repeated == 2)
    forwarder.taken(3, now: 0)
    forwarder.turn(link, now: 900 * Self.millisecond)
    #expect(link.inputs.count == 5)
  }

  @Test func aClaimIsRenewedByItsRevision() {
    let link = Asked()
    var claim = Claim(.leader)
    var requests: [Claim.Request] = []
    func turn(_ milliseconds: UInt64) {
      claim.turn(link, by: MemberID(1), now: milliseconds * Self.millisecond) {
        requests.append($0)
        return UInt64(requests.count)
      }
    }
    turn(0)
    turn(10)
    #expect(link.claims == [0] && requests.count == 1, "a turn that asks nothing keeps nothing")
    let isKept = claim.answered(requests[0], 5)
    #expect(isKept && claim.isHeld)
    turn(500)
    turn(1000)
    #expect(link.claims == [0, 5, 5])
    // Both arrive at once: the second names a revision that is not the last one any more.
    let answers = [claim.answered(requests[1], 6), claim.answered(requests[2], nil)]
    #expect(answers == [true, true] && claim.isHeld)
    turn(1500)
    let isLost = !claim.answered(requests[3], nil)
    #expect(isLost && !claim.isHeld)
  }

  @Test func aClaimThatNobodyConfirmsRunsOut() {
    let link = Asked()
    var claim = Claim(.block(3))
    let request = Claim.Request(key: .block(3), revision: 0, at: 1000 * Self.millisecond)
    claim.turn(link, by: MemberID(1), now: 0) { _ in 1 }
    _ = claim.answered(request, 4)
    let ends = [120_999, 121_001].map { claim.runsOut(now: $0 * Self.millisecond) }
    #expect(ends == [false, true] && !claim.isHeld)
  }

  @Test func numbersAreThoseOfBlocks() {
    var numbers = Numbers()
    #expect(numbers.areGone && numbers.needsMore)
    numbers.add(NumberBlock(index: 2))
    let given = [numbers.take(beyond: false), numbers.take(beyond: true)]
    #expect(given == [512, 513])
    let certain = [numbers.take(3), numbers.take(600), numbers.take(600)]
    #expect(certain == [false, true, false], "3 is another server's")
    for _ in 0..<200 { _ = numbers.take(beyond: false) }
    #expect(numbers.needsMore)
    numbers.giveBack(600)
    numbers.remove(NumberBlock(index: 2))
    let none = numbers.take(beyond: false)
    #expect(none == nil)
  }

  @Test func membersAreGoneAfterAWhileOrAtOnce() {
    var members = Members(own: MemberID(1))
    let person = Person(id: 300, colour: 1, name: try! Name("Fox"))
    for id: UInt32 in [1, 2, 3] {
      let presence = PresenceMessage(
        member: MemberID(id), role: .edge, people: 4, listed: [person],
        blocks: [NumberBlock(index: UInt8(id))])
      let leaves = members.receive(presence, now: UInt64(id) * 1_000_000_000)
      #expect(!leaves)
    }
    #expect(members.people.count == 8 && members.people.listed.count == 2)
    #expect(members.owner(of: 2 * 256) == MemberID(2) && members.owner(of: 1 * 256) == nil)
    let leaves = members.receive(PresenceMessage(member: MemberID(3), role: .leaving), now: 0)
    let early = (1...6).flatMap { members.expire(now: $0 * 1_000_000_000) }
    let late = members.expire(now: 7_100_000_000)
    #expect(leaves && early.isEmpty && late == [MemberID(2)] && members.count == 0)
  }

  @Test func nobodyIsGoneBecauseThisOneStoodStill() {
    var members = Members(own: MemberID(1))
    let presence = PresenceMessage(member: MemberID(2), role: .edge)
    _ = members.receive(presence, now: 0)
    let woken = members.expire(now: 60_000_000_000)
    members.listen(since: 64_000_000_000)
    let again = [62, 64, 66, 68].flatMap { members.expire(now: $0 * 1_000_000_000) }
    let gone = [70].flatMap { members.expire(now: $0 * 1_000_000_000) }
    #expect(woken.isEmpty && again.isEmpty && gone == [MemberID(2)])
  }
}
