import Testing
import Transport
import Wire

@testable import Server

/// What all connections of one address may do together, and that nobody else feels it.
@Suite struct AddressTests {
  @Test func aVenueOfFiveHundredPhonesPlaysUndisturbed() throws {
    let pit = try VirtualServer(bodies: 60)
    let phones = (0..<500).map { _ in Probe(pit, address: "192.0.2.1") }
    pit.advance(seconds: 0.5)
    for step in 0..<60 {
      for (index, phone) in phones.enumerated() {
        phone.say(.tilt(x: Int16(step) * 100, y: 16_000))
        // One finger in five is on a sticker, and everybody asks for the time once a second.
        if index % 5 == 0 { phone.say(.move(slot: UInt16(index % 60), x: 800, y: 800)) }
        if (index + step) % 60 == 0 { phone.say(.clock(stamp: 0)) }
        if (index + step) % 300 == 0 { phone.say(.drop(kind: 1, x: 2000, y: 800)) }
      }
      pit.advance(seconds: 1.0 / 30)
    }
    #expect(phones.allSatisfy { $0.welcome != nil && $0.closed == nil && $0.failures.isEmpty })
    let traffic = pit.hub.traffic
    #expect(traffic.refused[.tilts] + traffic.refused[.moves] + traffic.refused[.commands] == 0)
    #expect(traffic.refused[.clocks] + traffic.refused[.words] + traffic.refused[.hellos] == 0)
  }

  /// Whatever connections of an address do beyond its limits is left out, one kind after the other;
  /// who comes from elsewhere plays on.
  @Test func eachKindHasItsLimit() throws {
    var limits = Limits()
    limits.commandsPerSecondPerAddress = 4
    limits.movesPerSecondPerAddress = 8
    limits.wordsPerSecondPerAddress = 2
    limits.clocksPerSecondPerAddress = 3
    let pit = try VirtualServer(limits: limits)
    let crowd = (0..<10).map { _ in Probe(pit, address: "192.0.2.1") }
    let other = Probe(pit, address: "198.51.100.1")
    pit.advance(seconds: 1)
    for probe in crowd {
      for _ in 0..<10 { probe.say(.drop(kind: 1, x: 2000, y: 800)) }
      for _ in 0..<20 { probe.say(.move(slot: 0, x: 800, y: 800)) }
      for _ in 0..<2 { probe.say(.say(try Words("nothing"))) }
      for _ in 0..<5 { probe.say(.clock(stamp: 1)) }
    }
    other.say(.clock(stamp: 2))
    other.say(.drop(kind: 1, x: 2000, y: 800))
    pit.advance(seconds: 0.2)
    let traffic = pit.hub.traffic
    #expect(traffic.refused[.commands] == 100 - 8)
    #expect(traffic.refused[.moves] == 200 - 16)
    #expect(traffic.refused[.words] == 20 - 4)
    #expect(traffic.refused[.clocks] == 50 - 6)
    #expect(crowd.map(\.echoes.count).reduce(0, +) == 6)
    #expect(other.echoes.count == 1)
    #expect(other.decoder.world.bodies.count == 10 + 9)
    #expect(crowd.allSatisfy { $0.closed == nil })
  }

  @Test func messagesOfAnyKindHaveOneTogether() throws {
    var limits = Limits()
    limits.messagesPerSecondPerAddress = 50
    let pit = try VirtualServer(limits: limits)
    let probe = Probe(pit)
    pit.advance(seconds: 2)
    for _ in 0..<110 { probe.say(.tilt(x: 0, y: 16_384)) }
    pit.advance(seconds: 0.1)
    #expect(pit.hub.traffic.refused[.tilts] == 10)
    #expect(probe.closed == nil)
  }

  @Test func hellosOfAnAddressAreCounted() throws {
    var limits = Limits()
    limits.hellosPerSecondPerAddress = 2
    limits.helloBurstPerAddress = 5
    let pit = try VirtualServer(limits: limits)
    let crowd = (0..<8).map { _ in Probe(pit, address: "192.0.2.1") }
    let other = Probe(pit, address: "2001:db8::1")
    pit.advance(seconds: 0.2)
    #expect(crowd.count { $0.welcome != nil } == 5)
    #expect(crowd.count { $0.closed?.code == .tryAgainLater } == 3)
    #expect(other.welcome != nil)
    pit.advance(seconds: 1)
    let later = Probe(pit, address: "192.0.2.1")
    pit.advance(seconds: 0.2)
    #expect(later.welcome != nil)
    #expect(pit.hub.traffic.refused[.hellos] == 3)
  }

