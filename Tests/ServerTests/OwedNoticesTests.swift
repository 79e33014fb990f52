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

  /// In a crowd that comes and goes all the time everybody is told the list more seldom, whoever
  /// comes at once, and when calm returns everybody the last one.
  @Test func aCrowdThatComesAndGoesIsToldSeldom() throws {
    let pit = try hosted()
    let crowd = (0..<300).map { Probe(pit, address: "192.0.2.\($0 % 250)") }
    pit.advance(seconds: 3)
    #expect(crowd.allSatisfy { $0.people?.count == 300 })
    let before = crowd[0].peopleNotices
    var newcomers: [Probe] = []
    for step in 0..<60 {
      let newcomer = Probe(pit, address: "198.51.100.\(step)")
      newcomers.append(newcomer)
      pit.advance(seconds: 0.1)
      #expect((newcomer.people?.count ?? 301) > 300)
      guard step >= 3 else { continue }
      #expect(newcomers[step - 3].peopleNotices > 0, "told within 0.4 s")
    }
    // 0.6 s and more for 300 people, and looks are 0.25 s apart: so one in 0.75 s.
    let told = crowd[0].peopleNotices - before
    #expect((6...9).contains(told), "\(told) lists in six seconds")
    pit.advance(seconds: 2)
    #expect((crowd + newcomers).allSatisfy { $0.people?.count == 360 && $0.failures.isEmpty })
    #expect(pit.hub.notices.isEmpty)
    // A change after a calm time is told at once.
    let last = crowd[0].peopleNotices
    crowd[1].leave()
    pit.advance(seconds: 0.4)
    #expect(crowd[0].peopleNotices == last + 1 && crowd[0].people?.count == 359)
  }

  /// A crowd hears of newcomers after a pause, and of a name that the host hides at once.
  @Test func aNameThatTheHostHidesIsNotReadUntilThePauseIsOver() throws {
    let pit = try hosted()
    let crowd = (0..<300).map { Probe(pit, address: "192.0.2.\($0 % 250)") }
    pit.advance(seconds: 3)
    let newest = Probe(pit, address: "198.51.100.1")
    // From here on the next list is more than 0.6 s away.
    let told = crowd[0].peopleNotices
    for _ in 0..<20 where crowd[0].peopleNotices == told { pit.advance(seconds: 0.05) }
    #expect(crowd[0].peopleNotices == told + 1 && crowd[0].people?.count == 301)
    let number = try #require(newest.welcome).clientID
    #expect(act(pit, "hide", "person=\(number)") == 200)
    pit.advance(seconds: 0.4)
    for probe in crowd {
      let first = try #require(probe.people?.listed.first)
      #expect(first.id == number && first.name.text == HostDesk.hiddenName)
    }
    // A removed person is not seen any longer either.
    #expect(act(pit, "kick", "person=\(number)") == 200)
    pit.advance(seconds: 0.4)
    #expect(crowd.allSatisfy { $0.people?.count == 300 && $0.failures.isEmpty })
    #expect(crowd[0].peopleNotices == told + 3)
  }

  /// The same for a name that a host gives at another server of the world. Whoever is removed there
  /// looks like those who leave, and these a crowd hears of after the pause.
  @Test func ofOtherServersOnlyNewNamesAreToldAtOnce() throws {
    let pit = try hosted()
    let crowd = (0..<300).map { Probe(pit, address: "192.0.2.\($0 % 250)") }
    pit.advance(seconds: 3)
    let directory = pit.server.directory
    func tellOthers(_ count: Int, _ name: String) throws {
      let other = Person(id: 40_000, colour: 1, name: try Name(name))
      directory.setOthers(count: count, listed: Array(repeating: other, count: min(count, 1)))
    }
    let before = crowd[0].peopleNotices
    try tellOthers(2, "Fox")
    for _ in 0..<20 where crowd[0].peopleNotices == before { pit.advance(seconds: 0.05) }
    #expect(crowd[0].people?.count == 302)
    // From here on the next list is more than 0.55 s away, and the looks after 0.25 and 0.5 s.
    try tellOthers(1, "Fox")
    pit.advance(seconds: 0.3)
    #expect(crowd[0].peopleNotices == before + 1, "one left there")
    try tellOthers(1, "Owl")
    pit.advance(seconds: 0.24)
    #expect(crowd.allSatisfy { $0.people?.count == 301 && $0.failures.isEmpty })
    #expect(crowd[0].peopleNotices == before + 2)
    try tellOthers(0, "Owl")
    pit.advance(seconds: 1)
    #expect(crowd.allSatisfy { $0.people?.count == 300 })
  }

  /// However large the crowd, and though its list changes all the time.
  @Test func listsOfPeopleAreABoundedPartOfWhatIsSent() {
    let look = 0.25
    for present in 1...4096 {
      let pause = max(look, Double(OwedNotices.peoplePause(of: present)) / 1e9)
      #expect(pause <= 2, "no pause is longer")
      #expect(Double(present) / pause <= max(500.001, Double(present) / 2), "\(present) people")
      if present <= 125 { #expect(pause == look, "few hear it as soon as they are looked at") }
    }
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
