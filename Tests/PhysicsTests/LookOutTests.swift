import Physics
import Testing

/// Whatever drives a body that rests near something thin, it does not get through in one tick.
@Suite struct LookOutTests {
  /// The thin thing at x = 0 that keeps a body on the left: a segment, or a chain's piece.
  private static func wall(_ isChain: Bool) -> Boundary {
    isChain
      ? .chain([Vector2(0, -900), Vector2(0, 0), Vector2(0, 900)], closed: false)
      : .segment(Vector2(0, -900), Vector2(0, 900))
  }

  private struct Case {
    var world: PhysicsWorld
    var id: BodyID
    var radius: Float
  }

  private static func cases(gap: Float) throws -> [Case] {
    var cases: [Case] = []
    for isChain in [false, true] {
      for (isBox, radius) in [(false, Float(4)), (true, 4), (false, 20), (true, 20)] {
        var world = try Worlds.empty()
        try world.addBoundary(wall(isChain), id: BoundaryID(0))
        let id = try world.addBody(
          BodyDefinition(
            shape: isBox
              ? .box(width: 2 * radius, height: 2 * radius) : .circle(radius: radius),
            position: Vector2(-radius - gap, 30)))
        // It rests: nobody looks out farther than for what rests.
        for _ in 0..<3 { world.step() }
        cases.append(Case(world: world, id: id, radius: radius))
      }
    }
    return cases
  }

  private static let gaps: [Float] = [5, 10, 20]
  private static let speeds: [Float] = [300, 600, 1200, 3000, 9000, 20_000, 1e9]

  /// Whoever budgets time reads there how dear a step was.
  @Test(arguments: [(0, 1), (400, 1), (600, 2), (3000, 2), (4500, 6)] as [(Float, Int)])
  func theFasterTheMoreParts(speed: Float, parts: Int) throws {
    var world = try Worlds.empty()
    var definition = BodyDefinition(shape: try .circle(radius: 20), position: .zero)
    definition.velocity = Vector2(speed, 0)
    try world.addBody(definition)
    // The first one does not know yet how fast anything is.
    for _ in 0..<2 { world.step() }
    #expect(world.partsSolved == parts)
  }

  @Test(arguments: gaps)
  func aForceDoesNotPullThrough(gap: Float) throws {
    for var it in try Self.cases(gap: gap) {
      let (world, id) = (it.world, it.id)
      let mass = world.mass(of: id)!
      for speed in Self.speeds {
        it.world = world
        for tick in 0..<20 {
          try it.world.applyForce(Vector2(speed * 60 * mass, 0), to: id)
          it.world.step()
          #expect(it.world.body(id)!.position.x < 0.01, "gap \(gap), \(speed) pt/s, tick \(tick)")
        }
      }
    }
  }

  @Test(arguments: gaps)
  func gravityDoesNotPullThrough(gap: Float) throws {
    for var it in try Self.cases(gap: gap) {
      let (world, id) = (it.world, it.id)
      for (gravity, scale) in [(Float(20_000), Float(1)), (1e6, 1), (1000, 20), (1000, -1000)] {
        it.world = world
        var properties = it.world.properties(of: id)!
        properties.gravityScale = scale
        try it.world.setProperties(properties, of: id)
        it.world.gravity = Vector2(scale > 0 ? gravity : -gravity, 0)
        for tick in 0..<20 {
          it.world.step()
          #expect(
            it.world.body(id)!.position.x < 0.01,
            "gap \(gap), \(gravity)·\(scale), tick \(tick)")
        }
      }
    }
  }

  @Test(arguments: gaps)
  func aSpringDoesNotPullThrough(gap: Float) throws {
    for var it in try Self.cases(gap: gap) {
      let (world, id) = (it.world, it.id)
      for frequency in [Float(2), 10, 60] {
        for away in [Float(50), 500, 50_000] {
          for isWeld in [false, true] {
            it.world = world
            try it.world.addJoint(
              JointDefinition(
                isWeld
                  ? .weld(angle: 0, frequency: frequency)
                  : .distance(length: 0, frequency: frequency), a: id,
                anchorB: Vector2(away, 30)))
            for tick in 0..<20 {
              it.world.step()
              #expect(
                it.world.body(id)!.position.x < 0.01,
                "gap \(gap), \(frequency) Hz, \(away) pt, tick \(tick)")
            }
          }
        }
      }
    }
  }

  @Test(arguments: gaps)
  func aTravellingAnchorDoesNotPullThrough(gap: Float) throws {
    let kinds: [JointDefinition.Kind] = [
      .distance(length: 0), .rope(length: 8), .weld(angle: nil), .revolute(),
      .distance(length: 0, frequency: 30, dampingRatio: 1),
    ]
    for var it in try Self.cases(gap: gap) {
      let (world, id) = (it.world, it.id)
      for kind in kinds {
        for way in [Float(10), 20, 33, 60, 400] {
          it.world = world
          let start = it.world.body(id)!.position
          let joint = try it.world.addJoint(JointDefinition(kind, a: id, anchorB: start))
          it.world.step()
          for tick in 1...10 {
            try it.world.setAnchor(start + Vector2(way * Float(tick), 0), of: joint)
            it.world.step()
            #expect(
              it.world.body(id)!.position.x < 0.01, "gap \(gap), \(kind), \(way) pt, tick \(tick)")
          }
        }
      }
    }
  }

  /// A plate of two points that does not move, and a light ball before it.
  @Test(arguments: gaps)
  func aForceDoesNotPullThroughAThinBody(gap: Float) throws {
    for radius in [Float(4), 20] {
      for isBall in [true, false] {
        for speed in Self.speeds {
          var world = try Worlds.empty()
          try world.addBody(
            BodyDefinition(
              shape: .box(width: 2, height: 1000), position: Vector2(1, 0),
              properties: Worlds.anchored))
          let id = try world.addBody(
            BodyDefinition(
              shape: isBall ? .circle(radius: radius) : .box(width: 2 * radius, height: 2 * radius),
              position: Vector2(-radius - gap, 30)))
          for _ in 0..<3 { world.step() }
          try world.applyForce(Vector2(speed * 60 * world.mass(of: id)!, 0), to: id)
          for tick in 0..<20 {
            world.step()
            #expect(
              world.body(id)!.position.x < 1,
              "radius \(radius), gap \(gap), \(speed) pt/s, tick \(tick)")
          }
        }
      }
    }
  }
}
