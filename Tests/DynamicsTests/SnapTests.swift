import Dynamics
import Testing

@Suite(.tags(.fact)) struct SnapTests {
  @Test(
    "Snap: a spring of 4 Hz whose damping ratio is `damping`, in place and rotation, within 3 %",
    arguments: [Float(0), 0.2, 0.5, 1])
  func spring(_ damping: Float) throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square(at: Vector2(200, 700), angle: 1))
    try animator.add(
      SnapBehavior(item: item, snapTo: Vector2(500, 300), damping: damping))
    let omega = 2 * Double.pi * 4
    var place = 1.0
    var speed = 0.0
    for _ in 0..<60 {
      for _ in 0..<2000 {
        speed += (-omega * omega * place - 2 * Double(damping) * omega * speed) / 120_000
        place += speed / 120_000
      }
      animator.step()
      let expected = Float(place)
      #expect(abs((animator.center(of: item).x - 500) / -300 - expected) < 0.03)
      #expect(abs((animator.center(of: item).y - 300) / 400 - expected) < 0.03)
      #expect(abs(animator.angle(of: item) - expected) < 0.03)
    }
  }

  @Test("Snap: ends on the point with rotation 0, gravity or not")
  func ends() throws {
    for magnitude in [Float(0), 1, 3] {
      var animator = try Scenes.empty()
      let item = try animator.addItem(Scenes.square(at: Vector2(200, 700), angle: 2.5))
      var gravity = GravityBehavior(items: [item])
      gravity.magnitude = magnitude
      try animator.add(gravity)
      let snap = try animator.add(SnapBehavior(item: item, snapTo: Vector2(500, 300)))
      #expect(try animator.behavior(snap).damping == 0.5)
      animator.step(times: 120)
      #expect(animator.center(of: item) == Vector2(500, 300))
      #expect(animator.angle(of: item) == 0)
      #expect(animator.linearVelocity(of: item).length < 20 * magnitude + 0.001)
      animator.step(times: 60)
      #expect((animator.center(of: item) - Vector2(500, 300)).length < 0.02)
      #expect(animator.isPaused)
    }
  }

  @Test("Snap: the point may be moved")
  func moves() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    let snap = try animator.add(SnapBehavior(item: item, snapTo: Vector2(200, 200)))
    animator.step(times: 120)
    try animator.update(snap) { $0.snapPoint = Vector2(700, 100) }
    animator.step(times: 120)
    #expect(animator.center(of: item) == Vector2(700, 100))
  }
}
