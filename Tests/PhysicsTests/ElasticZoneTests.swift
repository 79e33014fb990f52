import Testing

@testable import Physics

/// A few elastic bodies among many others: their contacts alone are found again in each sub-step,
/// and all the same they pass blows on and keep their energy.
@Suite struct ElasticZoneTests {
  private static let room = Rect2(x: 0, y: 0, width: 800, height: 600)

  /// A room in whose lower left corner a hundred stickers lie in a pen, at rest.
  private static func room(
    sleeps: Bool = false, threshold: Float = 100
  ) throws -> PhysicsWorld {
    var configuration = WorldConfiguration()
    configuration.allowsSleep = sleeps
    configuration.restitutionThreshold = threshold
    var world = try PhysicsWorld(configuration)
    world.gravity = Vector2(0, 1000)
    try world.addBoundary(.bounds(room), id: BoundaryID(0))
    try world.addBoundary(.segment(Vector2(420, 600), Vector2(420, 250)), id: BoundaryID(1))
    for k in 0..<100 {
      let place = Vector2(20 + Float(k % 12) * 33, 580 - Float(k / 12) * 33)
      let shape: BodyShape =
        k % 3 == 0 ? try .box(width: 28, height: 28, cornerRadius: 3) : try .circle(radius: 15)
      try world.addBody(
        BodyDefinition(shape: shape, position: place, properties: Worlds.properties(friction: 0.3)))
    }
    for _ in 0..<(sleeps ? 300 : 60) { world.step() }
    return world
  }

  private static func ball(_ place: Vector2, _ velocity: Vector2) throws -> BodyDefinition {
    var ball = BodyDefinition(
      shape: try .circle(radius: 20), position: place,
      properties: Worlds.properties(restitution: 1))
    ball.velocity = velocity
    return ball
  }

  private static func isInside(_ p: Vector2) -> Bool { room.contains(p) }

  /// In as many parts as speeds alone have it solved.
  @Test(arguments: [(Float(300), 1), (900, 1), (2500, 2), (5000, 2)])
  func anElasticBodyDoesNotMakeTheTickSixTimesAsDear(speed: Float, parts: Int) throws {
    var world = try Self.room()
    try world.addBody(try Self.ball(Vector2(600, 100), Vector2(speed, 100)))
    world.step()
    #expect(world.partsSolved == parts)
  }

  /// Of many elastic bodies all contacts are found again.
  @Test func manyElasticBodiesAreTheWholeWorld() throws {
    var world = try Self.room()
    for k in 0..<12 {
      try world.addBody(
        try Self.ball(Vector2(450 + Float(k % 6) * 50, Float(50 + k / 6 * 50)), Vector2(0, 300)))
    }
    world.step()
    #expect(world.partsSolved == 6)
  }

  /// Newton's cradle beside the stickers swings on as it does alone, where the whole world is
  /// solved in six parts: that has 0.98 of 77 and of 40 pt/s after six half swings, and 0.39 of 300
  /// pt/s.
  @Test(arguments: [(Float(77), Float(0.9)), (40, 0.9), (300, 0.5)])
  func aCradleSwingsOn(speed: Float, share: Float) throws {
    var world = try Self.room(threshold: 20)
    var balls: [BodyID] = []
    for k in 0..<5 {
      let place = Vector2(520 + 40 * Float(k), 450)
      balls.append(try world.addBody(try Self.ball(place, Vector2(k == 0 ? -speed : 0, 0))))
      let rod = JointDefinition(
        .distance(length: 200), a: balls[k], anchorB: place - Vector2(0, 200))
      try world.addJoint(rod)
    }
    var fewest = 6
    for _ in 0..<420 {
      world.step()
      fewest = min(fewest, world.partsSolved)
    }
    #expect(fewest < 6)
    var fastest: Float = 0
    for _ in 0..<90 {
      world.step()
      for ball in [balls[0], balls[4]] {
        fastest = max(fastest, world.body(ball)!.velocity.length)
      }
    }
    #expect(fastest > share * speed && fastest < 1.01 * speed, "\(fastest) of \(speed)")
  }

  /// A row of balls that touch: the last one flies off with the first one's speed, and those
  /// between stay.
  @Test(arguments: [Float(300), 1200]) func aBlowGoesThroughARow(speed: Float) throws {
    var world = try Self.room()
    world.gravity = .zero
    var balls: [BodyID] = []
    for k in 0..<5 {
      let place = Vector2(k == 0 ? 500 : 540 + 40 * Float(k), 100)
      balls.append(try world.addBody(try Self.ball(place, Vector2(k == 0 ? speed : 0, 0))))
    }
    for _ in 0..<Int(1 + 60 * 60 / speed) { world.step() }
    for (k, ball) in balls.enumerated() {
      let v = world.body(ball)!.velocity.x
      #expect(abs(v - (k == 4 ? speed : 0)) < 0.01 * speed, "\(k): \(v)")
    }
  }

