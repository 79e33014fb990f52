import Testing
import Transport
import Wire

@testable import Server

/// For an event, a hello or the end of a session only those are looked at whom it concerns.
@Suite struct OwedNoticesTests {
  private static let token = "the-token-of-the-host"

  /// An empty world, whose frames leave room in a pipe that is read.
  private func hosted(budgetBytes: Int = 65_536) throws -> VirtualServer {
    try VirtualServer(
      faults: NetworkFaults(budgetBytes: budgetBytes), bodies: 0,
      hostToken: HostToken(Self.token))
  }

  private func act(_ pit: VirtualServer, _ path: String, _ query: String = "") -> Int {
    let later = HTTPLater { _ in }
    let reply = pit.hub.act(
      on: HTTPRequest(
        method: "POST", path: HostDesk.path + path, query: query, remoteAddress: "192.0.2.99",
        authorization: "Bearer " + Self.token), later: later)
    withExtendedLifetime(later) {}
    guard case .response(let response) = reply else { return 0 }
    return response.status
  }

  @Test func whoKnowsEverythingIsOwedNothing() throws {
    let pit = try hosted()
    let probes = (0..<5).map { _ in Probe(pit) }
    pit.advance(seconds: 1)
    #expect(pit.hub.notices.isEmpty)
    #expect(act(pit, "notice", "text=Pause") == 200)
    // Between two deadlines, so that no tick comes in the next millisecond.
    pit.advance(seconds: 1 + 1.0 / 120)
    #expect(probes.allSatisfy { $0.hostNotices.count == 1 && $0.people?.count == 5 })
    #expect(pit.hub.notices.isEmpty, "the announcement holds on, and all have read it")
    let newcomer = Probe(pit)
    pit.advance(seconds: 0.001)
    let number = try #require(newcomer.welcome).clientID
    #expect(pit.hub.notices.host.sessions.map { $0.person?.id } == [number])
    pit.advance(seconds: 1)
    #expect(newcomer.hostNotices.count == 1 && probes.allSatisfy { $0.hostNotices.count == 1 })
    probes[0].leave()
    pit.advance(seconds: 1)
    #expect(newcomer.people?.count == 5 && pit.hub.notices.isEmpty)
  }

  /// Whoever only watches is in nobody's list: it is told the list, and nobody else is.
  @Test func aWatcherIsToldWhoIsHereAndNobodyElseIs() throws {
    let pit = try hosted()
    let (one, other) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 1)
    let told = one.peopleNotices
    let watcher = Probe(pit, hello: Hello(isWatching: true))
    pit.advance(seconds: 1)
    #expect(watcher.peopleNotices == 1 && watcher.people?.count == 2)
    watcher.leave()
    pit.advance(seconds: 1)
    #expect(one.peopleNotices == told && other.people?.count == 2)
    other.leave()
    pit.advance(seconds: 1)
    #expect(one.peopleNotices == told + 1 && one.people?.count == 1)
  }

  /// Whose pipe is full is the only one that is tried again, and is let go when it ends.
  @Test func onlyFullPipesAreTriedAgain() throws {
    // One message that is not read fills a pipe.
    let pit = try hosted(budgetBytes: 1)
    let (stuck, other) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 1)
    let number = try #require(stuck.welcome).clientID
    stuck.connection?.isReading = false
    pit.advance(seconds: 3)
    #expect(act(pit, "lock") == 200 && act(pit, "hide", "person=\(number)") == 200)
    pit.advance(seconds: 1)
    #expect(other.hostNotices.count == 1 && stuck.hostNotices.isEmpty)
    weak let session = pit.hub.byPerson[number]
    for list in [pit.hub.notices.people, pit.hub.notices.host, pit.hub.notices.name] {
      #expect(list.sessions.count == 1 && list.sessions.first === session)
    }
    stuck.leave()
    pit.advance(seconds: 1)
    #expect(stuck.closed != nil && pit.hub.notices.isEmpty)
    #expect(session == nil, "no list keeps it")
  }

  @Test func aDebtorIsVisitedOnceACallUntilItIsTold() throws {
    let pit = try hosted()
    let probe = Probe(pit)
    pit.advance(seconds: 1)
    let number = try #require(probe.welcome).clientID
    let session = try #require(pit.hub.byPerson[number])
    var debtors = Debtors(.news)
    for _ in 0..<3 { debtors.add(session) }
    var visits = 0
    for pipeIsFull in [true, true, false, true] {
      debtors.pay { _ in
        visits += 1
        return !pipeIsFull
      }
    }
    #expect(visits == 3 && debtors.isEmpty)
    debtors.add(session)
    #expect(debtors.sessions.count == 1, "it may be owed another one later")
  }
}
