import Physics
import Testing

@Suite struct CollisionTests {
  @Test func equalMassesExchangeTheirSpeeds() throws {
    var world = try Worlds.empty()
    let shape = try BodyShape.circle(radius: 20)
    var ids: [BodyID] = []
    for (x, v) in [(Float(0), Float(400)), (300, 0)] {
      var definition = BodyDefinition(
        shape: shape, position: Vector2(x, 0), properties: Worlds.properties(restitution: 1))
      definition.velocity = Vector2(v, 0)
      ids.append(try world.addBody(definition))
    }
    for _ in 0..<60 { world.step() }
    #expect(abs(world.body(ids[0])!.velocity.x) < 0.5)
    #expect(abs(world.body(ids[1])!.velocity.x - 400) < 0.5)
  }

  @Test func aCradlePassesTheBlowOn() throws {
    var world = try Worlds.empty()
    let shape = try BodyShape.circle(radius: 20)
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
    #expect(abs(world.body(ids[4])!.velocity.x - 400) < 0.5)
    for i in 0..<4 { #expect(abs(world.body(ids[i])!.velocity.x) < 0.5) }
    // From the other side, in which the solver's order runs backwards; two strike, two leave.
    for (i, id) in ids.enumerated() {
      try world.setPosition(Vector2(i < 3 ? Float(i) * 40 : Float(i) * 40 + 60, 0), of: id)
      try world.setVelocity(Vector2(i < 3 ? 0 : -400, 0), of: id)
    }
    for _ in 0..<60 { world.step() }
    for i in 0..<5 { #expect(abs(world.body(ids[i])!.velocity.x + (i < 2 ? 400 : 0)) < 0.5) }
  }

  /// The same hung on rods, the first drawn aside: the last one swings out as far, and back again.
  @Test func aHungCradlePassesTheBlowOn() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    var ids: [BodyID] = []
    let angle: Float = 0.5
    for i in 0..<5 {
      let top = Vector2(Float(i) * 40, 0)
      let arm =
        i == 0
        ? Vector2(-DeterministicMath.sine(angle), DeterministicMath.cosine(angle)) * 200
        : Vector2(0, 200)
      let id = try world.addBody(
        BodyDefinition(
          shape: try .circle(radius: 20), position: top + arm,
          properties: Worlds.properties(restitution: 1)))
      try world.addJoint(JointDefinition(.distance(length: 200), a: id, anchorB: top))
      ids.append(id)
    }
    let height = 200 * (1 - DeterministicMath.cosine(angle))
    var (last, first): (Float, Float) = (0, 0)
    for tick in 0..<180 {
      world.step()
      let lift = 200 - world.body(ids[4])!.position.y
      last = max(last, lift)
      // A period is 2.8 s: a quarter down, a half for the other, a quarter up.
      if tick > 135 { first = max(first, 200 - world.body(ids[0])!.position.y) }
      for k in 1..<4 { #expect(200 - world.body(ids[k])!.position.y < 0.05 * height) }
    }
    #expect(abs(last / height - 1) < 0.05, "\(last / height)")
    #expect(abs(first / height - 1) < 0.1, "\(first / height)")
  }

  /// tan θ one percent below and above the friction: on a half-plane, a segment, an anchored box.
  @Test(arguments: [Float(0.1), 0.2, 0.5, 1], [Float(0.9), 0.99, 1.01, 1.2])
  func aBoxSlidesWhenTheSlopeIsSteeperThanItsFriction(friction: Float, share: Float) throws {
    let angle = DeterministicMath.arcTangent(y: friction * share, x: 1)
    let (s, c) = (DeterministicMath.sine(angle), DeterministicMath.cosine(angle))
    for ground in 0..<3 {
      var world = try Worlds.empty(gravity: Vector2(s, c) * 1000)
      switch ground {
      case 0:
        try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: 0), id: BoundaryID(0))
      case 1: try world.addBoundary(.segment(Vector2(-99, 0), Vector2(9999, 0)), id: BoundaryID(0))
      default:
        var slab = BodyDefinition(
          shape: try .box(width: 1024, height: 20), position: Vector2(480, 10),
          properties: Worlds.anchored)
        slab.properties.friction = friction
        try world.addBody(slab)
      }
      let id = try world.addBody(
        BodyDefinition(
          shape: try .box(width: 60, height: 20), position: Vector2(0, -10),
          properties: Worlds.properties(friction: friction)))
      // The slab is left after 960 pt.
      let ticks = ground == 2 && share > 1.1 ? 100 : 300
      for _ in 0..<ticks { world.step() }
      let moved = world.body(id)!.position.x
      if share < 1 {
        #expect(moved < 0.5, "ground \(ground)")
      } else {
        let time = Float(ticks) / 60
        let expected = 0.5 * 1000 * (s - friction * c) * time * time
        // Of the difference, and of the friction itself a twentieth of a percent.
        let slack = 0.01 * expected + 0.0005 * 0.5 * 1000 * friction * c * time * time
        #expect(abs(moved - expected) < slack, "ground \(ground): \(moved) of \(expected)")
      }
    }
  }

  @Test func aStackOfTwentyBoxesStands() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: 0), id: BoundaryID(0))
    let shape = try BodyShape.box(width: 40, height: 40)
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
      let state = world.body(id)!
      #expect(abs(state.position.x) < 0.5)
      // Each contact gives way under what it carries: all together by 1.6 pt.
      #expect(abs(state.position.y + 20 + 40 * Float(i)) < 1.7)
      #expect(abs(state.angle) < 0.002)
      #expect(state.velocity.length < 0.1)
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
          : .bounds(Rect2(x: 0, y: 0, width: side, height: side)), id: BoundaryID(0))
      let small = try BodyShape.circle(radius: 4)
      let large = try BodyShape.box(width: 40, height: 40)
      for i in 0..<200 {
        try world.addBody(
          BodyDefinition(
            shape: i % 2 == 0 ? small : large,
            position: Vector2(Float(i % 15) * 44 + 40, Float(i / 15) * 44 + 40),
            properties: Worlds.properties(restitution: 0.6, friction: 0.2)))
      }
      // A centre may come to lie on a wall, to rounding.
      let room = Rect2(x: 0, y: 0, width: side, height: side).inset(by: -0.01)
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
