import Physics
import Testing

@Suite struct CollisionTests {
  private func momentum(_ world: PhysicsWorld) -> Vector2 {
    var sum = Vector2.zero
    world.forEachBody { id, state in sum += state.velocity * world.mass(of: id) }
    return sum
  }

  private func energy(_ world: PhysicsWorld) -> Double {
    var sum = 0.0
    world.forEachBody { id, state in
      let mass = Double(world.mass(of: id))
      let inertia = mass * Double(world.shape(of: id).inertiaPerMass)
      sum += 0.5 * mass * Double(state.velocity.lengthSquared)
      sum += 0.5 * inertia * Double(state.angularVelocity * state.angularVelocity)
    }
    return sum
  }

  @Test func equalMassesExchangeTheirSpeeds() throws {
    var world = try Worlds.empty()
    let shape = try Shape.circle(radius: 20)
    var ids: [BodyID] = []
    for (x, v) in [(Float(0), Float(400)), (300, 0)] {
      var definition = BodyDefinition(
        shape: shape, position: Vector2(x, 0), properties: Worlds.properties(restitution: 1))
      definition.velocity = Vector2(v, 0)
      ids.append(try world.addBody(definition))
    }
    for _ in 0..<60 { world.step() }
    #expect(abs(world.body(ids[0]).velocity.x) < 0.5)
    #expect(abs(world.body(ids[1]).velocity.x - 400) < 0.5)
  }

