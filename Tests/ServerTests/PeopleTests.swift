import Synchronization
import Testing
import Transport
import Wire

@testable import Server

@Suite struct PeopleTests {
  private let home = AddressPrefix("192.0.2.1")

  private func people(capacity: Int = 8) -> People {
    People(
      capacity: capacity, takeOvers: TokenBucket(perSecond: 1, burst: 4),
      mint: TokenMint(TokenKey()), wallClock: { 1000 })
  }

  private func admit(
    _ people: inout People, token: SessionToken?, at now: UInt64
  ) throws -> PersonRecord {
    let admitted = people.admit(token: token, at: now)
    return try #require(admitted)
  }

  @Test func namesAndColoursAreDistinct() {
    let distinct = 47 * 53
    let names = Set((1...distinct).map { People.name(of: UInt16($0)) })
    #expect(names.count == distinct)
    #expect(People.name(of: UInt16(distinct + 1)) == People.name(of: 1) + " 2")
    #expect(names.allSatisfy { $0.utf8.count <= 32 })
  }

  /// A notice lists twelve people side by side.
  @Test func coloursOfNeighboursAreEasyToTellApart() {
    for first in 1...500 {
      for second in (first + 1)..<(first + 12) {
        let (one, other) = (Person.colour(of: UInt16(first)), Person.colour(of: UInt16(second)))
        let distances = [0, 8, 16].map { shift in
          abs(Int(one >> shift & 255) - Int(other >> shift & 255))
        }
        #expect(distances.max()! >= 24, "\(first) and \(second)")
      }
    }
  }

  @Test func whoeverReturnsInTimeIsTheSame() throws {
    var people = people()
    let first = try admit(&people, token: nil, at: 0)
    people.left(first, from: home, expires: 3600)
    let stranger = try admit(&people, token: nil, at: 10)
    #expect(stranger.id != first.id)
    let back = try admit(&people, token: first.token, at: 3599)
    #expect(back.id == first.id)
    #expect(back.identity == first.identity)
  }

  @Test func aPlaceIsKeptForNobodyForever() throws {
    var people = people()
    let first = try admit(&people, token: nil, at: 0)
    people.left(first, from: home, expires: 3600)
    let later = try admit(&people, token: first.token, at: 3600)
    // The number is free again, the person a new one.
    #expect(later.id == first.id)
    #expect(later.token != first.token)
  }

  @Test func theAbsentGiveWayToThePresent() throws {
    var people = people(capacity: 2)
    let present = try (0..<4).map { _ in try admit(&people, token: nil, at: 0) }
    let refused = people.admit(token: nil, at: 0)
    #expect(refused == nil)
    people.left(present[1], from: home, expires: 100)
    people.left(present[2], from: home, expires: 200)
    let newcomer = try admit(&people, token: nil, at: 1)
    #expect(newcomer.id == present[1].id)
    let back = people.admit(token: present[2].token, at: 2)
    #expect(back?.id == present[2].id)
  }

  @Test func aCrowdOfOneAddressTakesNobodyElsesPlace() throws {
    var people = people(capacity: 4)
    let (phone, second) = (
      try admit(&people, token: nil, at: 0), try admit(&people, token: nil, at: 0)
    )
    people.left(phone, from: AddressPrefix("192.0.2.7"), expires: 3600)
    people.left(second, from: AddressPrefix("2001:db8::1"), expires: 3600)
    var crowd: [PersonRecord] = []
    for round in UInt64(1)...100 {
      crowd.append(try admit(&people, token: nil, at: round))
      people.left(crowd.last!, from: home, expires: 3600 + round)
    }
    let dismissed = try admit(&people, token: crowd[90].token, at: 200)
    #expect(dismissed.token != crowd[90].token, "the crowd loses its own places")
    #expect(try admit(&people, token: phone.token, at: 201).id == phone.id)
    #expect(try admit(&people, token: second.token, at: 202).id == second.id)
  }

  /// Whoever comes and goes all the time leaves nothing behind that grows.
  @Test func comingAndGoingIsForgotten() throws {
    var people = people()
    let first = try admit(&people, token: nil, at: 0)
    for round in 0..<1000 {
      people.left(first, from: home, expires: 10_000 + UInt64(round))
      let back = try admit(&people, token: first.token, at: UInt64(round))
      #expect(back.id == first.id)
    }
    #expect(people.absentEntries < 200)
    // An old entry doesn't end a later absence.
    people.left(first, from: home, expires: 20_000)
    let back = try admit(&people, token: first.token, at: 15_000)
    #expect(back.id == first.id)
  }

