import Physics

/// A room with bodies of all shapes, in which anything that a world offers may happen in any tick.
/// The seed repeats the whole run.
struct RandomWorld {
  var world: PhysicsWorld
  var random: RandomGenerator
  let side: Float
  let walls: Boundary
  /// Whether some bodies are elastic, filtered or anchored, and whether there are joints.
  let hasElastic: Bool
  let hasFilters: Bool
  let hasAnchored: Bool
  let hasJoints: Bool

  var ids: [BodyID] = []
  var joints: [JointID] = []
  var ends: [JointID: [BodyID]] = [:]
  /// Joints whose bodies do not collide; those that are gone stay listed.
  var muted: [Muting] = []
  var ledge: Boundary?
  var removed: [BodyID] = []
  /// Where bodies were before the last tick, and how they moved.
  private var former: [BodyID: BodyState] = [:]
  /// Bodies that a joint was far from bringing to its place before the last tick.
  private var drawnBefore: Set<BodyID> = []
  private(set) var contacts = OpenContacts()
  private(set) var problem: String?
  /// Speed up to which the walls are promised to hold, in pt/s.
  static let fastest: Float = 10_000
  /// How far outside a centre may be, in points: rounding.
  private static let tolerance: Float = 0.01

  init(seed: UInt64) throws {
    random = RandomGenerator(seed: seed)
    side = random.nextFloat(400, 900)
    hasElastic = random.next(below: 4) == 0
    hasFilters = random.next(below: 3) == 0
    hasAnchored = random.next(below: 3) == 0
    hasJoints = random.next(below: 2) == 0
    world = try Worlds.empty(
      gravity: Vector2(0, 1000), sleeps: random.next(below: 2) == 0)
    let s = side
    walls =
      random.next(below: 2) == 0
      ? .bounds(Rect2(x: 0, y: 0, width: s, height: s))
      : .chain([Vector2(0, 0), Vector2(s, 0), Vector2(s, s), Vector2(0, s)], closed: true)
    try world.addBoundary(walls, id: BoundaryID(0))
    for _ in 0..<random.next(below: 40) { try add() }
  }

  struct Muting {
    let joint: JointID
    let a: BodyID
    let b: BodyID
  }

  /// A tick, and what happens before it.
  mutating func step() throws {
    removed.removeAll()
    try act()
    for id in ids { former[id] = world.body(id)! }
    drawnBefore = Set(ids.filter(isDrawn))
    world.step()
    contacts.follow(world.contactEvents, removed: removed)
  }

  /// Looks for what must hold after every tick.
  mutating func check() {
    let room = Rect2(x: 0, y: 0, width: side, height: side).inset(by: -Self.tolerance)
    if world.bodyCount != ids.count { note("lost count of the bodies") }
    if world.lostBodies > 0 { note("a body's numbers ran out") }
    var sleepers = 0
    for id in ids {
      let state = world.body(id)!
      let turn = state.rotation.cosine * state.rotation.cosine
      let length = turn + state.rotation.sine * state.rotation.sine
      sleepers += state.isAsleep ? 1 : 0
      if !state.position.isFinite || !state.velocity.isFinite { note("no number") }
      if !room.contains(state.position) { note("\(id) outside at \(state.position) of \(side)") }
      if !(length > 0.999 && length < 1.001) { note("a rotation off the unit circle") }
      if state.velocity.length > PhysicsWorld.speedLimit * 1.001 { note("too fast") }
      if abs(state.angularVelocity) > PhysicsWorld.spinLimit { note("spins too fast") }
      if state.isAsleep && state.velocity != .zero { note("moves in its sleep") }
    }
    if sleepers != world.sleepingCount { note("lost count of the sleepers") }
    if let wrong = contacts.problem { note(wrong) }
  }

  /// Compares the contacts that events left open with how the outlines stand to each other.
  mutating func checkContacts() {
    let outlines = ids.map { Silhouette(world.shape(of: $0)!, world.body($0)!) }
    var named = 0
    for (i, a) in ids.enumerated() {
      for (k, b) in ids.enumerated() where a.slot < b.slot {
        let reach = world.shape(of: a)!.boundingRadius + world.shape(of: b)!.boundingRadius
        let isOpen = contacts.pairs.contains(.init(a, .body(b)))
        named += isOpen ? 1 : 0
        let isFar = (world.body(a)!.position - world.body(b)!.position).length > reach + 100
        if isFar && !isOpen { continue }
        let gap = outlines[i].gap(to: outlines[k])
        compare("\(a) with \(b)", isOpen, gap, meet(a, b), slack: slack(a) + slack(b))
      }
      for (boundary, id) in [(walls, BoundaryID(0)), (ledge, BoundaryID(1))] {
        let isOpen = contacts.pairs.contains(.init(a, .boundary(id)))
        named += isOpen ? 1 : 0
        guard let boundary else {
          if isOpen { note("\(a) touches a ledge that is gone") }
          continue
        }
        let moves = world.properties(of: a)!.kind == .dynamic
        compare("\(a) with \(id)", isOpen, outlines[i].gap(to: boundary), moves, slack: slack(a))
      }
    }
    if named != contacts.pairs.count { note("contacts of things that are not there are open") }
  }

  /// A contact that pressed in this tick is open until the next finds it half a point apart, and
  /// what is pushed towards another body in a tick is found to touch it in the next.
  private mutating func compare(
    _ who: String, _ isOpen: Bool, _ gap: Double, _ meet: Bool, slack: Double
  ) {
    if isOpen && !meet { note("\(who) touch and must not") }
    if isOpen && gap > 0.6 + slack { note("\(who) are \(gap) apart, their contact is open") }
    if !isOpen && meet && gap < -0.6 - slack { note("\(who) overlap by \(-gap) without contact") }
  }

  /// How far a body's outline got in the last tick and will get in the next, in points, and how far
  /// it was struck. What a joint far from its place draws may have touched on a way that was taken
  /// back.
  private func slack(_ id: BodyID) -> Double {
    if drawnBefore.contains(id) || isDrawn(id) { return Self.drawn }
    let state = world.body(id)!
    let rim = abs(state.angularVelocity) * world.shape(of: id)!.boundingRadius
    let way = (state.position - former[id]!.position).length
    let blow = (state.velocity - former[id]!.velocity).length
    return Double((state.velocity.length + blow + rim) / 60 + way)
  }

  private func meet(_ a: BodyID, _ b: BodyID) -> Bool {
    let (p, q) = (world.properties(of: a)!, world.properties(of: b)!)
    let filters =
      p.collisionGroup & q.collisionMask != 0 && q.collisionGroup & p.collisionMask != 0
    return filters && (p.kind == .dynamic || q.kind == .dynamic) && !isMuted(a, b)
  }

  /// The way of a tick at the speed with which joints correct positions.
  private static let drawn = 50.0

  private func isDrawn(_ id: BodyID) -> Bool {
    joints.contains { joint in
      guard world.contains(joint), ends[joint]!.contains(id) else { return false }
      let anchors = world.anchors(of: joint)!
      return (anchors.a - anchors.b).length > 10
    }
  }

  mutating func note(_ text: String) { problem = problem ?? "tick \(world.tick): \(text)" }
}
