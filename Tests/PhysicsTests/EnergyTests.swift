import Physics
import Testing

/// What collisions between bodies alone must keep, and what they must not make.
@Suite struct EnergyTests {
  private struct Sums {
    var momentum = SIMD2<Double>.zero
    /// Σ m·|v|: what the momentum's error is measured by.
    var motion = 0.0
    var angular = 0.0
    var energy = 0.0

    init(_ world: PhysicsWorld) {
      world.forEachBody { id, state in
        let mass = Double(world.mass(of: id)!)
        let inertia = mass * Double(world.shape(of: id)!.inertiaPerMass)
        let (v, p) = (SIMD2<Double>(state.velocity), SIMD2<Double>(state.position))
        let spin = Double(state.angularVelocity)
        momentum += v * mass
        motion += v.length * mass
        angular += mass * (p.x * v.y - p.y * v.x) + inertia * spin
        energy += 0.5 * mass * v.dot(v) + 0.5 * inertia * spin * spin
      }
    }
  }

  /// Thirty of different forms and masses: they rush together and fly apart again, or fly about
  /// between walls.
  private func crowd(
    restitution: Float, friction: Float, seed: UInt64 = 11, walls: Bool = false
  ) throws -> PhysicsWorld {
    var world = try Worlds.empty()
    var random = RandomGenerator(seed: seed)
    if walls {
      try world.addBoundary(
        .bounds(Rect2(x: -60, y: -60, width: 570, height: 480)), id: BoundaryID(0))
    }
    for i in 0..<30 {
      let shape: BodyShape
      switch i % 4 {
      case 0: shape = try .circle(radius: random.nextFloat(5, 30))
      case 1: shape = try .box(width: random.nextFloat(10, 60), height: random.nextFloat(10, 60))
      case 2: shape = try .capsule(halfLength: random.nextFloat(5, 20), radius: 12)
      default: shape = try .polygon([Vector2(0, -30), Vector2(28, 20), Vector2(-24, 22)])
      }
      let place = Vector2(Float(i % 6) * 90, Float(i / 6) * 90)
      var definition = BodyDefinition(
        shape: shape, position: place, angle: Float(i),
        properties: Worlds.properties(
          restitution: restitution, friction: friction, density: random.nextFloat(0.3, 3)))
      definition.velocity =
        walls
        ? Vector2(random.nextFloat(-900, 900), random.nextFloat(-900, 900))
        : (Vector2(225, 180) - place) * 2
      definition.angularVelocity = random.nextFloat(-3, 3)
      try world.addBody(definition)
    }
    return world
  }

  @Test(arguments: [Float(0), 0.5, 1], [Float(0), 0.4])
  func closedCollisionsKeepMomentum(restitution: Float, friction: Float) throws {
    var world = try crowd(restitution: restitution, friction: friction)
    let before = Sums(world)
    var met = 0
    for _ in 0..<180 {
      world.step()
      met += world.contactEvents.began.count
      let now = Sums(world)
      #expect((now.momentum - before.momentum).length < 1e-5 * before.motion)
    }
    #expect(met > 30)
    // About the origin, some 300 pt away.
    #expect(abs(Sums(world).angular - before.angular) < 1e-3 * 300 * before.motion)
  }

  /// Without gravity and initial overlap it never exceeds by more than 0.1 % what it once fell to,
  /// also where many are jammed and let go again.
  @Test(arguments: [Float(0), 0.5, 0.85, 1], [Float(0), 0.4])
  func energyDoesNotGrow(restitution: Float, friction: Float) throws {
    for seed in UInt64(1)...20 {
      for walls in [false, true] {
        var world = try crowd(
          restitution: restitution, friction: friction, seed: seed, walls: walls)
        let first = Sums(world).energy
        var least = first
        for tick in 0..<300 {
          world.step()
          let now = Sums(world).energy
          #expect(
            now <= least * 1.001, "seed \(seed), walls \(walls), tick \(tick): \(now / least)")
          least = min(least, now)
        }
        #expect(least < first * 0.999 || restitution == 1)
      }
    }
  }

  /// Nor does that of motion and height together where elastic bodies bounce in a pit.
  @Test(arguments: [Float(0), 0.4])
  func elasticBodiesDoNotRise(friction: Float) throws {
    for seed in UInt64(1)...10 {
      var world = try crowd(restitution: 1, friction: friction, seed: seed, walls: true)
      world.gravity = Vector2(0, 500)
      func energy() -> Double {
        var sum = Sums(world).energy
        world.forEachBody { id, state in
          sum += Double(world.mass(of: id)!) * 500 * Double(420 - state.position.y)
        }
        return sum
      }
      let first = energy()
      for tick in 0..<300 {
        world.step()
        #expect(energy() < first * 1.002, "seed \(seed), tick \(tick)")
      }
    }
  }

  /// Elastic and smooth: nothing is lost either.
  @Test func elasticBodiesKeepTheirEnergy() throws {
    var world = try Worlds.empty()
    let side: Float = 500
    try world.addBoundary(
      .bounds(Rect2(x: 0, y: 0, width: side, height: side)), id: BoundaryID(0))
    var random = RandomGenerator(seed: 4)
    for i in 0..<25 {
      var definition = BodyDefinition(
        shape: try .circle(radius: 15),
        position: Vector2(Float(i % 5) * 90 + 60, Float(i / 5) * 90 + 60),
        properties: Worlds.properties(restitution: 1))
      definition.velocity = Vector2(random.nextFloat(-900, 900), random.nextFloat(-900, 900))
      try world.addBody(definition)
    }
    let first = Sums(world).energy
    for _ in 0..<600 { world.step() }
    #expect(abs(Sums(world).energy / first - 1) < 0.01)
  }
}
