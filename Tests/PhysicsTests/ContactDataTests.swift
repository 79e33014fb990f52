import Testing

@testable import Physics

/// What contacts between bodies say of themselves, and contacts that were once missed.
@Suite struct ContactDataTests {
  /// Two discs of radius 20 and 30, the lower slot on the left or on the right.
  @Test(arguments: [false, true])
  func bodiesSayWhoWhereAndWhichWay(isMirrored: Bool) throws {
    var world = try Worlds.empty()
    let sign: Float = isMirrored ? -1 : 1
    var ids: [BodyID] = []
    for (x, radius, speed) in [(Float(-100), Float(20), Float(300)), (100, 30, -300)] {
      var definition = BodyDefinition(
        shape: try .circle(radius: radius), position: Vector2(x * sign, 7),
        properties: Worlds.properties(restitution: 0.8))
      definition.velocity = Vector2(speed * sign, 0)
      ids.append(try world.addBody(definition))
    }
    var (began, ended): ([ContactEvent], [ContactEvent]) = ([], [])
    var between: Float = .infinity
    for _ in 0..<40 {
      world.step()
      began += world.contactEvents.began
      ended += world.contactEvents.ended
      if !world.contactEvents.began.isEmpty {
        between = (world.body(ids[0])!.position.x + 20 * sign)
      }
    }
    #expect(began.count == 1 && ended.count == 1)
    for event in began + ended {
      #expect(event.body == ids[0] && event.other == .body(ids[1]))
      #expect((event.normal - Vector2(sign, 0)).length < 1e-3)
      #expect(abs(event.point.y - 7) < 0.01)
    }
    // Where the surfaces met, to a tick's way.
    #expect(abs(began[0].point.x - between) < 11)
  }

  /// Rounded corners past each other's ends once stood 2 pt in each other without contact.
  @Test func roundedShapesTouchWhereTheirOutlinesDo() throws {
    var random = RandomGenerator(seed: 9)
    func shape() throws -> BodyShape {
      let radius = random.nextFloat(1, 12)
      switch random.next(below: 3) {
      case 0:
        return try .box(
          width: random.nextFloat(28, 60), height: random.nextFloat(28, 60), cornerRadius: radius)
      case 1: return try .capsule(halfLength: random.nextFloat(4, 30), radius: radius)
      default:
        return try .polygon(
          [Vector2(0, -30), Vector2(28, 20), Vector2(-24, 22)], radius: radius)
      }
    }
    var met = 0
    while met < 3000 {
      var world = try Worlds.empty()
      let away = Rotation(angle: random.nextFloat(-3, 3))
      let place = Vector2(away.cosine, away.sine) * random.nextFloat(10, 90)
      let a = try world.addBody(
        BodyDefinition(shape: shape(), position: .zero, angle: random.nextFloat(-3, 3)))
      let b = try world.addBody(
        BodyDefinition(shape: shape(), position: place, angle: random.nextFloat(-3, 3)))
      let gap = Silhouette(world.shape(of: a)!, world.body(a)!)
        .gap(to: Silhouette(world.shape(of: b)!, world.body(b)!))
      guard abs(gap) < 4 else { continue }
      world.step()
      let touch = !world.contactEvents.began.isEmpty
      #expect(touch || gap > -0.3, "\(gap)")
      #expect(!touch || gap < 0.01, "\(gap)")
      met += touch ? 1 : 0
    }
  }

  /// A capsule's end deep in a box once had no normal, one upright on a polygon no contact.
  @Test func aCapsulesEndIsPushedOut() throws {
    for isPolygon in [false, true] {
      for depth in [Float(-0.5), 6, 12] {
        var world = try Worlds.empty()
        let ground =
          isPolygon
          ? try BodyShape.polygon([
            Vector2(-80, 0), Vector2(80, 0), Vector2(60, 60), Vector2(-60, 60),
          ])
          : try BodyShape.box(width: 160, height: 60)
        let floor = try world.addBody(
          BodyDefinition(shape: ground, position: Vector2(0, 130), properties: Worlds.anchored))
        let top = world.bounds(of: floor)!.minY
        let id = try world.addBody(
          BodyDefinition(
            shape: try .capsule(halfLength: 12, radius: 5),
            position: Vector2(3, top - 17 + depth)))
        try world.setRotation(Rotation(cosine: 0, sine: 1), of: id)
        world.gravity = Vector2(0, 300)
        for _ in 0..<40 { world.step() }
        #expect(world.bounds(of: id)!.maxY < top + 1, "polygon \(isPolygon), depth \(depth)")
        #expect(abs(world.body(id)!.position.x - 3) < 1)
      }
    }
  }

  /// Beyond the tip of a pointed chain nothing is in the way.
  @Test func aPointedChainEndsAtItsPoint() throws {
    var world = try Worlds.empty()
    try world.addBoundary(
      .chain([Vector2(200, -20), Vector2(0, 0), Vector2(200, 20)], closed: false),
      id: BoundaryID(0))
    for x in [Float(-14), -24, -40] {
      var definition = BodyDefinition(
        shape: try .box(width: 16, height: 16), position: Vector2(x, -120))
      definition.velocity = Vector2(0, 400)
      let id = try world.addBody(definition)
      for _ in 0..<36 { world.step() }
      #expect(abs(world.body(id)!.position.y - 120) < 0.1, "at \(x)")
      try world.removeBody(id)
    }
  }

  /// Caches dropped while two have parted: the end is told in the next step.
  @Test func droppedCachesTellWhatEnded() throws {
    var world = try Worlds.empty()
    let shape = try BodyShape.circle(radius: 20)
    let a = try world.addBody(BodyDefinition(shape: shape, position: .zero))
    let b = try world.addBody(BodyDefinition(shape: shape, position: Vector2(39, 0)))
    world.step()
    #expect(world.contactEvents.began.count == 1)
    try world.setPosition(Vector2(400, 0), of: b)
    world.dropCaches()
    world.step()
    #expect(world.contactEvents.ended.map(\.body) == [a])
    #expect(world.contactEvents.ended.map(\.other) == [.body(b)])
  }
}
