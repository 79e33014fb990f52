import Dynamics
import Testing

/// The speed under which nothing bounces.
@Suite(.tags(.fact)) struct BounceTests {
  /// Newton's cradle: five balls of elasticity 1 on rods of 200 pt, the first of which starts.
  private func cradle(speed: Float) throws -> (Animator, [ItemID]) {
    var animator = try Scenes.empty()
    var balls: [ItemID] = []
    for i in 0..<5 {
      balls.append(try animator.addItem(Scenes.ball(at: Vector2(400 + 40 * Float(i), 600))))
    }
    try animator.add(GravityBehavior(items: balls))
    try animator.add(CollisionBehavior(items: balls))
    try animator.add(ItemBehavior(items: balls, elasticity: 1))
    for (i, ball) in balls.enumerated() {
      try animator.add(
        AttachmentBehavior(item: ball, attachedToAnchor: Vector2(400 + 40 * Float(i), 400)))
    }
    try animator.setLinearVelocity(Vector2(-speed, 0), of: balls[0])
    return (animator, balls)
  }

  @Test("Collision: a small cradle of elasticity 1 swings on", arguments: [Float(77), 40, 300])
  func smallCradle(_ speed: Float) throws {
    var (animator, balls) = try cradle(speed: speed)
    // Six half swings of 1.4 s; in the last second and a half one end must still have its speed.
    animator.step(times: 420)
    var fastest: Float = 0
    for _ in 0..<90 {
      animator.step()
      let ends = [balls[0], balls[4]].map { animator.linearVelocity(of: $0).length }
      fastest = max(fastest, ends[0], ends[1])
    }
    #expect(fastest > 0.7 * speed, "\(fastest) of \(speed)")
  }

  @Test("Collision: the threshold is a property: over it things bounce, under it they don't")
  func threshold() throws {
    for (threshold, bounces) in [(Float(150), true), (400, false)] {
      var animator = try Scenes.empty()
      let item = try animator.addItem(Scenes.ball(at: Vector2(500, 500)))
      try animator.add(
        CollisionBehavior(items: [item], translatesReferenceBoundsIntoBoundary: true))
      try animator.add(ItemBehavior(items: [item], elasticity: 0.5))
      try animator.setBounceThreshold(threshold)
      #expect(animator.bounceThreshold == threshold)
      try animator.setLinearVelocity(Vector2(0, 300), of: item)
      animator.step(times: 120)
      #expect((animator.linearVelocity(of: item).y < -140) == bounces)
    }
  }

  @Test func theThresholdIsRefusedOutsideItsRangeAndIsPartOfTheState() throws {
    var animator = try Scenes.empty()
    #expect(animator.bounceThreshold == 20)
    for bad in [Float.nan, -1, 20_001] {
      let refused = refusal { try animator.setBounceThreshold(bad) }
      #expect(refused?.property == .bounceThreshold && refused?.allowed == 0...20_000)
      #expect(refused?.value.bitPattern == bad.bitPattern)
    }
    let before = animator.stateHash()
    try animator.setBounceThreshold(50)
    #expect(animator.stateHash() != before)
    var bytes: [UInt8] = []
    animator.save(into: &bytes)
    #expect(try Animator.restore(from: bytes).bounceThreshold == 50)
    let pit = try Animator(
      referenceBounds: Rect2(x: 0, y: 0, width: 9, height: 9), configuration: .default)
    #expect(pit.bounceThreshold == 100, "the pit has its own")
  }

  @Test("Animator: piles come to rest with the default threshold", arguments: [false, true])
  func pilesRest(_ isBoxes: Bool) throws {
    var animator = try Scenes.empty(width: 320, height: 600)
    var random = RandomGenerator(seed: 3)
    let items = try animator.addItems(
      (0..<30).map { i in
        let center = Vector2(random.nextFloat(40, 280), 30 + 18 * Float(i))
        return Item(
          isBoxes ? .rectangle(width: 36, height: 30) : .circle(diameter: 40), center: center)
      })
    try animator.add(GravityBehavior(items: items))
    try animator.add(
      CollisionBehavior(items: items, translatesReferenceBoundsIntoBoundary: true))
    try animator.add(ItemBehavior(items: items, elasticity: 0.6, friction: 0.2))
    var ticks = 0
    while !animator.isPaused && ticks < 3600 {
      animator.step()
      ticks += 1
    }
    #expect(animator.isPaused, "after \(ticks) ticks")
  }
}
