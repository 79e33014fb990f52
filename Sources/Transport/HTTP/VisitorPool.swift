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

  /// Who must leave before one more of this address comes; nil while there is room. Where the
  /// address has its share, one of its own leaves; where there are too many visitors, or too many
  /// silent ones, one of the address that has most of them. Of these it is the one that did nothing
  /// for longest. A walk over all visitors, which the pace of new connections bounds.
  func inTheWay(of prefix: AddressPrefix) -> Visitor? {
    if let one = inTheWay(within: prefix) { return one }
    if roster.count >= limits.visitors { return longestIdleOfMost { _ in true } }
    if silent >= limits.handshakesAtOnce { return longestIdleOfMost { $0.isSilent } }
    return nil
  }

  /// Who must leave because the address has its share; nil if it has not.
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
      // The loop's time stands still within a turn, so several may have the same.
      ($0.clock.lastActive, $0.arrival) < ($1.clock.lastActive, $1.arrival)
    }
  }
}
