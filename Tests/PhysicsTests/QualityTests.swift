import Physics
import PhysicsScenes
import Testing

/// How solid piles look: overlaps in the scenes that benchmarks compare engines by.
@Suite struct QualityTests {
  /// What a run of 1000 bodies shows in every tenth tick after its warm-up.
  private func overlaps(
    _ kind: PhysicsScene.Kind, insideChain: Bool, warmUp: Int, ticks: Int
  ) throws -> (Overlaps, PhysicsWorld) {
    var scene = try PhysicsScene(kind, bodies: 1000, insideChain: insideChain)
    let room = Rect2(x: 0, y: 0, width: Float(scene.side), height: Float(scene.side))
    var overlaps = Overlaps()
    for tick in 0..<(warmUp + ticks) {
      scene.step()
      if tick >= warmUp && tick % 10 == 9 { overlaps.measure(scene.world, room: room) }
    }
    return (overlaps, scene.world)
  }

  @Test(arguments: [false, true])
  func aMovingPitStaysSolid(insideChain: Bool) throws {
    let (overlaps, _) = try self.overlaps(.pit, insideChain: insideChain, warmUp: 300, ticks: 600)
    #expect(overlaps.near > 60 * 1000, "measured nothing")
    #expect(overlaps.worst <= 10 && overlaps.worstAtWalls <= 10)
    #expect(overlaps.meanOfFrameMaxima <= 2.5)
    #expect(overlaps.percentile99 <= 1.3)
    #expect(overlaps.escaped == 0)
  }

  @Test(arguments: [false, true])
  func aSettledPitStaysSolid(insideChain: Bool) throws {
    let (overlaps, world) = try self.overlaps(
      .settled, insideChain: insideChain, warmUp: 1200, ticks: 300)
    #expect(overlaps.near > 30 * 1000, "measured nothing")
    #expect(overlaps.worst <= 1.2 && overlaps.worstAtWalls <= 1.2)
    #expect(overlaps.escaped == 0)
    var squares = 0.0
    world.forEachBody { _, state in squares += Double(state.velocity.lengthSquared) }
    #expect((squares / 1000).squareRoot() <= 0.005, "still moves")
  }

  /// The measure itself: discs, boxes and walls whose overlaps are known.
  @Test func theMeasureMeasures() throws {
    var world = try Worlds.empty()
    for (x, y, isBox, angle) in [
      (Float(100), Float(100), false, Float(0)), (137, 100, false, 0),
      (300, 100, true, 0), (300, 134, true, 0), (500, 100, true, DeterministicMath.pi / 4),
      (500 + 28.284_271 + 18, 100, false, 0), (16, 300, true, 0), (-1, 500, false, 0),
    ] {
      let shape =
        isBox ? try BodyShape.box(width: 40, height: 40) : try BodyShape.circle(radius: 20)
      try world.addBody(BodyDefinition(shape: shape, position: Vector2(x, y), angle: angle))
    }
    var overlaps = Overlaps()
    overlaps.measure(world, room: Rect2(x: 0, y: 0, width: 1000, height: 1000))
    #expect(abs(overlaps.worst - 6) < 1e-3)
    #expect(abs(overlaps.worstAtWalls - 21) < 1e-3)
    #expect(abs(overlaps.meanOfFrameMaxima - 21) < 1e-3)
    #expect(overlaps.escaped == 1)
    #expect(overlaps.near == 3)
  }
}
