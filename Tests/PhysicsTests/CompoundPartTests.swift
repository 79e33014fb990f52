import Testing

@testable import Physics

/// Bodies of several shapes that are no sharp polygons: discs, capsules, what has round corners.
@Suite struct CompoundPartTests {
  typealias Part = CompoundShape.Part

  /// Two discs side by side that touch each other: their dip holds a small one.
  private func dumbbell() throws -> CompoundShape {
    try CompoundShape([
      Part(.circle(radius: 20), at: Vector2(-20, 0)), Part(.circle(radius: 20), at: Vector2(20, 0)),
    ])
  }

  private func world(gravity: Float = 1000, floor: Bool = true) throws -> PhysicsWorld {
    var world = try PhysicsWorld()
    world.gravity = Vector2(0, gravity)
    if floor {
      try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -400), id: BoundaryID(1))
    }
    return world
  }

  // MARK: Measures

  @Test func aDumbbellHasItsAreaAndInertia() throws {
    let shape = try dumbbell()
    #expect(abs(shape.area - 2 * 400 * .pi) < 0.01)
    // Each disc has r²/2 about its own centre, which is 20 pt from the whole's.
    #expect(abs(shape.inertiaPerMass - (200 + 400)) < 0.01)
    #expect(shape.centerOfMass == .zero && shape.size == Vector2(80, 40))
    var world = try world()
    let body = try world.addBody(BodyDefinition(shape: shape, position: Vector2(100, 200)))
    #expect(world.bounds(of: body) == Rect2(x: 60, y: 180, width: 80, height: 40))
    #expect(abs(try #require(world.mass(of: body)) - shape.area * 1e-4) < 1e-6)
  }

  /// Against a sum over small squares, and the formulas for the disc beside it.
  @Test(arguments: [0, 1, 2, 3, 4])
  func everyKindIsMeasuredWhereItLies(_ kind: Int) throws {
    let shapes = try [
      BodyShape.circle(radius: 12), .capsule(halfLength: 18, radius: 6),
      .box(width: 40, height: 24, cornerRadius: 7), .box(width: 30, height: 20),
      .polygon([Vector2(0, 0), Vector2(30, 0), Vector2(0, 20)], radius: 5),
    ]
    let part = Part(shapes[kind], at: Vector2(43, -31), angle: 0.7)
    let other = Part(try .circle(radius: 10), at: Vector2(-5, 8))
    let whole = try CompoundShape([part, other])
    var (area, x, y) = (100 * Double.pi, -500 * Double.pi, 800 * Double.pi)
    var inertia = area * (50 + 25 + 64)
    let cell = 0.25
    for i in -110..<110 {
      for j in -110..<110 {
        let offset = Vector2(Float((Double(i) + 0.5) * cell), Float((Double(j) + 0.5) * cell))
        let own = ConvexCore(point: offset.unrotated(by: part.rotation))
        let apart = ConvexDistance(part.shape.core, own)
        guard apart.distance <= part.shape.radius else { continue }
        let (px, py) = (Double(offset.x) + 43, Double(offset.y) - 31)
        area += cell * cell
        x += px * cell * cell
        y += py * cell * cell
        inertia += (px * px + py * py) * cell * cell
      }
    }
    (x, y) = (x / area, y / area)
    #expect(abs(Double(whole.area) / area - 1) < 0.003)
    #expect(abs(Double(whole.centerOfMass.x) - x) < 0.05)
    #expect(abs(Double(whole.centerOfMass.y) - y) < 0.05)
    #expect(abs(Double(whole.inertiaPerMass) / (inertia / area - x * x - y * y) - 1) < 0.003)
  }

  @Test func aPartAloneIsTheShapeItself() throws {
    for shape in try [BodyShape.circle(radius: 7), .capsule(halfLength: 9, radius: 4)] {
      let whole = try CompoundShape([Part(shape, at: Vector2(37.3, -101.7))])
      #expect(whole.shapes == [shape] && whole.centerOfMass == Vector2(37.3, -101.7))
    }
    // Shapes of a body may be parts of another.
    let twice = try CompoundShape([
      Part(try dumbbell().shapes[0], at: Vector2(100, 0)),
      Part(try dumbbell().shapes[1], at: Vector2(100, 0)),
    ])
    #expect((twice.centerOfMass - Vector2(100, 0)).length < 1e-4)
    #expect(abs(twice.inertiaPerMass - 600) < 0.01)
  }

  @Test func misuseIsRefused() throws {
    let disc = try BodyShape.circle(radius: 5)
    #expect(throws: PhysicsError.outlineUnusable) { try CompoundShape([]) }
    #expect(throws: PhysicsError.tooManyShapes(count: 65, limit: 64)) {
      try CompoundShape([Part](repeating: Part(disc), count: 65))
    }
    #expect(try CompoundShape([Part](repeating: Part(disc), count: 64)).shapes.count == 64)
    expectRefused(.boundingRadius) {
      try CompoundShape([Part(disc, at: Vector2(-9000, 0)), Part(disc, at: Vector2(9000, 0))])
    }
    for place in [Vector2(.nan, 0), Vector2(0, 20_000)] {
      #expect(throws: PhysicsError.self) { try CompoundShape([Part(disc, at: place)]) }
    }
    #expect(throws: PhysicsError.self) {
      try CompoundShape([Part(disc, at: .zero, rotation: Rotation(cosine: 0, sine: 0))])
    }
    // Far off, single precision can't tell the corners of what is so small.
    let speck = try BodyShape.box(width: 0.5, height: 0.5, cornerRadius: 0.2499)
    #expect(throws: PhysicsError.notConvex) {
      try CompoundShape([Part(speck, at: Vector2(-8000, 0)), Part(disc), Part(disc)])
    }
  }

  /// A comb of twenty teeth: more parts than one would do by hand.
  @Test func aCombIsTaken() throws {
    var comb = [Vector2(0, 50), Vector2(0, 0)]
    for tooth in 0..<20 {
      let x = Float(tooth) * 10
      comb += [Vector2(x + 5, 0), Vector2(x + 5, 30), Vector2(x + 10, 30)]
    }
    comb += [Vector2(200, 50)]
    let shape = try CompoundShape(outline: comb)
    #expect(shape.shapes.count > 16 && shape.shapes.count <= CompoundShape.mostShapes)
    // A bar of 50 pt less the gaps, of which the last is half open.
    #expect(abs(shape.area - (200 * 50 - 19 * 225 - 150)) < 5)
  }

  // MARK: Motion

  /// In the dip of two discs of 20 pt, one of 6 lies 16.6 pt above their centres: its own is as far
  /// from each as the radii say.
  @Test func aSmallBodyRestsInTheGap() throws {
    var world = try world()
    let body = try world.addBody(
      BodyDefinition(shape: try dumbbell(), position: Vector2(200, 380)))
    let small = try world.addBody(
      BodyDefinition(shape: .circle(radius: 6), position: Vector2(203, 330)))
    for _ in 0..<300 { world.step() }
    let (state, ball) = (try #require(world.body(body)), try #require(world.body(small)))
    #expect(abs(state.position.y - 380) < 0.5 && abs(state.angle) < 0.02)
    #expect(abs(ball.position.x - state.position.x) < 0.5)
    let height = (26 * 26 - 20 * 20 as Float).squareRoot()
    #expect(abs(state.position.y - ball.position.y - height) < 0.5)
    #expect(world.isTouching(small, .body(body)) && world.sleepingCount == 2)
    // There is air between them, and in the dip.
    #expect(world.body(at: Vector2(200, 395)) == nil && world.body(at: Vector2(182, 380)) == body)
  }

  /// A disc of a compound is as round as a disc, and a ring of many rolls like a ring.
  @Test func itRollsOnItsDiscs() throws {
    var one = try world(gravity: 0)
    var two = try world(gravity: 0)
    one.gravity = Vector2(100, 1000)
    two.gravity = one.gravity
    var properties = BodyProperties()
    properties.friction = 1
    // Two in one place are one disc.
    let whole = try CompoundShape([
      Part(.circle(radius: 20), at: Vector2(0, 0)), Part(.circle(radius: 20), at: Vector2(0, 0)),
    ])
    let wheel = try one.addBody(
      BodyDefinition(shape: whole, position: Vector2(0, 380), properties: properties))
    let disc = try two.addBody(
      BodyDefinition(
        shape: .circle(radius: 20), position: Vector2(0, 380), properties: properties))
    // Discs beside the centre, so close to each other that it rolls with hardly a bump.
    let ring = try CompoundShape(
      (0..<32).map {
        let turn = Rotation(angle: Float($0) * .pi / 16)
        return Part(try .circle(radius: 20), at: Vector2(40, 0).rotated(by: turn))
      })
    #expect(abs(ring.inertiaPerMass - (200 + 1600)) < 0.1)
    let roller = try two.addBody(
      BodyDefinition(shape: ring, position: Vector2(-300, 340), properties: properties))
    for _ in 0..<120 {
      one.step()
      two.step()
    }
    let (a, b) = (try #require(one.body(wheel)), try #require(two.body(disc)))
    #expect(b.position.x > 100 && (a.position - b.position).length < 0.5)
    #expect(abs(a.angularVelocity * 20 - a.velocity.x) < 0.02 * a.velocity.x)
    let c = try #require(two.body(roller))
    // a = g / (1 + I / (m·r²)) with g = 100 pt/s², I/m = 1800 pt² and r = 60 pt, less its bumps.
    #expect(abs(c.velocity.x - 100 * 2 / 1.5) < 25, "\(c.velocity.x)")
    #expect(abs(c.position.y - 340) < 3)
  }

  @Test func aCrossOfCapsulesLandsOnItsArms() throws {
    var world = try world()
    var properties = BodyProperties()
    properties.friction = 0.6
    let bar = try BodyShape.capsule(halfLength: 40, radius: 5)
    let cross = try CompoundShape([Part(bar), Part(bar, angle: .pi / 2)])
    #expect(abs(cross.area - 2 * bar.area) < 0.01)
    #expect(abs(cross.inertiaPerMass - bar.inertiaPerMass) < 0.01)
    #expect((cross.size - Vector2(90, 90)).length < 0.001)
    let body = try world.addBody(
      BodyDefinition(
        shape: cross, position: Vector2(200, 300), angle: 0.2, properties: properties))
    for _ in 0..<300 { world.step() }
    let state = try #require(world.body(body))
    // On two of its ends: their centres lie on a square of half side 40/√2.
    #expect(abs(state.position.y - (400 - 5 - 28.284)) < 1)
    #expect(state.isAsleep)
  }

  @Test func roundPartsMeetBoxesPolygonsAndSegments() throws {
    var world = try world()
    try world.addBoundary(.segment(Vector2(100, 300), Vector2(300, 300)), id: BoundaryID(2))
    let shape = try CompoundShape([
      Part(.circle(radius: 10), at: Vector2(-30, 0)),
      Part(.box(width: 60, height: 10, cornerRadius: 4)),
      Part(.circle(radius: 10), at: Vector2(30, 0)),
    ])
    let below = try world.addBody(BodyDefinition(shape: shape, position: Vector2(200, 280)))
    let box = try world.addBody(
      BodyDefinition(shape: .box(width: 90, height: 10), position: Vector2(200, 260)))
    let above = try world.addBody(BodyDefinition(shape: shape, position: Vector2(200, 235)))
    for _ in 0..<240 { world.step() }
    #expect(abs(try #require(world.body(below)).position.y - 290) < 0.5)
    #expect(abs(try #require(world.body(box)).position.y - 275) < 0.7)
    #expect(abs(try #require(world.body(above)).position.y - 260) < 1)
    #expect(world.sleepingCount == 3)
    var touching: [TouchingPartner] = []
    world.touching(below, into: &touching)
    #expect(touching.map(\.other) == [.body(box), .boundary(BoundaryID(2))])
  }

  // MARK: Questions

  @Test func raysCastsAndOverlapsMeetRoundParts() throws {
    var world = try world(gravity: 0, floor: false)
    let shape = try CompoundShape([
      Part(.circle(radius: 10), at: Vector2(-50, 0)),
      Part(.capsule(halfLength: 20, radius: 5), at: Vector2(50, 0), angle: .pi / 2),
    ])
    let center = shape.centerOfMass
    let body = try world.addBody(BodyDefinition(shape: shape, position: center))
    let left = try #require(world.castRay(from: Vector2(-100, 0), to: Vector2(100, 0)))
    #expect(left.target == .body(body) && abs(left.point.x + 60) < 0.01)
    let right = try #require(world.castRay(from: Vector2(100, 10), to: Vector2(0, 10)))
    #expect(abs(right.point.x - 55) < 0.01 && abs(right.normal.x - 1) < 0.001)
    #expect(world.castRay(from: Vector2(0, -100), to: Vector2(0, 100)) == nil)
    let fall = try #require(
      world.cast(.circle(radius: 5), from: Vector2(50, -100), to: Vector2(50, 0)))
    #expect(abs(fall.point.y + 25) < 0.05)
    var found: [ContactPartner] = []
    world.overlaps(of: try .circle(radius: 38), at: .zero, into: &found)
    #expect(found.isEmpty)
    world.overlaps(of: try .circle(radius: 41), at: .zero, into: &found)
    #expect(found == [.body(body)])
    #expect(world.body(at: Vector2(50, 24)) == body && world.body(at: Vector2(56, 24)) == nil)
    let bounds = try #require(world.bounds(of: body))
    #expect(abs(bounds.minX + 60) < 0.01 && abs(bounds.maxX - 55) < 0.01)
    #expect(abs(bounds.minY + 25) < 0.01 && abs(bounds.maxY - 25) < 0.01)
    var drawing = SVGDrawing(view: Rect2(x: -100, y: -100, width: 200, height: 200))
    world.draw(into: &drawing, view: Rect2(x: -100, y: -100, width: 200, height: 200))
  }

  // MARK: Snapshots

  private func pit() throws -> PhysicsWorld {
    var world = try world()
    try world.addBoundary(.halfPlane(normal: Vector2(1, 0), offset: 0), id: BoundaryID(2))
    try world.addBoundary(.halfPlane(normal: Vector2(-1, 0), offset: -300), id: BoundaryID(3))
    try world.addBoundary(.segment(Vector2(80, 200), Vector2(200, 230)), id: BoundaryID(4))
    let shapes = try [
      dumbbell(),
      CompoundShape([
        Part(.capsule(halfLength: 20, radius: 5)),
        Part(.capsule(halfLength: 20, radius: 5), at: .zero, angle: 1.2),
        Part(.box(width: 12, height: 30, cornerRadius: 3), at: Vector2(14, 9), angle: 0.4),
      ]),
      CompoundShape([
        Part(.polygon([Vector2(0, 0), Vector2(20, 0), Vector2(0, 20)], radius: 4)),
        Part(.circle(radius: 9), at: Vector2(-22, 7)), Part(.circle(radius: 5)),
      ]),
    ]
    var properties = BodyProperties()
    properties.friction = 0.3
    for i in 0..<15 {
      let place = Vector2(50 + Float(i % 4) * 65, Float(i / 4) * 95 - 60)
      properties.restitution = i == 4 ? 0.95 : 0.1
      try world.addBody(
        BodyDefinition(
          shape: shapes[i % 3], position: place, angle: Float(i), properties: properties))
      try world.addBody(
        BodyDefinition(
          shape: i % 2 == 0 ? .circle(radius: 8) : .box(width: 16, height: 12),
          position: place + Vector2(0, 45), properties: properties))
    }
    return world
  }

  @Test func aRestoredWorldGoesOnTheSame() throws {
    var world = try pit()
    for tick in 0..<200 {
      if tick % 20 == 10 {
        var bytes: [UInt8] = []
        world.save(into: &bytes)
        var other = try PhysicsWorld()
        try other.restore(from: bytes)
        #expect(other.stateHash() == world.stateHash())
        var copy = world
        for _ in 0..<15 {
          copy.step()
          other.step()
          #expect(other.contactEvents == copy.contactEvents)
        }
        #expect(other.stateHash() == copy.stateHash())
      }
      world.step()
    }
    for _ in 0..<600 { world.step() }
    var outside = 0
    world.forEachBody { id, _ in
      let bounds = world.bounds(of: id)!
      if bounds.minX < -2 || bounds.maxX > 302 || bounds.maxY > 402 { outside += 1 }
    }
    #expect(outside == 0 && world.sleepingCount == world.bodyCount)
  }

  @Test func forgedShapesAreRefused() throws {
    var world = try pit()
    for _ in 0..<30 { world.step() }
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    var (refused, restored) = (0, 0)
    var random = RandomGenerator(seed: 11)
    for _ in 0..<300 {
      var forged = bytes
      let place = Int(random.next() % UInt64(forged.count))
      forged[place] ^= UInt8(truncatingIfNeeded: random.next() | 1)
      var other = try PhysicsWorld()
      do {
        try other.restore(from: forged)
        restored += 1
        for _ in 0..<2 { other.step() }
        if let id = other.bodyID(atSlot: 0) { try other.removeBody(id) }
        other.step()
      } catch { refused += 1 }
    }
    #expect(refused > 10 && restored > 10)
  }
}