  @Test func aCradlePassesTheBlowOn() throws {
    var world = try Worlds.empty()
    let shape = try Shape.circle(radius: 20)
    var ids: [BodyID] = []
    for i in 0..<5 {
      // Four touch each other, the first comes from afar.
      var definition = BodyDefinition(
        shape: shape, position: Vector2(i == 0 ? -60 : Float(i) * 40, 0),
        properties: Worlds.properties(restitution: 1))
      definition.velocity = Vector2(i == 0 ? 400 : 0, 0)
      ids.append(try world.addBody(definition))
    }
    for _ in 0..<60 { world.step() }
    #expect(abs(world.body(ids[4]).velocity.x - 400) < 0.5)
    for i in 0..<4 { #expect(abs(world.body(ids[i]).velocity.x) < 0.5) }
    // From the other side, in which the solver's order runs backwards; two strike, two leave.
    for (i, id) in ids.enumerated() {
      world.setPosition(Vector2(i < 3 ? Float(i) * 40 : Float(i) * 40 + 60, 0), of: id)
      world.setVelocity(Vector2(i < 3 ? 0 : -400, 0), of: id)
    }
    for _ in 0..<60 { world.step() }
    for i in 0..<5 { #expect(abs(world.body(ids[i]).velocity.x + (i < 2 ? 400 : 0)) < 0.5) }
  }

  @Test func closedCollisionsKeepMomentum() throws {
    var world = try Worlds.empty()
    var random = RandomGenerator(seed: 11)
    for i in 0..<30 {
      let shape =
        i % 3 == 0
        ? try Shape.circle(radius: random.nextFloat(5, 30))
        : try Shape.box(width: random.nextFloat(10, 60), height: random.nextFloat(10, 60))
      let place = Vector2(Float(i % 6) * 90, Float(i / 6) * 90)
      var definition = BodyDefinition(
        shape: shape, position: place,
        properties: Worlds.properties(restitution: 0.5, friction: 0.3))
      definition.velocity = (Vector2(225, 180) - place) * 2
      try world.addBody(definition)
    }
    let before = momentum(world)
    for _ in 0..<120 { world.step() }
    let after = momentum(world)
    #expect((after - before).length < 0.01 * 450)
  }

  @Test(arguments: [Float(0), 1])
  func energyDoesNotGrow(restitution: Float) throws {
    var world = try Worlds.pit(bodies: 60, seed: 12)
    world.gravity = .zero
    world.forEachBodyID { id in
      var p = world.properties(of: id)
      p.restitution = restitution
      try? world.setProperties(p, of: id)
    }
    var last = energy(world)
    let first = last
    for _ in 0..<300 {
      world.step()
      let now = energy(world)
      if restitution == 0 { #expect(now <= last * 1.001 + 0.001) }
      last = now
    }
    #expect(last <= first * 1.001)
  }

  @Test(
    arguments: [
      (Float(10), true), (11, true), (11.25, true), (11.4, false), (12, false), (30, false),
    ])
  func aBoxSlidesWhenTheSlopeIsSteeperThanItsFriction(degrees: Float, holds: Bool) throws {
    // μ = 0.2: tan θ = μ at 11.31°; 11.25° and 11.4° lie within 1 % of it.
    let angle = degrees * DeterministicMath.pi / 180
    var world = try Worlds.empty(
      gravity: Vector2(DeterministicMath.sine(angle), DeterministicMath.cosine(angle)) * 1000)
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: 0), id: BoundaryID(0))
    let id = try world.addBody(
      BodyDefinition(
        shape: try .box(width: 60, height: 40), position: Vector2(0, -20),
        properties: Worlds.properties(friction: 0.2)))
    for _ in 0..<300 { world.step() }
    let moved = world.body(id).position.x
    if holds {
      #expect(moved < 0.5)
    } else {
      let pull = 1000 * (DeterministicMath.sine(angle) - 0.2 * DeterministicMath.cosine(angle))
      let expected = 0.5 * pull * 25
      // At 11.4° pull and friction differ by 1.6 of 196 pt/s²: the friction is right to 0.05 %.
      #expect(abs(moved - expected) < 0.01 * expected + 0.0005 * 0.5 * 196 * 25)
    }
  }

  @Test func aStackOfTwentyBoxesStands() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: 0), id: BoundaryID(0))
    let shape = try Shape.box(width: 40, height: 40)
    var ids: [BodyID] = []
    for i in 0..<20 {
      ids.append(
        try world.addBody(
          BodyDefinition(
            shape: shape, position: Vector2(0, -20 - 40 * Float(i)),
            properties: Worlds.properties(friction: 0.4))))
    }
    for _ in 0..<3600 { world.step() }
    for (i, id) in ids.enumerated() {
      let state = world.body(id)
      #expect(abs(state.position.x) < 2)
      #expect(abs(state.position.y + 20 + 40 * Float(i)) < 4)
      #expect(abs(state.angle) < 0.02)
    }
  }

  @Test(arguments: [Float(4), 20, 60])
  func nothingPassesAThinSegment(radius: Float) throws {
    for offset in 0..<24 {
      for isBox in [false, true] {
        var world = try Worlds.empty()
        try world.addBoundary(
          .segment(Vector2(1000, -500), Vector2(1000, 500)), id: BoundaryID(0))
        let shape =
          isBox
          ? try Shape.box(width: 2 * radius, height: 2 * radius) : try Shape.circle(radius: radius)
        var definition = BodyDefinition(
          shape: shape, position: Vector2(100 + Float(offset) * 7, 0), angle: Float(offset))
        definition.velocity = Vector2(10_000, 0)
        let id = try world.addBody(definition)
        for _ in 0..<30 { world.step() }
        #expect(world.body(id).position.x < 1001)
      }
    }
  }

  @Test func aThousandfoldMassRestsOnAPile() throws {
    var world = try Worlds.pit(bodies: 64, seed: 3)
    for _ in 0..<400 { world.step() }
    let id = try world.addBody(
      BodyDefinition(
        shape: try .box(width: 120, height: 40), position: Vector2(208, 30),
        properties: Worlds.properties(friction: 0.2, density: 333)))
    for _ in 0..<600 { world.step() }
    world.forEachBody { other, state in
      #expect(state.position.isFinite)
      #expect(state.position.x > 0 && state.position.x < 416)
      #expect(state.position.y > 0 && state.position.y < 416)
    }
    #expect(world.body(id).velocity.length < 20)
  }

  @Test func fiveHundredInOnePlaceComeApart() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let bounds = Rectangle(x: 0, y: 0, width: 1200, height: 1200)
    try world.addBoundary(.bounds(bounds), id: BoundaryID(0))
    var random = RandomGenerator(seed: 21)
    let circle = try Shape.circle(radius: 20)
    let box = try Shape.box(width: 40, height: 40, cornerRadius: 4)
    for i in 0..<500 {
      try world.addBody(
        BodyDefinition(
          shape: i % 2 == 0 ? circle : box,
          // Some of them in each other, some in the walls.
          position: Vector2(random.nextFloat(0, 400), random.nextFloat(-10, 400)),
          properties: Worlds.properties(restitution: 0.3, friction: 0.2)))
    }
    var fastest: Float = 0
    for _ in 0..<300 {
      world.step()
      world.forEachBody { _, state in fastest = max(fastest, state.velocity.length) }
    }
    // Each is pushed by a dozen at first. What one pass over so many leaves of that is gone in a
    // few ticks; a fall through the room alone gives 1549. After five seconds they lie still, but
    // for some that still roll.
    #expect(fastest < 5000)
    fastest = 0
    world.forEachBody { _, state in
      #expect(bounds.contains(state.position))
      fastest = max(fastest, state.velocity.length)
    }
    #expect(fastest < 400)
  }

  @Test func tooManyInTooSmallASpaceStayAndRest() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    // 150 circles of 1257 pt² in 400×400: 118 % of the space.
    let bounds = Rectangle(x: 0, y: 0, width: 400, height: 400)
    try world.addBoundary(.bounds(bounds), id: BoundaryID(0))
    let shape = try Shape.circle(radius: 20)
    var random = RandomGenerator(seed: 22)
    for _ in 0..<150 {
      try world.addBody(
        BodyDefinition(
          shape: shape,
          position: Vector2(random.nextFloat(20, 380), random.nextFloat(20, 380)),
          properties: Worlds.properties(restitution: 0.2, friction: 0.2)))
    }
    for _ in 0..<600 { world.step() }
    world.forEachBody { _, state in
      #expect(state.position.isFinite)
      #expect(bounds.inset(by: -1).contains(state.position))
      #expect(state.velocity.length < 1000)
    }
  }

  @Test func chainsAndHalfPlanesKeepBodiesInAlike() throws {
    for useChain in [true, false] {
      var world = try Worlds.empty()
      let side: Float = 700
      let corners = [
        Vector2(0, 0), Vector2(side, 0), Vector2(side, side), Vector2(0, side),
      ]
      try world.addBoundary(
        useChain
          ? .chain(corners, closed: true)
          : .bounds(Rectangle(x: 0, y: 0, width: side, height: side)), id: BoundaryID(0))
      let small = try Shape.circle(radius: 4)
      let large = try Shape.box(width: 40, height: 40)
      for i in 0..<200 {
        try world.addBody(
          BodyDefinition(
            shape: i % 2 == 0 ? small : large,
            position: Vector2(Float(i % 15) * 44 + 40, Float(i / 15) * 44 + 40),
            properties: Worlds.properties(restitution: 0.6, friction: 0.2)))
      }
      // A centre may come to lie on a wall, to rounding.
      let room = Rectangle(x: 0, y: 0, width: side, height: side).inset(by: -0.01)
      for _ in 0..<600 {
        Worlds.turnGravity(&world)
        world.gravity *= 3
        world.step()
        world.forEachBody { _, state in #expect(room.contains(state.position)) }
      }
    }
  }
}

extension PhysicsWorld {
  /// Every body's name, in slot order.
  var bodyIDs: [BodyID] { (0..<slotCount).compactMap { bodyID(atSlot: $0) } }

  func forEachBodyID(_ action: (BodyID) -> Void) { bodyIDs.forEach(action) }
}
