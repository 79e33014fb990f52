import Dynamics
import Testing

/// Springs that carry, and springs that go on for ever.
@Suite(.tags(.fact)) struct SpringTests {
  private static let room = Rect2(x: 0, y: 0, width: 400, height: 600)

  /// Its place stood, but its velocity was told as that of half a sub-step's fall, for ever.
  @Test(arguments: [Float(0), 50], [Float(1), 4, 12])
  func whatHangsOnASpringRests(length: Float, frequency: Float) throws {
    var animator = try Animator(referenceBounds: Self.room)
    let item = try animator.addItem(Item(.circle(diameter: 40), center: Vector2(200, 350)))
    try animator.add(GravityBehavior(items: [item], magnitude: 2))
    try animator.add(
      AttachmentBehavior(
        item: item, attachedToAnchor: Vector2(200, 300), length: length, frequency: frequency,
        damping: 1))
    var ticks = 0
    while !animator.step().didPause && ticks < 600 { ticks += 1 }
    #expect(ticks < 200, "\(ticks)")
    let omega = 2 * Float.pi * frequency
    #expect(abs(animator.center(of: item).y - 300 - length - 2000 / (omega * omega)) < 0.1)
  }

  /// Springs share the way by their stiffnesses, in whatever order they were added.
  @Test(arguments: [(Float(6), Float(6)), (6, 3), (3, 6), (2, 12)])
  func twoSpringsShareTheWay(frequencies: (Float, Float)) throws {
    var animator = try Animator(referenceBounds: Self.room)
    let item = try animator.addItem(Item(.circle(diameter: 40), center: Vector2(180, 300)))
    for (x, frequency) in [(Float(150), frequencies.0), (250, frequencies.1)] {
      try animator.add(
        AttachmentBehavior(
          item: item, attachedToAnchor: Vector2(x, 300), length: 0, frequency: frequency,
          damping: 0.7))
    }
    animator.step(times: 300)
    let (a, b) = (frequencies.0 * frequencies.0, frequencies.1 * frequencies.1)
    let expected = 150 + 100 * b / (a + b)
    #expect(abs(animator.center(of: item).x - expected) < 0.3)
  }

  /// Held beside its centre an item turns as it swings, which no formula foretells; its energy
  /// stays all the same. It grew to 217 times what it was.
  @Test(arguments: [Vector2(40, 20), Vector2(20, 0)], [Float(0), 30])
  func anUndampedSpringKeepsItsEnergy(offset: Vector2, length: Float) throws {
    var animator = try Animator(referenceBounds: Self.room)
    let item = try animator.addItem(
      Item(.rectangle(width: 80, height: 40), center: Vector2(200, 300)))
    let anchor = Vector2(300, 380)
    try animator.add(
      AttachmentBehavior(
        item: item, offsetFromCenter: offset, attachedToAnchor: anchor, length: length,
        frequency: 4))
    let stiffness = 64 * Float.pi * Float.pi
    func energy() -> Float {
      let state = animator.state(of: item)
      let stretch = (animator.convert(offset, from: item) - anchor).length - length
      let spinning = state.angularVelocity * state.angularVelocity * (6400 + 1600) / 12
      return (state.velocity.lengthSquared + spinning + stiffness * stretch * stretch) / 2
    }
    let start = energy()
    for _ in 0..<3600 {
      animator.step()
      #expect(abs(energy() / start - 1) < 0.15)
    }
  }

  /// A hundred of the stiffest at one item: what a sub-step can't follow is softer.
  @Test func manyStiffSpringsHoldAnItem() throws {
    var animator = try Animator(referenceBounds: Self.room)
    let item = try animator.addItem(
      Item(.rectangle(width: 80, height: 40), center: Vector2(200, 300)))
    for k in 0..<100 {
      let way = Vector2(angle: Float(k) * 0.3, length: 20)
      try animator.add(
        AttachmentBehavior(
          item: item, offsetFromCenter: way, attachedToAnchor: Vector2(203, 300) + way, length: 0,
          frequency: 30))
    }
    for _ in 0..<600 {
      animator.step()
      #expect((animator.center(of: item) - Vector2(203, 300)).length < 4)
    }
  }
}