  @Test func aHouseholdOfIPv6IsOneAddress() throws {
    var limits = Limits()
    limits.helloBurstPerAddress = 3
    let pit = try VirtualServer(limits: limits)
    let house = (1...5).map { Probe(pit, address: "2001:db8:0:7::\($0)") }
    pit.advance(seconds: 0.1)
    #expect(house.count { $0.welcome != nil } == 3)
  }

  /// However many strangers come by, an address that is active is not forgotten.
  @Test func nobodyIsForgottenBecauseOfStrangers() {
    var limits = Limits()
    limits.commandsPerSecondPerAddress = 1
    var budgets = AddressBudgets(limits)
    let busy = AddressPrefix("192.0.2.1")
    var granted = 0
    for stranger in 0..<100_000 {
      if stranger % 1000 == 0, budgets.take(.command, from: busy, at: 0) { granted += 1 }
      let address = AddressPrefix("10.\(stranger >> 16).\(stranger >> 8 & 255).\(stranger & 255)")
      _ = budgets.take(.command, from: address, at: 0)
    }
    #expect(granted == 2)
  }

  @Test func twoWhoFightForATokenPayForIt() throws {
    let pit = try VirtualServer()
    let first = Probe(pit)
    pit.advance(seconds: 0.5)
    let token = try #require(first.welcome).token
    var rivals: [Probe] = []
    for _ in 0..<20 {
      rivals.append(Probe(pit, hello: Hello(resumeToken: token)))
      pit.advance(seconds: 0.01)
    }
    pit.advance(seconds: 0.1)
    #expect(rivals.count { $0.welcome != nil } == 4)
    #expect(rivals.count { $0.closed?.code == .tryAgainLater } == 16)
    #expect(pit.hub.directory.count == 1)
    #expect(pit.hub.traffic.refused[.takeOvers] == 16)
    #expect(rivals[3].closed == nil && rivals[3].welcome?.clientID == first.welcome?.clientID)
  }

  /// A token that is shown again and again is refused by its person's own allowance, and takes
  /// nothing of what the neighbours at its address may do.
  @Test func whoFightsForATokenCostsTheNeighboursNothing() throws {
    var limits = Limits()
    limits.takeOverBurstPerAddress = 3
    limits.takeOverBurstPerPerson = 1
    let pit = try VirtualServer(limits: limits)
    let (fought, calm) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 0.5)
    let (one, other) = (try #require(fought.welcome).token, try #require(calm.welcome).token)
    let rivals = (0..<10).map { _ in
      Probe(pit, hello: Hello(resumeToken: one), address: "192.0.2.66")
    }
    pit.advance(seconds: 0.1)
    #expect(rivals.count { $0.welcome != nil } == 1)
    #expect(pit.hub.traffic.refused[.takeOvers] == 9)
    let neighbour = Probe(pit, hello: Hello(resumeToken: other), address: "192.0.2.66")
    pit.advance(seconds: 0.1)
    #expect(neighbour.welcome?.clientID == calm.welcome?.clientID)
    #expect(pit.hub.traffic.refused[.takeOvers] == 9)
  }

  @Test func anAddressTakesOverSoManyOnly() throws {
    var limits = Limits()
    limits.takeOverBurstPerAddress = 3
    let pit = try VirtualServer(limits: limits)
    let people = (0..<6).map { _ in Probe(pit) }
    pit.advance(seconds: 0.5)
    let thieves = try people.map { person in
      let token = try #require(person.welcome).token
      return Probe(pit, hello: Hello(resumeToken: token), address: "192.0.2.66")
    }
    pit.advance(seconds: 0.2)
    #expect(thieves.count { $0.welcome != nil } == 3)
    #expect(people.count { $0.closed == nil } == 3)
  }
}
