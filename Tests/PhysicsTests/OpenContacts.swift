import Physics

/// Which contacts are open as the events tell, and the first thing that is wrong with the events.
struct OpenContacts {
  enum Partner: Hashable {
    case body(BodyID)
    case boundary(BoundaryID)
  }

  struct Pair: Hashable {
    let body: BodyID
    let other: Partner

    init(_ event: ContactEvent) {
      body = event.body
      switch event.other {
      case .body(let id): other = .body(id)
      case .boundary(let id): other = .boundary(id)
      }
    }

    init(_ body: BodyID, _ other: Partner) {
      self.body = body
      self.other = other
    }

    func mentions(_ id: BodyID) -> Bool { body == id || other == .body(id) }
  }

  private(set) var pairs: Set<Pair> = []
  private(set) var problem: String?
  private(set) var beganCount = 0
  private(set) var endedCount = 0
  private var gone: Set<BodyID> = []

  /// Takes in the events of a step, before which `removed` were taken out of the world.
  mutating func follow(_ events: ContactEvents, removed: [BodyID] = []) {
    gone.formUnion(removed)
    var change: [Pair: Int] = [:]
    for event in events.began {
      check(event)
      let pair = Pair(event)
      if gone.contains(where: pair.mentions) { problem = problem ?? "a removed body began \(pair)" }
      // A step tells the difference it made: what was open before has not begun.
      if pairs.contains(pair) { problem = problem ?? "begun twice: \(pair)" }
      change[pair, default: 0] += 1
    }
    for event in events.ended {
      check(event)
      let pair = Pair(event)
      let late = gone.subtracting(removed)
      if late.contains(where: pair.mentions) { problem = problem ?? "a removed body ended \(pair)" }
      change[pair, default: 0] -= 1
      // One that was never open can only have begun in the same step.
      if !pairs.contains(pair) && !events.began.contains(where: { Pair($0) == pair }) {
        problem = problem ?? "ended without having begun: \(pair)"
      }
    }
    for (pair, sum) in change {
      let open = (pairs.contains(pair) ? 1 : 0) + sum
      if open != 0 && open != 1 { problem = problem ?? "\(pair) is open \(open) times" }
      if open > 0 { pairs.insert(pair) } else { pairs.remove(pair) }
    }
    for id in removed where pairs.contains(where: { $0.mentions(id) }) {
      problem = problem ?? "\(id) is gone, its contacts are not"
    }
    beganCount += events.began.count
    endedCount += events.ended.count
  }

  private mutating func check(_ event: ContactEvent) {
    if !event.point.isFinite { problem = problem ?? "no point in \(event)" }
    if !(abs(event.normal.length - 1) < 1e-3) { problem = problem ?? "no normal in \(event)" }
    if case .body(let other) = event.other, other.slot <= event.body.slot {
      problem = problem ?? "the lower slot comes second in \(event)"
    }
  }
}
