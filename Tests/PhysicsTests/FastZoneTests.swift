import Testing

@testable import Physics

/// A few bodies that get far in a tick, among many that don't: only the contacts about them are
/// found again in each sub-step, and all the same nothing gets through anything.
@Suite struct FastZoneTests {
  /// A pit of stickers at rest, and as many others as make a few fast ones few.
  private static func pit(_ count: Int = 100, sleeps: Bool = false) throws -> PhysicsWorld {
    var world = try Worlds.empty(sleeps: sleeps)
    world.gravity = Vector2(0, 1000)
    try world.addBoundary(
      .chain(
        [Vector2(0, 0), Vector2(400, 0), Vector2(400, 600), Vector2(0, 600)], closed: true),
      id: BoundaryID(0))
    for k in 0..<count {
      let place = Vector2(20 + Float(k % 12) * 32, 580 - Float(k / 12) * 32)
      let shape: BodyShape =
        k % 3 == 0 ? try .box(width: 28, height: 28, cornerRadius: 3) : try .circle(radius: 15)
      var sticker = BodyDefinition(shape: shape, position: place)
      if sleeps { sticker.properties.friction = 0.5 }
      try world.addBody(sticker)
    }
    for _ in 0..<(sleeps ? 900 : 60) { world.step() }
    return world
  }

  private static func ids(_ world: PhysicsWorld) -> [BodyID] {
    var ids: [BodyID] = []
    world.forEachBody { id, _ in ids.append(id) }
    return ids
  }

  /// Without the zone this tick would be solved in six parts.
  @Test func aFastBodyDoesNotMakeTheTickSixTimesAsDear() throws {
    var world = try Self.pit()
    var ball = BodyDefinition(shape: try .circle(radius: 10), position: Vector2(200, 40))
    ball.velocity = Vector2(300, 5000)
    try world.addBody(ball)
    world.step()
    #expect(world.partsSolved == 2)
  }

  /// Too many fast ones, those that get farther in half a tick than boundaries look out for, and
  /// worlds that float are looked after as a whole.
  @Test(arguments: ["many", "faster", "floating"])
  func theWholeWorldLooksOut(because reason: String) throws {
    var world = try Self.pit()
    for k in 0..<(reason == "many" ? 12 : 1) {
      var ball = BodyDefinition(
        shape: try .circle(radius: 10), position: Vector2(30 + Float(k) * 28, 40))
      ball.velocity = Vector2(0, reason == "faster" ? 9000 : 5000)
      try world.addBody(ball)
    }
    if reason == "floating" { world.gravity = .zero }
    world.step()
    #expect(world.partsSolved == 6)
  }

  /// Worlds that sleep have such zones too, and wake where they are hit.
  @Test func aShotWakesThePile() throws {
    var world = try Self.pit(sleeps: true)
    let asleep = Self.ids(world).filter { world.body($0)!.isAsleep }.count
    #expect(asleep > 80)
    var ball = BodyDefinition(shape: try .circle(radius: 10), position: Vector2(200, 40))
    ball.velocity = Vector2(300, 5000)
    let id = try world.addBody(ball)
    var (halves, awake) = (0, 0)
    for _ in 0..<20 {
      world.step()
      halves += world.partsSolved == 2 ? 1 : 0
      awake = max(awake, Self.ids(world).filter { !world.body($0)!.isAsleep }.count)
      let p = world.body(id)!.position
      #expect(p.x > 0 && p.x < 400 && p.y > 0 && p.y < 600, "\(p)")
    }
    #expect(halves > 2)
    #expect(awake > 100 - asleep + 20, "what it hits has woken")
  }

  /// A ball is shot into the pile from all sides, as fast as few enough may be.
  @Test(arguments: [4000, 5500, 7500] as [Float])
  func aShotStaysInThePit(speed: Float) throws {
    let rested = try Self.pit()
    for angle in 0..<16 {
      var world = rested
      let way = Rotation(angle: Float(angle) * DeterministicMath.pi / 8)
      var ball = BodyDefinition(shape: try .circle(radius: 12), position: Vector2(200, 150))
      ball.velocity = Vector2(way.cosine, way.sine) * speed
      ball.properties.density = angle % 2 == 0 ? 1 : 20
      try world.addBody(ball)
      var halves = 0
      for tick in 0..<40 {
        world.step()
        halves += world.partsSolved == 2 ? 1 : 0
        world.forEachBody { _, state in
          let p = state.position
          #expect(
            p.x > 0 && p.x < 400 && p.y > 0 && p.y < 600, "\(speed), \(angle), tick \(tick): \(p)")
        }
      }
      #expect(halves > 0)
    }
  }

  /// What a hand drags through the pile: a spring that gives far more than what anything moves
  /// with.
  @Test func aHandDragsThroughThePile() throws {
    var world = try Self.pit()
    let id = try #require(Self.ids(world).dropFirst(40).first)
    let hand = try world.addJoint(
      JointDefinition(
        .distance(length: 0, frequency: 8, dampingRatio: 1), a: id,
        anchorB: world.body(id)!.position))
    var halves = 0
    for tick in 0..<120 {
      let angle = Rotation(angle: Float(tick) * 0.2)
      try world.setAnchor(
        Vector2(200, 450) + Vector2(angle.cosine, angle.sine) * 120, of: hand)
      world.step()
      halves += world.partsSolved == 2 ? 1 : 0
      world.forEachBody { _, state in
        let p = state.position
        #expect(p.x > 0 && p.x < 400 && p.y > 0 && p.y < 600, "tick \(tick): \(p)")
      }
    }
    #expect(halves > 100)
  }

  /// A copy, a snapshot and the world itself go on with the same bits, whenever they part.
  @Test func aSnapshotInTheMidstOfItGoesOnTheSame() throws {
    var world = try Self.pit()
    var ball = BodyDefinition(shape: try .circle(radius: 12), position: Vector2(200, 150))
    ball.velocity = Vector2(2500, 4500)
    try world.addBody(ball)
    for _ in 0..<12 {
      var (copy, bytes): (PhysicsWorld, [UInt8]) = (world, [])
      world.save(into: &bytes)
      var restored = try PhysicsWorld.restore(from: bytes)
      for _ in 0..<20 {
        copy.step()
        restored.step()
      }
      #expect(copy.stateHash() == restored.stateHash())
      world.step()
    }
  }

  /// A shot that hits is told once, at the place where it hit.
  @Test func aHitIsToldWhereItIs() throws {
    var world = try Self.pit(60)
    let target = try world.addBody(
      BodyDefinition(
        shape: try .box(width: 20, height: 200), position: Vector2(300, 200),
        properties: Worlds.anchored))
    var ball = BodyDefinition(shape: try .circle(radius: 10), position: Vector2(100, 200))
    ball.velocity = Vector2(6000, 0)
    let id = try world.addBody(ball)
    var hits: [ContactEvent] = []
    for _ in 0..<4 {
      world.step()
      hits += world.contactEvents.began.filter { $0.body == id || $0.other == .body(id) }
    }
    #expect(hits.count == 1)
    // A contact lies half-way between two bodies that are as far apart as one gets in a sub-step.
    #expect(abs((hits.first?.point.x ?? 0) - 290) < 6000 / 360 / 2 + 1, "at its left side")
    #expect(hits.first.map { $0.body == target || $0.other == .body(target) } == true)
  }
}