  @Test func everyNumberIsGivenOnce() {
    var people = people(capacity: 100)
    var ids: Set<UInt16> = []
    while let next = people.admit(token: nil, at: 0) { ids.insert(next.id) }
    #expect(ids == Set(1...200))
  }

  private func enter(
    _ directory: Directory, from address: ClientAddress, watching: Bool = false
  ) throws -> PersonRecord {
    let answer = directory.admit(
      Hello(isWatching: watching), from: address, to: 0, at: 0, awake: 0)
    var person: PersonRecord?
    if case .admitted(let admitted) = answer { person = admitted }
    return try #require(person)
  }

  /// Other servers are told whenever the number is another one. It is so after whatever happens
  /// between two looks at it, also where as many come as the number of people falls by.
  @Test func everyChangeOfWhoIsHereHasANumberOfItsOwn() throws {
    let address = ClientAddress(text: "192.0.2.1", prefix: home)
    let away = ClientAddress(text: "192.0.2.2", prefix: AddressPrefix("192.0.2.2"))
    let directory = Directory(people(capacity: 1000))
    var seen: Set<UInt64> = [directory.ownVersion]
    func isNew() -> Bool { seen.insert(directory.ownVersion).inserted }
    func leave(_ person: PersonRecord) { directory.left(person, from: home, expires: 1000) }
    let crowd = try (0..<5).map { _ in try enter(directory, from: address) }
    let banned = try enter(directory, from: away)
    #expect(isNew())
    #expect(directory.remove(crowd[0].id) != nil)
    leave(crowd[0])
    #expect(isNew(), "the host removed one, whose connection has ended")
    #expect(directory.ban(away, minutes: 1, at: 0)?.count == 1)
    leave(banned)
    #expect(isNew(), "the host keeps an address out")
    _ = try enter(directory, from: address)
    leave(crowd[1])
    leave(crowd[2])
    #expect(isNew(), "one came, two left")
    let name = try Name("Fox")
    #expect(directory.rename(crowd[3].id, to: name, isHidden: false) != nil)
    #expect(isNew(), "the host gave a name")
  }

  /// What happens at other servers, and who only looks on here, is nothing that these are to hear.
  @Test func whatHappensElsewhereIsNoChangeOfWhoIsHere() throws {
    let address = ClientAddress(text: "192.0.2.1", prefix: home)
    let directory = Directory(people(capacity: 1000))
    _ = try enter(directory, from: address)
    let (own, before) = (directory.ownVersion, directory.version)
    let watcher = try enter(directory, from: address, watching: true)
    directory.left(watcher, from: home, expires: 1000)
    #expect(directory.version == before)
    for name in ["Fox", "Owl"] {
      let other = Person(id: 900, colour: 1, name: try Name(name))
      directory.setOthers(count: 1, listed: [other])
    }
    #expect(directory.ownVersion == own)
    #expect(directory.version.all == before.all + 2 && directory.list().count == 2)
    #expect(directory.version.byHost == before.byHost + 1, "a host there gave the second name")
  }

  /// However many screens only look on: nobody who lists people walks past them.
  @Test func whoOnlyWatchesStandsInNoLine() throws {
    let address = ClientAddress(text: "192.0.2.1", prefix: home)
    let directory = Directory(people(capacity: 1000))
    func enter(watching: Bool) throws -> PersonRecord {
      try self.enter(directory, from: address, watching: watching)
    }
    func comeBack(_ person: PersonRecord, watching: Bool) {
      let answer = directory.comesBack(
        person, on: 0, from: address, isWatching: watching, at: 0)
      if case .isBack = answer { return }
      Issue.record("\(answer)")
    }
    func inLine() -> Int { directory.state.withLock { $0.line.count } }
    func listed() -> [UInt16] { directory.list().newest.map(\.id) }
    let first = try enter(watching: false)
    for _ in 0..<200 { _ = try enter(watching: true) }
    let second = try enter(watching: false)
    #expect(inLine() == 2)
    #expect(listed() == [second.id, first.id] && directory.count == 2)
    // Who played looks on, and plays again.
    comeBack(first, watching: true)
    #expect(listed() == [second.id] && directory.count == 1)
    comeBack(first, watching: false)
    #expect(listed() == [first.id, second.id] && directory.count == 2)
    // However often somebody comes back: what is void is forgotten, whoever looks on besides.
    for _ in 0..<1000 { comeBack(second, watching: false) }
    #expect(inLine() <= 2 * 2 + 64 + 1)
    #expect(listed() == [second.id, first.id])
  }
}
