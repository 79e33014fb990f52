import Physics
import Testing

/// Where other engines give up: bodies that start inside each other and inside walls, too many for
/// their space, and far too heavy ones.
@Suite struct CrowdTests {
  private func overlaps(_ world: PhysicsWorld, _ room: Rect2) -> Overlaps {
    var overlaps = Overlaps()
    overlaps.measure(world, room: room)
    return overlaps
  }

  @Test(arguments: [false, true])
  func fiveHundredInOnePlaceComeApart(insideChain: Bool) throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let side: Float = 1200
    let room = Rect2(x: 0, y: 0, width: side, height: side)
    try world.addBoundary(
      insideChain
        ? .chain(
          [Vector2(0, 0), Vector2(side, 0), Vector2(side, side), Vector2(0, side)], closed: true)
        : .bounds(room), id: BoundaryID(0))
    var random = RandomGenerator(seed: 21)
    let circle = try BodyShape.circle(radius: 20)
    let box = try BodyShape.box(width: 40, height: 40, cornerRadius: 4)
    for i in 0..<500 {
      // All in each other, one in ten with its centre next to a wall and half its body behind it.
      let x = i % 10 == 0 ? 1 : random.nextFloat(1, 400)
      try world.addBody(
        BodyDefinition(
          shape: i % 2 == 0 ? circle : box, position: Vector2(x, random.nextFloat(1, 400)),
          properties: Worlds.properties(restitution: 0.3, friction: 0.2)))
    }
    var fastest: Float = 0
    // The heap that they leave may slide once more, ten seconds later.
    for tick in 0..<900 {
      world.step()
      world.forEachBody { _, state in
        fastest = max(fastest, state.velocity.length)
        #expect(room.inset(by: -0.01).contains(state.position), "tick \(tick)")
      }
    }
    // Each is pushed by a dozen at first. What one pass over so many leaves of that is gone in a
    // few ticks; a fall through the room alone gives 1549. It is no explosion.
    #expect(fastest < 6000)
    let end = overlaps(world, room)
    #expect(end.worst < 2.5 && end.worstAtWalls < 2.5)
    // One that was thrown up may still be on its way down.
    var moving = 0
    world.forEachBody { _, state in moving += state.velocity.length > 20 ? 1 : 0 }
    #expect(moving <= 2)
  }

  @Test func tooManyInTooSmallASpaceStayAndRest() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    // 150 circles of 1257 pt² in 400×400: 118 % of the space.
    let room = Rect2(x: 0, y: 0, width: 400, height: 400)
    try world.addBoundary(.bounds(room), id: BoundaryID(0))
    let shape = try BodyShape.circle(radius: 20)
    var random = RandomGenerator(seed: 22)
    for _ in 0..<150 {
      try world.addBody(
        BodyDefinition(
          shape: shape,
          position: Vector2(random.nextFloat(20, 380), random.nextFloat(20, 380)),
          properties: Worlds.properties(restitution: 0.2, friction: 0.2)))
    }
    var fastest: Float = 0
    for tick in 0..<600 {
      world.step()
      fastest = 0
      world.forEachBody { _, state in
        #expect(room.inset(by: -0.01).contains(state.position), "tick \(tick)")
        fastest = max(fastest, state.velocity.length)
      }
    }
    // They can't but overlap. The walls give way a little, and some pairs nest almost wholly, but
    // none has come to one place, and all lie still.
    let end = overlaps(world, room)
    #expect(end.worst < 39)
    #expect(end.worstAtWalls < 4)
    #expect(fastest < 0.1)
  }

  /// Four thousand that start in one place, to the point or nearly: the pairs that are left out are
  /// told, those that are kept drive the crowd apart, and nothing is thrown about.
  @Test(arguments: [Float(0), 2]) func fourThousandInOnePlaceComeApart(spread: Float) throws {
    var world = try Worlds.empty(gravity: .zero)
    let (circle, box) = (
      try BodyShape.circle(radius: 20), try BodyShape.box(width: 40, height: 40, cornerRadius: 4)
    )
    var random = RandomGenerator(seed: 23)
    for i in 0..<4000 {
      try world.addBody(
        BodyDefinition(
          shape: i % 2 == 0 ? circle : box,
          position: Vector2(random.nextFloat(-spread, spread), random.nextFloat(-spread, spread)),
          properties: Worlds.properties(friction: 0.2)))
    }
    world.step()
    #expect(world.partsSolved == 1)
    #expect(world.pairsLeftOut > 7_000_000)
    #expect(world.contactCount <= 4000 * PhysicsLimit.crowdOfBody)
    var (fastest, before): (Float, Float) = (0, 0)
    world.forEachBody { _, state in before = max(before, state.position.length) }
    for _ in 0..<40 {
      world.step()
      #expect(world.contactCount < 200_000)
      world.forEachBody { _, state in fastest = max(fastest, state.velocity.length) }
    }
    #expect(fastest < 6000)
    var after: Float = 0
    world.forEachBody { _, state in after = max(after, state.position.length) }
    #expect(after > before + 50, "it comes apart")
  }

  /// More than a crowd's limit stand beside each other on a shelf of their own size class: nothing
  /// is left out, and nothing falls through.
  @Test func aShelfCarriesAnyNumberOfBooks() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    var shelf = Worlds.properties(friction: 0.5)
    shelf.kind = .anchored
    try world.addBody(
      BodyDefinition(
        shape: try BodyShape.box(width: 288, height: 10), position: Vector2(150, 205),
        properties: shelf))
    let book = try BodyShape.box(width: 6, height: 120)
    let ids = try (0..<28).map { i in
      try world.addBody(
        BodyDefinition(
          shape: book, position: Vector2(15 + Float(i) * 10, 140),
          properties: Worlds.properties(friction: 0.5)))
    }
    for tick in 0..<120 {
      world.step()
      #expect(world.pairsLeftOut == 0, "tick \(tick)")
    }
    for id in ids { #expect(abs(world.body(id)!.position.y - 140) < 0.5) }
  }

  /// A plate of a thousand times the mass of each of those below it, too wide to sink between them.
  @Test func aThousandfoldMassRestsOnAPile() throws {
    let room = Rect2(x: 0, y: 0, width: 416, height: 416)
    let shape = try BodyShape.box(width: 400, height: 40)
    var landings: [Double] = []
    for seed in UInt64(1)...9 {
      var world = try Worlds.pit(bodies: 64, seed: seed)
      for _ in 0..<400 { world.step() }
      let id = try world.addBody(
        BodyDefinition(
          shape: shape, position: Vector2(208, 30),
          properties: Worlds.properties(friction: 0.2, density: 0.16 * 1000 / 1.6)))
      #expect(abs(world.mass(of: id)! / 0.16 - 1000) < 1)
      var deepest = 0.0
      for tick in 0..<900 {
        world.step()
        world.forEachBody { _, state in
          #expect(room.contains(state.position), "seed \(seed), tick \(tick)")
        }
        if tick % 10 == 9 { deepest = max(deepest, overlaps(world, room).worst) }
      }
      #expect(world.body(id)!.velocity.length < 5)
      #expect(world.body(id)!.position.y < 300)
      #expect(overlaps(world, room).worst < 4, "seed \(seed)")
      landings.append(deepest)
    }
    // When it lands, those that it hits give way by less than their radius, most times.
    landings.sort()
    #expect(landings[4] < 20 && landings[8] < 40, "\(landings)")
  }
}
