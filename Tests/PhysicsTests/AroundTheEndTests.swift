import Testing

@testable import Physics

/// Boundaries are solid from both sides, and what goes round their ends has changed sides.
@Suite struct AroundTheEndTests {
  /// Steers a body from point to point and returns how far it ever was from the straight way.
  private func strays(
    _ shape: BodyShape, _ boundary: Boundary, by way: [Vector2], speed: Float
  ) throws -> Float {
    var world = try Worlds.empty()
    try world.addBoundary(boundary, id: BoundaryID(0))
    let id = try world.addBody(BodyDefinition(shape: shape, position: way[0]))
    var worst: Float = 0
    for (from, to) in zip(way, way.dropFirst()) {
      let ticks = Int((to - from).length / speed * 60) + 1
      for tick in 1...ticks {
        let expected = from + (to - from) * (Float(tick) / Float(ticks))
        try world.setVelocity((expected - world.body(id)!.position) * 60, of: id)
        world.step()
        worst = max(worst, (world.body(id)!.position - expected).length)
      }
    }
    return worst
  }

  /// What passes a tip fast is slowed a little, as the way to the tip is taken for straight.
  private static let slack: Float = 0.5

  /// A ledge's free end is passed close by; below, there is nothing to be pushed out of.
  @Test(arguments: [Float(60), 400])
  func aLedgeIsPassedRoundItsEnd(speed: Float) throws {
    let ledge = Boundary.segment(Vector2(0, 0), Vector2(200, 0))
    for shape in try [BodyShape.circle(radius: 20), .box(width: 40, height: 40, cornerRadius: 4)] {
      let way = [
        Vector2(100, -22), Vector2(223, -22), Vector2(223, 22), Vector2(100, 22), Vector2(-23, 22),
        Vector2(-23, -22), Vector2(100, -22),
      ]
      #expect(try strays(shape, ledge, by: way, speed: speed) < Self.slack)
    }
  }

  /// A thin plate and a small block as closed chains, and an open hook.
  @Test(arguments: [Float(60), 400])
  func chainsArePassedRoundTheirCorners(speed: Float) throws {
    for (width, height) in [(Float(200), Float(5)), (30, 30), (6, 120)] {
      let plate = Boundary.chain(
        [Vector2(0, 0), Vector2(width, 0), Vector2(width, height), Vector2(0, height)],
        closed: true)
      let (right, low) = (width + 22, height + 22)
      let way = [
        Vector2(width / 2, -22), Vector2(right, -22), Vector2(right, low), Vector2(-22, low),
        Vector2(-22, -22), Vector2(width / 2, -22),
      ]
      for shape in try [BodyShape.circle(radius: 20), .box(width: 40, height: 40, cornerRadius: 4)]
      {
        #expect(try strays(shape, plate, by: way, speed: speed) < Self.slack, "\(width)x\(height)")
      }
    }
    let hook = Boundary.chain([Vector2(0, 0), Vector2(100, 0), Vector2(100, 60)], closed: false)
    let way = [
      Vector2(50, -22), Vector2(122, -22), Vector2(122, 84), Vector2(70, 84), Vector2(70, 30),
      Vector2(20, 30), Vector2(-24, 30), Vector2(-24, -24), Vector2(50, -24),
    ]
    #expect(try strays(.circle(radius: 20), hook, by: way, speed: speed) < Self.slack)
  }
}
