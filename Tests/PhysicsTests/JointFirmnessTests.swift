import Foundation
import Physics
import Testing

/// Joints under hard use, against solutions of the equations of motion.
@Suite struct JointFirmnessTests {
  /// A second-order equation y″ = f(y, y′) from (y, v), a tick further.
  private func advance(
    _ y: inout Double, _ v: inout Double, _ f: (Double, Double) -> Double
  ) {
    let h = 1.0 / 60 / 200
    for _ in 0..<200 {
      let (k1, l1) = (v, f(y, v))
      let (k2, l2) = (v + h / 2 * l1, f(y + h / 2 * k1, v + h / 2 * l1))
      let (k3, l3) = (v + h / 2 * l2, f(y + h / 2 * k2, v + h / 2 * l2))
      let (k4, l4) = (v + h * l3, f(y + h * k3, v + h * l3))
      y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
      v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
    }
  }

  private func ball(_ world: inout PhysicsWorld, at p: Vector2) throws -> BodyID {
    try world.addBody(BodyDefinition(shape: try .circle(radius: 20), position: p))
  }

  @Test func aPendulumFallsFromTheHorizontal() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let id = try ball(&world, at: Vector2(100, 0))
    try world.addJoint(JointDefinition(.distance(length: nil), a: id, anchorB: .zero))
    var (angle, spin) = (Double.pi / 2, 0.0)
    for tick in 1...1200 {
      world.step()
      let state = world.body(id)!
      #expect(abs(state.position.length - 100) < 0.01)
      if tick <= 120 {
        advance(&angle, &spin) { y, _ in -10 * sin(y) }
        let exact = Vector2(Float(100 * sin(angle)), Float(100 * cos(angle)))
        #expect((state.position - exact).length < 1, "tick \(tick)")
      }
      // The integrator's energy wavers by half a sub-step's fall and does not drift.
      let energy = 0.5 * state.velocity.lengthSquared - 1000 * state.position.y
      #expect(abs(energy) < 1000)
    }
  }

  @Test func aFreePairTurnsForEver() throws {
    for frequency in [Float(0), 30] {
      var world = try Worlds.empty()
      let a = try ball(&world, at: Vector2(-50, 0))
      let b = try ball(&world, at: Vector2(50, 0))
      try world.addJoint(
        JointDefinition(.distance(length: 100, frequency: frequency), a: a, b: b, anchorB: .zero))
      try world.setVelocity(Vector2(0, 300), of: a)
      try world.setVelocity(Vector2(0, -300), of: b)
      for _ in 0..<1200 {
        world.step()
        let way = world.body(a)!.position - world.body(b)!.position
        if frequency == 0 {
          #expect(abs(way.length - 100) < 0.02)
          #expect(abs(world.body(a)!.velocity.length - 300) < 0.3)
        }
      }
      let energy =
        0.5 * (world.body(a)!.velocity.lengthSquared + world.body(b)!.velocity.lengthSquared)
      if frequency == 0 { #expect(abs(energy / 90_000 - 1) < 0.001) }
      #expect(energy < 91_000)
      #expect((world.body(a)!.position + world.body(b)!.position).length < 0.1)
    }
  }

  /// All at once and a piece each tick: the body is brought after without being slung.
  @Test(arguments: [Float(640), 100, 70])
  func aJumpingAnchorDoesNotThrow(piece: Float) throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let id = try ball(&world, at: Vector2(500, 500))
    let joint = try world.addJoint(
      JointDefinition(.distance(length: nil), a: id, anchorB: Vector2(500, 400)))
    for _ in 0..<30 { world.step() }
    let (from, to) = (Vector2(500, 400), Vector2(100, 900))
    var gone: Float = 0
    while gone < (to - from).length {
      gone = min(gone + piece, (to - from).length)
      try world.setAnchor(from + (to - from).normalized * gone, of: joint)
      world.step()
    }
    for _ in 0..<30 { world.step() }
    for _ in 0..<300 {
      world.step()
      #expect(abs((world.body(id)!.position - to).length - 100) < 0.5)
      #expect(world.body(id)!.velocity.length < 1500)
    }
  }

  @Test(arguments: [true, false])
  func aRodDoesNotPullThroughAWall(isSegment: Bool) throws {
    for jumps in [true, false] {
      var world = try Worlds.empty()
      try world.addBoundary(
        isSegment
          ? .segment(Vector2(-500, 400), Vector2(500, 400))
          : .halfPlane(normal: Vector2(0, -1), offset: -400), id: BoundaryID(0))
      let id = try world.addBody(
        BodyDefinition(
          shape: try .circle(radius: 20), position: Vector2(200, 200),
          properties: Worlds.properties(restitution: 0.6)))
      let joint = try world.addJoint(
        JointDefinition(.distance(length: 0), a: id, anchorB: Vector2(200, 200)))
      for step in 1...60 {
        let way: Float = jumps ? 1 : Float(step) / 60
        try world.setAnchor(Vector2(200, 200 + 500 * way), of: joint)
        world.step()
        #expect(world.body(id)!.position.y < 390)
      }
      for _ in 0..<60 {
        world.step()
        #expect(abs(world.body(id)!.position.y - 380) < 6)
      }
      try world.removeJoint(joint)
      for _ in 0..<2 { world.step() }
      #expect(world.body(id)!.velocity.length < 300)
    }
  }

  /// A finger on a Lissajous path, at most 800 pt/s.
  @Test func aDraggedRodKeepsItsLength() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let id = try ball(&world, at: Vector2(0, 100))
    let joint = try world.addJoint(
      JointDefinition(.distance(length: nil), a: id, anchorB: .zero))
    for tick in 1...600 {
      let t = Double(tick) / 60
      let finger = Vector2(Float(200 * sin(2.4 * t)), Float(130 * sin(4.8 * t)))
      try world.setAnchor(finger, of: joint)
      world.step()
      #expect(abs((world.body(id)!.position - finger).length - 100) < 0.1)
      #expect(world.body(id)!.velocity.length < 4000)
    }
  }

  /// From rest, stretched by 50, hanging in gravity or lying.
  @Test(
    arguments: [(0.2, 0.3), (1, 0), (2, 0.2), (4, 0.5), (4, 1), (5, 3), (10, 0.1), (30, 0.2)],
    [0.0, 1000])
  func aSpringFollowsTheDampedOscillator(spring: (Double, Double), gravity: Double) throws {
    let (frequency, ratio) = spring
    var world = try Worlds.empty(gravity: Vector2(0, Float(gravity)))
    let id = try ball(&world, at: Vector2(0, 350))
    try world.addJoint(
      JointDefinition(
        .distance(length: 300, frequency: Float(frequency), dampingRatio: Float(ratio)), a: id,
        anchorB: .zero))
    let omega = 2 * Double.pi * frequency
    var (y, v) = (50.0, 0.0)
    for tick in 1...180 {
      world.step()
      advance(&y, &v) { y, v in gravity - 2 * ratio * omega * v - omega * omega * y }
      let off = abs(Double(world.body(id)!.position.y) - 300 - y)
      // Frequency and decay are exact; the places of a damped one differ by what `Kick` says.
      #expect(off < (frequency > 10 ? 0.8 : 0.065), "tick \(tick)")
    }
  }

  @Test func aSquareSwingsAboutItsCorner() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let id = try world.addBody(
      BodyDefinition(shape: try .box(width: 100, height: 100), position: Vector2(50, 50)))
    try world.addJoint(
      JointDefinition(.revolute(), a: id, anchorA: Vector2(-50, -50), anchorB: .zero))
    // Angle of the centre from straight down; (I + m·r²)/m = 1666.7 + 5000.
    var (angle, spin) = (Double.pi / 4, 0.0)
    let arm = 5000.0.squareRoot()
    for tick in 1...240 {
      world.step()
      advance(&angle, &spin) { y, _ in -1000 * arm / 6666.667 * sin(y) }
      let state = world.body(id)!
      let exact = Vector2(Float(arm * sin(angle)), Float(arm * cos(angle)))
      #expect((state.position - exact).length < 1, "tick \(tick)")
      let corner = state.position + Vector2(-50, -50).rotated(by: state.rotation)
      #expect(corner.length < 0.02)
    }
  }

  @Test func aChainOfRodsHangsStraight() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000), sleeps: true)
    var last: BodyID?
    var ids: [BodyID] = []
    for i in 1...10 {
      var definition = BodyDefinition(
        shape: try .circle(radius: 10), position: Vector2(Float(i) * 40, 0))
      definition.properties.linearDamping = 1
      let id = try world.addBody(definition)
      try world.addJoint(JointDefinition(.distance(length: nil), a: id, b: last, anchorB: .zero))
      last = id
      ids.append(id)
    }
    for _ in 0..<900 {
      world.step()
      var before = Vector2.zero
      for id in ids {
        let here = world.body(id)!.position
        #expect(abs((here - before).length - 40) < 0.4)
        before = here
      }
    }
    for (i, id) in ids.enumerated() {
      #expect((world.body(id)!.position - Vector2(0, Float(i + 1) * 40)).length < 2)
    }
  }

  /// A plank of ten welded boxes, held at one end.
  @Test func aWeldedPlankStaysStraight() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    var last: BodyID?
    var ids: [BodyID] = []
    for i in 0..<10 {
      let id = try world.addBody(
        BodyDefinition(
          shape: try .box(width: 20, height: 20), position: Vector2(10 + Float(i) * 20, 0)))
      var joint = JointDefinition(
        .weld(angle: nil), a: id, anchorA: Vector2(-10, 0), b: last,
        anchorB: last == nil ? .zero : Vector2(10, 0))
      joint.collides = false
      try world.addJoint(joint)
      last = id
      ids.append(id)
    }
    for _ in 0..<300 { world.step() }
    #expect(abs(world.body(ids[9])!.position.y) < 2)
    #expect(abs(world.body(ids[9])!.angle) < 0.02)
  }

  @Test func aRopeUnderAHeavyLoadHolds() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let id = try world.addBody(
      BodyDefinition(
        shape: try .circle(radius: 20), position: Vector2(0, 40),
        properties: Worlds.properties(density: 1000)))
    try world.addJoint(JointDefinition(.rope(length: 120), a: id, anchorB: .zero))
    for _ in 0..<120 {
      world.step()
      #expect(world.body(id)!.position.length < 120.1)
    }
    #expect(abs(world.body(id)!.position.y - 120) < 0.1)
  }

  @Test func aMovedAnchorSurvivesASnapshot() throws {
    var a = try Worlds.empty(gravity: Vector2(0, 1000))
    let id = try ball(&a, at: Vector2(0, 100))
    let joint = try a.addJoint(JointDefinition(.distance(length: nil), a: id, anchorB: .zero))
    for _ in 0..<10 { a.step() }
    try a.setAnchor(Vector2(20, 5), of: joint)
    var bytes: [UInt8] = []
    a.save(into: &bytes)
    var b = try PhysicsWorld.restore(from: bytes)
    for _ in 0..<20 {
      a.step()
      b.step()
    }
    #expect(a.stateHash() == b.stateHash())
    #expect(a.anchors(of: joint)!.b == Vector2(20, 5))
  }
}
