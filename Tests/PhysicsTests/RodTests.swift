import Physics
import Testing

/// Rods and ropes, which are solved four at a time.
@Suite struct RodTests {
  private func ball(_ world: inout PhysicsWorld, at p: Vector2) throws -> BodyID {
    try world.addBody(BodyDefinition(shape: try .circle(radius: 5), position: p))
  }

  /// Pendulums side by side, each on a rod or on a rope.
  private func pendulums(_ kinds: [Bool], only: Int? = nil) throws -> [Vector2] {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    var places: [Vector2] = []
    var bodies: [BodyID] = []
    for (index, isRope) in kinds.enumerated() where only == nil || only == index {
      let anchor = Vector2(Float(index) * 400, 0)
      let id = try ball(&world, at: anchor + Vector2(100, -20 * Float(index)))
      let length = 100 + 10 * Float(index)
      try world.addJoint(
        JointDefinition(
          isRope ? .rope(length: length) : .distance(length: nil), a: id, anchorB: anchor))
      bodies.append(id)
    }
    for _ in 0..<120 { world.step() }
    for id in bodies { places.append(world.body(id)!.position) }
    return places
  }

  /// Whatever stands in the other lanes of a batch, or nothing: each swings as it does alone.
  @Test(arguments: [
    [false, true, false, true], [true], [false, false, false, false, true],
    [true, true, true, false, true, false, true],
  ])
  func eachSwingsAsItDoesAlone(kinds: [Bool]) throws {
    let together = try pendulums(kinds)
    for (index, place) in together.enumerated() {
      let alone = try #require(try pendulums(kinds, only: index).first)
      #expect((place - alone).length < 0.05, "\(index): \(place), alone \(alone)")
    }
  }

  @Test func aRopeOnlyPulls() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let id = try ball(&world, at: Vector2(0, 20))
    try world.addJoint(JointDefinition(.rope(length: 100), a: id, anchorB: .zero))
    for tick in 1...20 {
      world.step()
      // It falls freely for 80 pt: 0.4 s.
      let fallen = 0.5 * 1000 * (Float(tick) / 60) * (Float(tick) / 60)
      #expect(abs(world.body(id)!.position.y - (20 + fallen)) < 4)
    }
    for _ in 0..<60 {
      world.step()
      #expect(world.body(id)!.position.y < 100.5)
    }
    #expect(abs(world.body(id)!.position.y - 100) < 0.5)
  }

  /// The speed with which a body is brought after a jumped anchor is taken away before springs are
  /// finished, so that no damper passes it on. This one is nearly all damper: it takes 6.3 of each
  /// pt/s a second, and pulls with 36 pt/s² at most.
  @Test(arguments: [false, true])
  func aDamperPassesNoCorrectionOn(isHinge: Bool) throws {
    var world = try Worlds.empty()
    let id = try ball(&world, at: Vector2(0, 100))
    let held = try world.addJoint(
      JointDefinition(
        isHinge ? .revolute() : .distance(length: 100), a: id,
        anchorA: isHinge ? Vector2(0, -100) : .zero, anchorB: .zero))
    let other = try ball(&world, at: Vector2(0, 150))
    try world.addJoint(
      JointDefinition(
        .distance(length: 50, frequency: 0.1, dampingRatio: 5), a: id, b: other, anchorB: .zero))
    world.step()
    // Farther than an anchor travels in a tick, so that it jumps; away from the other.
    try world.setAnchor(Vector2(0, -90), of: held)
    for _ in 0..<30 {
      world.step()
      #expect(world.body(id)!.velocity.length < 25)
      #expect(world.body(other)!.velocity.length < 25)
    }
    #expect(abs(world.body(id)!.position.y - 10) < 1)
  }

  /// More than 128 joints are swept once, in any order: chains hold all the same.
  @Test(arguments: [false, true])
  func manyChainsHangQuietly(isRope: Bool) throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    var ends: [(end: BodyID, anchor: Vector2)] = []
    for column in 0..<60 {
      let anchor = Vector2(Float(column) * 100, 0)
      var above: BodyID?
      for link in 1...3 {
        let id = try ball(&world, at: anchor + Vector2(0, Float(link) * 20))
        let kind: JointDefinition.Kind = isRope ? .rope(length: 20) : .distance(length: 20)
        try world.addJoint(
          above.map { JointDefinition(kind, a: id, b: $0, anchorB: .zero) }
            ?? JointDefinition(kind, a: id, anchorB: anchor))
        above = id
      }
      ends.append((above!, anchor))
    }
    for _ in 0..<180 { world.step() }
    for (end, anchor) in ends {
      let state = world.body(end)!
      #expect(abs(state.position.y - 60) < 1 && abs(state.position.x - anchor.x) < 0.1)
      #expect(state.velocity.length < 5)
    }
  }
}
