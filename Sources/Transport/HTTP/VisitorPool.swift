/// The visitors of a listener: in all, by address, and which of them did nothing for longest.
struct VisitorPool {
  var limits: TrafficLimits
  private var roster = Roster<Visitor>()
  /// Visitors of whom nothing came yet, on a port that speaks TLS.
  private var silent = 0
  private var arrivals: UInt64 = 0

  init(_ limits: TrafficLimits) {
    self.limits = limits
  }

  var count: Int { roster.count }
  var all: [Visitor] { roster.all }

  mutating func insert(_ visitor: Visitor) {
    visitor.arrival = arrivals
    arrivals += 1
    roster.insert(visitor)
    if visitor.isSilent { silent += 1 }
  }

  mutating func remove(_ visitor: Visitor) {
    if roster.remove(visitor), visitor.isSilent { spoke() }
  }

  /// A proxy's visitor asks for somebody else from now on.
  /// - Parameter change: sets the visitor's prefix.
  mutating func move(_ visitor: Visitor, _ change: () -> Void) {
    let stood = roster.remove(visitor)
    change()
    if stood { roster.insert(visitor) }
  }

  /// A silent visitor has said its first word.
  mutating func spoke() {
    assert(silent > 0)
    silent -= 1
  }

  /// Who must leave before one more of this address comes, if anybody must: of those whom the
  /// full share is about, the one that did nothing for longest. A walk over all visitors, which
  /// the pace of new connections bounds.
  func inTheWay(of prefix: AddressPrefix) -> Visitor? {
    if let one = inTheWay(within: prefix) { return one }
    if roster.count >= limits.visitors { return longestIdleOfMost { _ in true } }
    if silent >= limits.handshakesAtOnce { return longestIdleOfMost { $0.isSilent } }
    return nil
  }

  /// The same of an address's own share.
  func inTheWay(within prefix: AddressPrefix) -> Visitor? {
    guard roster.count(of: prefix) >= limits.visitorsPerAddress else { return nil }
    return longestIdle { $0.addressPrefix == prefix }
  }

  /// The longest idle of the address that has most of those visitors, so that a crowd of one
  /// address makes room before anybody else does.
  private func longestIdleOfMost(where isConcerned: (Visitor) -> Bool) -> Visitor? {
    var shares: [AddressPrefix: Int] = [:]
    for visitor in roster.all where isConcerned(visitor) {
      shares[visitor.addressPrefix, default: 0] += 1
    }
    let most = shares.values.max() ?? 0
    return longestIdle { isConcerned($0) && shares[$0.addressPrefix] == most }
  }

  private func longestIdle(where isConcerned: (Visitor) -> Bool) -> Visitor? {
    roster.all.lazy.filter(isConcerned).min {
      // Those of one turn of the loop have one time.
      ($0.clock.lastActive, $0.arrival) < ($1.clock.lastActive, $1.arrival)
    }
  }
}