  /// It rises again to where it fell from, as a ball alone does: 2.2 pt less each time, for which
  /// it would have to be looked at more often than in each sub-step.
  @Test func aBallBouncesAsHighAsItFell() throws {
    var world = try Self.room()
    let ball = try world.addBody(try Self.ball(Vector2(600, 280), .zero))
    // 0.77 s down, 0.77 s up: five bounces.
    var (highest, last): ([Float], Float) = ([], 0)
    for _ in 0..<480 {
      world.step()
      let v = world.body(ball)!.velocity.y
      if last < 0 && v >= 0 { highest.append(world.body(ball)!.position.y) }
      last = v
    }
    #expect(highest.count >= 4)
    for y in highest { #expect(abs(y - 280) < 11, "\(highest)") }
  }

  /// Energy of motion and height of everything.
  private static func energy(_ world: PhysicsWorld) -> Double {
    var sum = 0.0
    world.forEachBody { id, state in
      let mass = Double(world.mass(of: id)!)
      let inertia = mass * Double(world.shape(of: id)!.inertiaPerMass)
      let (v, spin) = (state.velocity, Double(state.angularVelocity))
      sum += 0.5 * mass * Double(v.lengthSquared) + 0.5 * inertia * spin * spin
      sum += mass * Double(world.gravity.y) * Double(600 - state.position.y)
    }
    return sum
  }

  /// Three elastic ones that fly among a hundred others, of which some are heavy: nothing is
  /// gained, with gravity or without.
  @Test(arguments: [Float(0), 500], [Float(0), 0.4])
  func nothingIsGained(gravity: Float, friction: Float) throws {
    for seed in UInt64(1)...6 {
      var random = RandomGenerator(seed: seed)
      var world = try Worlds.empty(gravity: Vector2(0, gravity))
      try world.addBoundary(.bounds(Self.room), id: BoundaryID(0))
      for k in 0..<100 {
        let place = Vector2(40 + Float(k % 12) * 64, 40 + Float(k / 12) * 62)
        let shape: BodyShape =
          k % 3 == 0 ? try .box(width: 40, height: 24) : try .circle(radius: 16)
        var body = BodyDefinition(
          shape: shape, position: place, angle: Float(k),
          properties: Worlds.properties(
            restitution: k % 33 == 5 ? 1 : 0.5, friction: friction,
            density: random.nextFloat(0.3, 3)))
        let speed: Float = k % 33 == 5 ? 1500 : 200
        body.velocity = Vector2(random.nextFloat(-speed, speed), random.nextFloat(-speed, speed))
        try world.addBody(body)
      }
      var least = Self.energy(world)
      var zones = 0
      for tick in 0..<300 {
        world.step()
        zones += world.partsSolved < 6 ? 1 : 0
        let now = Self.energy(world)
        #expect(now <= least * 1.002, "seed \(seed), tick \(tick): \(now / least)")
        least = min(least, now)
      }
      // Before the first tick nobody has measured speeds.
      #expect(zones >= 299)
    }
  }

  /// Elastic shots into the pen, light and heavy.
  @Test(arguments: [1500, 3500, 5000] as [Float]) func shotsStayInTheRoom(speed: Float) throws {
    let rested = try Self.room()
    for angle in 0..<12 {
      var world = rested
      let way = Rotation(angle: Float(angle) * DeterministicMath.pi / 6)
      var ball = try Self.ball(Vector2(200, 150), Vector2(way.cosine, way.sine) * speed)
      ball.properties.density = angle % 2 == 0 ? 1 : 20
      try world.addBody(ball)
      for tick in 0..<60 {
        world.step()
        world.forEachBody { _, state in
          #expect(
            Self.isInside(state.position), "\(speed), \(angle), tick \(tick): \(state.position)")
        }
      }
    }
  }

  /// What it falls on wakes, sleeps again, and is never deep in it.
  @Test func anElasticBallWakesWhatItFallsOn() throws {
    var world = try Self.room(sleeps: true)
    var asleep = 0
    world.forEachBody { asleep += $1.isAsleep ? 1 : 0 }
    #expect(asleep == 100)
    var ball = try Self.ball(Vector2(200, 100), Vector2(0, 200))
    ball.properties.restitution = 0.9
    let id = try world.addBody(ball)
    var (awake, parts) = (0, 0)
    for _ in 0..<90 {
      world.step()
      parts = max(parts, world.partsSolved)
      var now = 0
      world.forEachBody { now += $1.isAsleep ? 0 : 1 }
      awake = max(awake, now)
      var overlaps = Overlaps()
      overlaps.measure(world, room: Self.room)
      #expect(overlaps.worst < 4)
    }
    #expect(awake > 50 && parts <= 2)
    for _ in 0..<1800 where !world.body(id)!.isAsleep { world.step() }
    #expect(world.body(id)!.isAsleep)
  }

  /// A copy, a snapshot and the world itself go on with the same bits, whenever they part.
  @Test(arguments: [false, true]) func aSnapshotGoesOnTheSame(sleeps: Bool) throws {
    var world = try Self.room(sleeps: sleeps)
    try world.addBody(try Self.ball(Vector2(200, 150), Vector2(900, 1500)))
    try world.addBody(try Self.ball(Vector2(300, 100), Vector2(0, 300)))
    for _ in 0..<16 {
      var (copy, bytes): (PhysicsWorld, [UInt8]) = (world, [])
      world.save(into: &bytes)
      var restored = try PhysicsWorld.restore(from: bytes)
      for _ in 0..<20 {
        copy.step()
        restored.step()
      }
      #expect(copy.stateHash() == restored.stateHash())
      for _ in 0..<3 { world.step() }
    }
  }
}
