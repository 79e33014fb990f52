import Testing

@testable import Physics

/// Invariants over random worlds. A failing seed repeats the whole run.
@Suite struct PropertyTests {
  #if DEBUG
    static let seeds: UInt64 = 40
  #else
    static let seeds: UInt64 = 1000
  #endif

  @Test func randomWorldsKeepTheInvariants() throws {
    for seed in 0..<Self.seeds {
      var world = try RandomWorld(seed: seed)
      for _ in 0..<90 { world.step() }
      #expect(world.problem == nil, "seed \(seed): \(world.problem ?? "")")
    }
  }

  @Test func aCopyAndARestoredWorldGoOnAlike() throws {
    for seed in 0..<(Self.seeds / 10) {
      var world = try RandomWorld(seed: seed)
      for _ in 0..<40 { world.step() }
      var bytes: [UInt8] = []
      var copy = world
      if seed % 2 == 0 {
        world.world.dropCaches()
        copy.world.dropCaches()
      }
      world.world.save(into: &bytes)
      copy.world = try PhysicsWorld.restore(from: bytes)
      for _ in 0..<40 {
        world.step()
        copy.step()
        #expect(world.world.contactEvents == copy.world.contactEvents)
      }
      #expect(world.world.stateHash() == copy.world.stateHash(), "seed \(seed)")
    }
  }

  @Test func brokenSnapshotsAreRefusedOrHarmless() throws {
    var random = RandomGenerator(seed: 99)
    var world = try RandomWorld(seed: 5)
    for _ in 0..<30 { world.step() }
    var bytes: [UInt8] = []
    world.world.save(into: &bytes)
    for _ in 0..<(2 * Self.seeds) {
      var broken = bytes
      for _ in 0..<(1 + random.next(below: 3)) {
        broken[Int(random.next(below: UInt32(broken.count)))] = UInt8(
          truncatingIfNeeded: random.next())
      }
      _ = try? PhysicsWorld.restore(from: broken)
    }
  }
}

/// A room with bodies of all shapes, in which things are pushed, added, removed and moved.
struct RandomWorld {
  var world: PhysicsWorld
  /// How far outside a centre may be, in points.
  private static let tolerance: Float = 0.01

  private var random: RandomGenerator
  private let side: Float
  private var ids: [BodyID] = []
  private(set) var problem: String?
  /// Contacts that have begun and not ended.
  private var touching: [(BodyID, ContactPartner)] = []

  init(seed: UInt64) throws {
    random = RandomGenerator(seed: seed)
    side = random.nextFloat(400, 900)
    world = try Worlds.empty(gravity: Vector2(0, 1000), sleeps: seed % 3 == 0)
    let (s, zero) = (side, Float(0))
    try world.addBoundary(
      seed % 2 == 0
        ? .bounds(Rectangle(x: 0, y: 0, width: s, height: s))
        : .chain(
          [Vector2(zero, zero), Vector2(s, zero), Vector2(s, s), Vector2(zero, s)], closed: true),
      id: BoundaryID(0))
    for _ in 0..<random.next(below: 40) { try add() }
  }

  private mutating func add() throws {
    // At most 40 % full, so that there is room for everybody inside.
    guard ids.count < Int(side * side * 0.4 / 1600) else { return }
    let size = random.nextFloat(8, 40)
    let shape: Shape
    switch random.next(below: 4) {
    case 0: shape = try .circle(radius: size * 0.5)
    case 1: shape = try .box(width: size, height: random.nextFloat(8, 40))
    case 2: shape = try .capsule(halfLength: size * 0.25, radius: size * 0.25)
    default:
      shape = try .polygon([
        Vector2(0, 0), Vector2(size, 0), Vector2(size * 1.2, size * 0.5), Vector2(size, size),
      ])
    }
    var definition = BodyDefinition(
      shape: shape,
      position: Vector2(random.nextFloat(40, side - 40), random.nextFloat(40, side - 40)),
      angle: random.nextFloat(-3, 3),
      properties: Worlds.properties(
        restitution: random.nextFloat(), friction: random.nextFloat(),
        density: random.nextFloat(0.2, 5)))
    definition.velocity = Vector2(random.nextFloat(-500, 500), random.nextFloat(-500, 500))
    ids.append(try world.addBody(definition))
  }

  mutating func step() {
    if random.next(below: 10) == 0 { try? add() }
    if random.next(below: 20) == 0, !ids.isEmpty {
      let k = Int(random.next(below: UInt32(ids.count)))
      try? world.removeBody(ids[k])
      ids.remove(at: k)
    }
    if random.next(below: 15) == 0, !ids.isEmpty {
      world.setVelocity(
        // Up to 10 000 pt/s, for which the walls are promised to hold.
        Vector2(random.nextFloat(0, 10_000), 0).rotated(
          by: Rotation(angle: random.nextFloat(-3.14, 3.14))),
        of: ids[Int(random.next(below: UInt32(ids.count)))])
    }
    world.step()
    check()
  }

  /// Every centre within the room at every tick.
  private mutating func check() {
    let room = Rectangle(x: 0, y: 0, width: side, height: side).inset(by: -Self.tolerance)
    if world.bodyCount != ids.count { problem = "lost count of the bodies" }
    for id in ids {
      let state = world.body(id)
      let turn =
        state.rotation.cosine * state.rotation.cosine
        + state.rotation.sine * state.rotation.sine
      if world.storage.now.lostBodies > 0 { problem = "a body's numbers ran out" }
      if !state.position.isFinite || !state.velocity.isFinite { problem = "no number" }
      if !room.contains(state.position) {
        problem = "outside at \(state.position) of \(side), tick \(world.tick)"
      }
      if !(turn > 0.999 && turn < 1.001) { problem = "a rotation off the unit circle" }
      if state.velocity.length > PhysicsWorld.speedLimit * 1.001 { problem = "too fast" }
    }
    for event in world.contactEvents.began {
      if touching.contains(where: { $0.0 == event.body && $0.1 == event.other }) {
        // Within a tick of several parts a contact may end and begin again: ends come later.
        continue
      }
      touching.append((event.body, event.other))
    }
    for event in world.contactEvents.ended {
      guard
        let k = touching.firstIndex(where: { $0.0 == event.body && $0.1 == event.other })
      else { continue }
      touching.remove(at: k)
    }
  }
}
