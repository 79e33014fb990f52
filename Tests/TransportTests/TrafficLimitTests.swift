import Testing

@testable import Transport

@Suite struct TrafficLimitTests {
  private static let second: UInt64 = 1_000_000_000
  private let limits = TrafficLimits()

  @Test func aVenueLoadsThePageAndComesBack() {
    let venue = AddressPrefix("192.0.2.1")
    var plain = AcceptGate(limits, PortShare(limits))
    let admitted = (0..<3000).map { _ in plain.isOpen(at: 0) && plain.admit(venue, at: 0) }
    #expect(!admitted.contains(false), "500 phones with six sockets each, in one moment")
    var budget = HTTPBudget(limits, PortShare(limits))
    let requests = (0..<35_000).map { _ in budget.take(venue, at: 0) }
    #expect(!requests.contains(false), "70 files for 500 phones")
  }

  @Test func anAddressThatConnectsTooOftenCostsNobodyElseATurn() {
    var gate = AcceptGate(limits, PortShare(limits))
    let (flood, phone) = (AddressPrefix("192.0.2.1"), AddressPrefix("192.0.2.2"))
    var floods = 0
    for step in UInt64(0)..<600_000 {
      let now = step * 1_000_000
      if gate.isOpen(at: now), gate.admit(flood, at: now) { floods += 1 }
    }
    #expect(
      floods <= limits.connectionsBurstPerAddress + 600 * limits.connectionsPerSecondPerAddress)
    let now = 600 * Self.second
    let isOpen = gate.isOpen(at: now)
    let isAdmitted = gate.admit(phone, at: now)
    #expect(isOpen && isAdmitted)
  }

  @Test func closingWhatIsTooMuchHasAPaceToo() {
    var limits = TrafficLimits()
    limits.connectionsBurstPerAddress = 1
    var gate = AcceptGate(limits, PortShare(limits))
    let flood = AddressPrefix("192.0.2.1")
    var (attempts, admitted) = (0, 0)
    while gate.isOpen(at: 0), attempts < 100_000 {
      attempts += 1
      if gate.admit(flood, at: 0) { admitted += 1 }
    }
    #expect(admitted == 1 && attempts == 1 + limits.refusalsBurst)
    let isAdmitted = gate.admit(AddressPrefix("192.0.2.2"), at: Self.second)
    #expect(gate.isOpen(at: Self.second) && isAdmitted, "none of the others' pace is used up")
  }

  @Test func everyPhaseOfAVisitEnds() {
    func seconds(in phase: VisitorClock.Phase, taking bytes: Int = 0) -> UInt64? {
      var clock = VisitorClock(at: 0)
      clock.enter(phase, at: 0)
      for second in 1...200 as ClosedRange<UInt64> {
        clock.took(bytes, at: second * Self.second)
        if clock.isOver(at: second * Self.second, limits) { return second }
      }
      return nil
    }
    #expect(seconds(in: .firstRequest) == 10 && seconds(in: .request) == 10)
    #expect(seconds(in: .idle) == 15 && seconds(in: .waiting) == 30 && seconds(in: .parting) == 5)
    #expect(seconds(in: .answer) == 10 && seconds(in: .answer, taking: 3999) == 10)
    #expect(seconds(in: .answer, taking: 4000) == nil, "a download goes on while it goes on")
    var old = VisitorClock(at: 0)
    old.enter(.idle, at: 59 * Self.second)
    let isOverEarly = old.isOver(at: 59 * Self.second, limits)
    let isOver = old.isOver(at: 60 * Self.second, limits)
    #expect(!isOverEarly && isOver && old.isLast(at: 60 * Self.second, limits))
    old.forgive(5 * Self.second)
    let isOverAfterStandstill = old.isOver(at: 64 * Self.second, limits)
    #expect(!isOverAfterStandstill)
  }

  @Test func aPhoneStaysWithinItsBudgetAndAFloodDoesNot() {
    var phone = ConnectionBudget(limits)
    var flood = ConnectionBudget(limits)
    var (isPhoneFine, isFloodFine) = (true, true)
    // A radio that delivers all five seconds: 250 frames of 20 bytes a second.
    for lump in UInt64(1)...60 {
      let now = lump * 5 * Self.second
      for _ in 0..<1250 {
        isPhoneFine = isPhoneFine && phone.takeFrame(at: now) && phone.takeBytes(20, at: now)
      }
    }
    #expect(isPhoneFine)
    for frame in UInt64(0)..<10_000 {
      isFloodFine = isFloodFine && flood.takeFrame(at: frame * Self.second / 10_000)
    }
    #expect(!isFloodFine)
    flood.forgive(100 * Self.second)
    let isForgiven = flood.takeFrame(at: Self.second) && flood.takeBytes(1, at: Self.second)
    #expect(isForgiven)
  }

  @Test func whatIsSpentOnAnAddressIsCounted() {
    var budget = HTTPBudget(limits, PortShare(limits))
    let (busy, other) = (AddressPrefix("192.0.2.1"), AddressPrefix("192.0.2.2"))
    let first = budget.take(busy, at: 0)
    budget.charge(busy, bytes: 0, microseconds: 3_000_000, at: 0)
    let second = budget.take(busy, at: 0)
    let third = budget.take(other, at: 0)
    #expect(first && !second && third && !budget.isOpen(at: 0))
    let later = 30 * Self.second
    let fourth = budget.take(busy, at: later)
    #expect(fourth && budget.isOpen(at: later))
  }

  @Test func namesThatAForeignPageCouldBringAreNotTrusted() {
    let hosts = TrustedHosts(allowed: ["Pit.example"])
    for host in [
      "pit.example", "PIT.example:8443", "localhost:1", "127.0.0.1", "192.168.1.20:8080",
      "[::1]:80",
      "", "pit.example.",
    ] { #expect(hosts.trusts(host), "\(host)") }
    for host in ["evil.example", "pit.example.evil", "127.0.0.1.evil.example", "a"] {
      #expect(!hosts.trusts(host), "\(host)")
      #expect(TrustedHosts(allowed: ["*"]).trusts(host))
    }
  }
}
