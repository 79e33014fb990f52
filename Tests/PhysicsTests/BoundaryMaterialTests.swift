import Physics
import Testing

/// Boundaries with a material of their own, and those that are solid from one side.
@Suite struct BoundaryMaterialTests {
  private func material(
    friction: Float? = nil, restitution: Float? = nil, isOneWay: Bool = false
  ) -> BoundaryProperties {
    var properties = BoundaryProperties()
    properties.friction = friction
    properties.restitution = restitution
    properties.isOneWay = isOneWay
    return properties
  }

  /// A box of friction 0.5 slides at 400 pt/s over a floor: with μ = √(0.5·b) it stops after
  /// v²/(2·μ·g).
  @Test(arguments: [nil, Float(0), 0.08, 0.5, 2])
  func frictionIsTheRootOfBoth(friction: Float?) throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    try world.addBoundary(
      .halfPlane(normal: Vector2(0, -1), offset: -300), id: 1,
      properties: material(friction: friction))
    var definition = BodyDefinition(
      shape: try .box(width: 100, height: 20), position: Vector2(0, 290),
      properties: Worlds.properties(friction: 0.5))
    definition.velocity = Vector2(400, 0)
    let box = try world.addBody(definition)
    for _ in 0..<180 { world.step() }
    let state = world.body(box)!
    let both = (0.5 * (friction ?? 0.5)).squareRoot()
    if both == 0 {
      #expect(abs(state.velocity.x - 400) < 1)
    } else {
      let way = 400 * 400 / (2 * both * 1000)
      #expect(abs(state.position.x - way) < 0.05 * way + 2, "μ \(both)")
      #expect(abs(state.velocity.x) < 1)
    }
  }

  /// A ball of restitution 0.3 that lands with 800 pt/s leaves with the larger one's share.
  @Test(arguments: [nil, Float(0), 0.2, 0.7, 1])
  func theLargerRestitutionCounts(restitution: Float?) throws {
    var world = try Worlds.empty()
    try world.addBoundary(
      .chain([Vector2(-200, 300), Vector2(200, 300)], closed: false), id: 1,
      properties: material(restitution: restitution))
    var definition = BodyDefinition(
      shape: try .circle(radius: 20), position: .zero,
      properties: Worlds.properties(restitution: 0.3))
    definition.velocity = Vector2(0, 800)
    let ball = try world.addBody(definition)
    for _ in 0..<60 { world.step() }
    let share = max(restitution ?? 0.3, 0.3)
    #expect(abs(world.body(ball)!.velocity.y + 800 * share) < 8)
  }

  @Test func valuesOutsideTheirRangesAreRefused() throws {
    var world = try Worlds.empty()
    let floor = Boundary.segment(.zero, Vector2(100, 0))
    for friction in [-0.1, Float.nan, 1e6] {
      expectRefused(.friction) {
        try world.addBoundary(floor, id: 1, properties: material(friction: friction))
      }
    }
    for restitution in [-0.1, Float.nan, 1.1] {
      expectRefused(.restitution) {
        try world.addBoundary(floor, id: 1, properties: material(restitution: restitution))
      }
    }
    #expect(world.boundaryPieceCount == 0)
  }

  /// A ledge that things jump through from below and land on.
  @Test(arguments: [0, 1, 2]) func aOneWayLedgeIsPassedFromBelow(kind: Int) throws {
    for points in [
      [Vector2(-100, 200), Vector2(100, 200)],
      [Vector2(-100, 200), Vector2(-10, 200), Vector2(100, 200)],
    ] {
      var world = try Worlds.empty(gravity: Vector2(0, 1000))
      try world.addBoundary(
        .chain(points, closed: false), id: 1, properties: material(isOneWay: true))
      let shapes = [
        try BodyShape.circle(radius: 20), try .box(width: 40, height: 40),
        try .polygon([Vector2(-20, -20), Vector2(20, -20), Vector2(20, 20), Vector2(-20, 20)]),
      ]
      var definition = BodyDefinition(
        shape: shapes[kind], position: Vector2(3, 350),
        properties: Worlds.properties(friction: 0.5))
      // To 350 − 800²/2000 = 30.
      definition.velocity = Vector2(0, -800)
      let body = try world.addBody(definition)
      var highest: Float = 350
      for _ in 0..<20 {
        world.step()
        #expect(world.contactEvents.began.isEmpty)
        highest = min(highest, world.body(body)!.position.y)
      }
      for _ in 0..<160 {
        world.step()
        highest = min(highest, world.body(body)!.position.y)
      }
      #expect(highest < 40)
      #expect(abs(world.body(body)!.position.y - 180) < 1, "it stands on the ledge")
      #expect(world.isTouching(body, .boundary(1)))
      // Drawn the other way round it is solid from below.
      #expect(world.castRay(from: Vector2(50, 0), to: Vector2(50, 300)) != nil)
      #expect(world.castRay(from: Vector2(50, 300), to: Vector2(50, 0)) == nil)
    }
  }

  @Test func aSnapshotInTheMidstOfALedgeGoesOn() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    try world.addBoundary(
      .segment(Vector2(-100, 200), Vector2(100, 200)), id: 1,
      properties: material(friction: 0.2, restitution: 0.4, isOneWay: true))
    var definition = BodyDefinition(shape: try .circle(radius: 20), position: Vector2(-70, 350))
    definition.velocity = Vector2(60, -800)
    let body = try world.addBody(definition)
    for tick in 0..<150 {
      if tick % 6 == 0 {
        var bytes: [UInt8] = []
        if tick % 12 == 0 { world.dropCaches() }
        world.save(into: &bytes)
        var restored = try PhysicsWorld.restore(from: bytes)
        #expect(restored.stateHash() == world.stateHash())
        var copy = world
        for _ in 0..<30 {
          restored.step()
          copy.step()
        }
        #expect(restored.stateHash() == copy.stateHash())
      }
      world.step()
    }
    #expect(abs(world.body(body)!.position.y - 180) < 2)
  }

  /// Over the peak of a one-way hill and through its valley a ball stays on top.
  @Test func aOneWayChainCarriesOverItsCorners() throws {
    for velocity in [Vector2(150, 0), Vector2(-150, 0)] {
      var world = try Worlds.empty(gravity: Vector2(0, 400))
      try world.addBoundary(
        .chain(
          [
            Vector2(-600, 200), Vector2(-200, 250), Vector2(0, 240), Vector2(200, 250),
            Vector2(600, 200),
          ], closed: false), id: 1, properties: material(isOneWay: true))
      var definition = BodyDefinition(
        shape: try .circle(radius: 20), position: Vector2(velocity.x > 0 ? -150 : 150, 200))
      definition.velocity = velocity
      let ball = try world.addBody(definition)
      var (least, most): (Float, Float) = (1000, -1000)
      for _ in 0..<400 {
        world.step()
        let p = world.body(ball)!.position
        #expect(p.y < 235, "it fell through at \(p.x)")
        (least, most) = (min(least, p.x), max(most, p.x))
      }
      #expect(least < -100 && most > 100)
    }
  }
}
