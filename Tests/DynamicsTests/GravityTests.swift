import Dynamics
import Testing

@Suite(.tags(.fact)) struct GravityTests {
  @Test("Units: gravity (0, 1), magnitude 1.0 = 1000 pt/s²")
  func unit() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    try animator.add(GravityBehavior(items: [item]))
    animator.step(times: 6)
    #expect(isClose(animator.linearVelocity(of: item).y, 100, within: 0.0001))
    #expect(animator.linearVelocity(of: item).x == 0)
  }

  @Test("Units: free fall from rest, 480 pt in 0.98 s and 568 pt in 1.07 s")
  func freeFall() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square(at: .zero))
    try animator.add(GravityBehavior(items: [item]))
    var times: [Float] = []
    for target in [Float(480), 568] {
      var before: Float = 0
      while animator.center(of: item).y < target {
        before = animator.center(of: item).y
        animator.step()
      }
      let after = animator.center(of: item).y
      let ticks = Float(animator.stepCount) - (after - target) / (after - before)
      times.append(ticks / 60)
    }
    #expect(isClose(times[0], 0.98))
    #expect(isClose(times[1], 1.07))
  }

  @Test("Gravity: setting one form updates the other")
  func forms() {
    var gravity = GravityBehavior()
    #expect(gravity.direction == Vector2(0, 1))
    #expect(isClose(gravity.angle, .pi / 2, within: 1e-6))
    #expect(gravity.magnitude == 1)
    gravity.direction = Vector2(3, 4)
    #expect(gravity.magnitude == 5)
    #expect(isClose(gravity.angle, 0.92729522, within: 1e-6))
    gravity.setAngle(.pi, magnitude: 2)
    #expect(isClose(gravity.direction.x, -2, within: 1e-6))
    #expect(abs(gravity.direction.y) < 1e-6)
    gravity.angle = 0
    #expect(gravity.direction == Vector2(2, 0))
  }

  @Test("Gravity: magnitude 0 gives the zero vector")
  func zero() throws {
    var gravity = GravityBehavior()
    gravity.magnitude = 0
    #expect(gravity.direction == .zero)
    gravity.magnitude = 0.5
    #expect(isClose(gravity.direction.y, 0.5, within: 1e-6))
  }

  @Test("Gravity: same acceleration for every mass, only its own items")
  func masses() throws {
    var animator = try Scenes.empty()
    let light = try animator.addItem(Scenes.ball(at: Vector2(100, 0), diameter: 10))
    let heavy = try animator.addItem(Scenes.square(at: Vector2(400, 0)))
    let outside = try animator.addItem(Scenes.square(at: Vector2(800, 0)))
    try animator.add(GravityBehavior(items: [light, heavy]))
    var dense = ItemBehavior(items: [heavy, outside])
    dense.density = 7
    try animator.add(dense)
    animator.step(times: 30)
    #expect(animator.linearVelocity(of: light) == animator.linearVelocity(of: heavy))
    #expect(animator.linearVelocity(of: light).y > 490)
    #expect(animator.linearVelocity(of: outside) == .zero)
  }

  @Test("Gravity: one per animator")
  func second() throws {
    var animator = try Scenes.empty()
    let first = try animator.add(GravityBehavior())
    #expect(throws: DynamicsError.secondGravity(first.id)) {
      try animator.add(GravityBehavior())
    }
    try animator.remove(first)
    try animator.add(GravityBehavior())
  }

  @Test("Gravity: the angle may be set every tick, atan2(pitch, roll)")
  func tilt() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    let gravity = try animator.add(GravityBehavior(items: [item]))
    for tick in 0..<60 {
      let (pitch, roll) = (Float(1), Float(tick % 2) - 0.5)
      try animator.update(gravity) { $0.angle = DeterministicMath.arcTangent(y: pitch, x: roll) }
      animator.step()
    }
    // The sideways halves cancel: sin(atan2(1, ±0.5)) = 2/√5 remains.
    #expect(isClose(animator.linearVelocity(of: item).y, 894.43))
    #expect(abs(animator.linearVelocity(of: item).x) < 10)
  }

  @Test("Units: linear velocity in pt/s, angular velocity in rad/s, clockwise on screen")
  func velocities() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    try animator.add(ItemBehavior(items: [item]))
    try animator.setLinearVelocity(Vector2(60, -30), of: item)
    try animator.setAngularVelocity(2, of: item)
    animator.step(times: 60)
    #expect((animator.center(of: item) - Vector2(560, 470)).length < 0.01)
    #expect(isClose(animator.angle(of: item), 2, within: 0.001))
    // Clockwise with y down: the right-hand side of the item has gone down.
    #expect(Vector2(1, 0).rotated(by: animator.state(of: item).rotation).y > 0)
  }

  @Test("Units: effective mass = density × area / 10 000 pt²")
  func mass() throws {
    var animator = try Scenes.empty()
    let shapes: [(ItemShape, Float)] = [
      (.rectangle(width: 200, height: 50), 1), (.ellipse(width: 100, height: 100), .pi / 4),
      (.path([Vector2(0, 0), Vector2(100, 0), Vector2(0, 100)]), 0.5),
    ]
    for (shape, mass) in shapes {
      let item = try animator.addItem(Item(shape, center: .zero))
      #expect(isClose(animator.mass(of: item), mass, within: 0.0001))
    }
  }
}
