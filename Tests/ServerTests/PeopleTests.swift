import Testing
import Wire

@testable import Server

@Suite struct PeopleTests {
  private func people(capacity: Int = 8) -> People {
    var next: UInt64 = 0
    return People(capacity: capacity) {
      next += 1
      return SessionToken(low: next, high: 0)
    }
  }

  @Test func namesAndColoursAreDistinct() {
    let distinct = 47 * 53
    let names = Set((1...distinct).map { People.name(of: UInt16($0)) })
    #expect(names.count == distinct)
    #expect(People.name(of: UInt16(distinct + 1)) == People.name(of: 1) + " 2")
    #expect(Set((1...200).map { People.colour(of: UInt16($0)) }).count == 200)
    #expect(names.allSatisfy { $0.utf8.count <= 32 })
  }

  @Test func whoeverReturnsInTimeIsTheSame() throws {
    var people = people()
    let first = try #require(people.admit(token: nil, tick: 0))
    people.left(first, expires: 3600)
    let stranger = try #require(people.admit(token: nil, tick: 10))
    #expect(stranger.id != first.id)
    let back = try #require(people.admit(token: first.token, tick: 3599))
    #expect(back.id == first.id)
    #expect(back.person == first.person)
  }

  @Test func aPlaceIsKeptForNobodyForever() throws {
    var people = people()
    let first = try #require(people.admit(token: nil, tick: 0))
    people.left(first, expires: 3600)
    let later = try #require(people.admit(token: first.token, tick: 3600))
    // The number is free again, the person a new one.
    #expect(later.id == first.id)
    #expect(later.token != first.token)
  }

  @Test func theAbsentGiveWayToThePresent() throws {
    var people = people(capacity: 2)
    let present = try (0..<4).map { _ in try #require(people.admit(token: nil, tick: 0)) }
    #expect(people.admit(token: nil, tick: 0) == nil)
    people.left(present[1], expires: 100)
    people.left(present[2], expires: 200)
    let newcomer = try #require(people.admit(token: nil, tick: 1))
    #expect(newcomer.id == present[1].id)
    #expect(people.admit(token: present[2].token, tick: 2)?.id == present[2].id)
  }
}
