import Dynamics
import Testing

/// What many attachments together do: bridges and chains hold, and springs that hold an item beside
/// its centre neither gain nor lose.
@Suite(.tags(.fact)) struct ChainTests {
  /// Eleven planks of 28.7×10 pt between two points, tied end to end by ropes of 6 pt, 2 pt longer
  /// than the gaps: short ropes with long, light things on them.
  private func bridge(
    colliding: Bool, density: Float, height: Float
  ) throws -> (Animator, [ItemID]) {
    var animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 400, height: 600))
    let (width, pitch, half): (Float, Float, Float) = (28.7, 32.7, 14.35)
    let planks = try (0..<11).map { i in
      try animator.addItem(
        Item(
          .rectangle(width: width, height: height),
          center: Vector2(20 + pitch * (Float(i) + 0.5), 150)))
    }
    let (left, right) = (Vector2(-half, 0), Vector2(half, 0))
    try animator.add(
      AttachmentBehavior.limit(
        item: planks[0], offsetFromCenter: left, attachedToAnchor: Vector2(20, 150), length: 6))
    for (one, next) in zip(planks, planks.dropFirst()) {
      try animator.add(
        AttachmentBehavior.limit(
          item: one, offsetFromCenter: right, attachedTo: next, offsetFromCenter: left, length: 6))
    }
    try animator.add(
      AttachmentBehavior.limit(
        item: planks[10], offsetFromCenter: right,
        attachedToAnchor: Vector2(20 + pitch * 11, 150), length: 6))
    try animator.add(GravityBehavior(items: planks))
    try animator.add(ItemBehavior(items: planks, density: density))
    if colliding { try animator.add(CollisionBehavior(items: planks)) }
    return (animator, planks)
  }

  @Test(
    "Attachment: a bridge of planks on short ropes holds, whatever it weighs and is made of",
    arguments: [(false, Float(1), Float(10)), (true, 1, 10), (false, 100, 10), (false, 1, 28)])
  func bridges(_ colliding: Bool, _ density: Float, _ height: Float) throws {
    var (animator, planks) = try bridge(colliding: colliding, density: density, height: height)
    let half = Vector2(14.35, 0)
    for tick in 1...240 {
      animator.step()
      for (one, next) in zip(planks, planks.dropFirst()) {
        let gap = animator.convert(half, from: one) - animator.convert(-half, from: next)
        #expect(gap.length < 7, "tick \(tick)")
      }
      // A fall from the highest to the lowest place of the bridge gives 600 pt/s.
      #expect(planks.allSatisfy { animator.linearVelocity(of: $0).length < 900 }, "tick \(tick)")
    }
  }

  @Test(
    "Attachment: a chain of hanging rods, swung out, neither tears nor gains", arguments: [3, 4])
  func hangingChain(_ count: Int) throws {
    var animator = try Scenes.empty()
    let links = try (0..<count).map { i in
      try animator.addItem(
        Item(.rectangle(width: 20, height: 20), center: Vector2(530 + 30 * Float(i), 200)))
    }
    try animator.add(GravityBehavior(items: links))
    try animator.add(AttachmentBehavior(item: links[0], attachedToAnchor: Vector2(500, 200)))
    for (one, next) in zip(links, links.dropFirst()) {
      try animator.add(AttachmentBehavior(item: one, attachedTo: next))
    }
    // Height and motion of all, in points of height of one link.
    func energy(_ animator: Animator) -> Float {
      var sum: Float = 0
      for link in links {
        let state = animator.state(of: link)
        let spinning = state.angularVelocity * state.angularVelocity * (400.0 + 400) / 12
        sum += (state.velocity.lengthSquared + spinning) / 2000 - state.center.y
      }
      return sum
    }
    let start = energy(animator)
    var worst: Float = 0
    for _ in 0..<600 {
      animator.step()
      worst = max(worst, abs(energy(animator) - start))
    }
    // In 10 s, of the 90 and 300 pt that all of them fall together.
    #expect(worst < 8)
  }

  @Test(
    "Attachment: a spring beside the centre keeps its stiffness, so that swinging gains nothing",
    arguments: [(Float(0), Float(2)), (80, 2), (0, 4)])
  func springBesideTheCentre(_ length: Float, _ frequency: Float) throws {
    var animator = try Scenes.empty()
    let card = try animator.addItem(
      Item(.rectangle(width: 100, height: 20), center: Vector2(550, 500)))
    try animator.add(GravityBehavior(items: [card]))
    let anchor = Vector2(500, 500 - length)
    try animator.add(
      AttachmentBehavior(
        item: card, offsetFromCenter: Vector2(-50, 0), attachedToAnchor: anchor, length: length,
        frequency: frequency, damping: 0))
    let stiffness = 4 * Float.pi * Float.pi * frequency * frequency
    // In points of height of the card.
    func energy(_ animator: Animator) -> Float {
      let state = animator.state(of: card)
      let stretch = (animator.convert(Vector2(-50, 0), from: card) - anchor).length - length
      let spinning = state.angularVelocity * state.angularVelocity * (10_000 + 400) / 12
      return (state.velocity.lengthSquared + spinning + stiffness * stretch * stretch) / 2000
        - state.center.y
    }
    let start = energy(animator)
    var worst: Float = 0
    for _ in 0..<1200 {
      animator.step()
      worst = max(worst, abs(energy(animator) - start))
    }
    // In 20 s, of the 100 pt that it falls; with a stiffness that follows the arm it was 1060.
    #expect(worst < 40)
  }

  @Test("Attachment: two equal springs hold an item near the middle, at rest")
  func twoSprings() throws {
    var animator = try Scenes.empty()
    let ball = try animator.addItem(Scenes.ball(at: Vector2(450, 500)))
    for anchor in [Vector2(400, 500), Vector2(500, 500)] {
      try animator.add(
        AttachmentBehavior(
          item: ball, attachedToAnchor: anchor, length: 0, frequency: 6, damping: 0.5))
    }
    animator.step(times: 600)
    #expect(abs(animator.center(of: ball).x - 450) < 0.05)
    #expect(animator.linearVelocity(of: ball).length < 1)
  }

  /// A hand shakes the upper end: the links are cracked like a whip. They came to 18 000 pt/s and
  /// stayed there.
  @Test(arguments: [8, 12, 16, 20], [Float(400), 800, 1600])
  func aShakenChainCalmsDown(count: Int, speed: Float) throws {
    var animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 600, height: 900))
    let links = try (0..<count).map { i in
      let center = Vector2(300, 70 + 20 * Float(i))
      return try animator.addItem(
        Item(.rectangle(width: 20, height: 6), center: center, angle: .pi / 2))
    }
    try animator.add(GravityBehavior(items: links))
    for i in 1..<count {
      let joint = Vector2(300, 60 + 20 * Float(i))
      try animator.add(
        .pin(item: links[i - 1], attachedTo: links[i], attachmentAnchor: joint))
    }
    let hand = try animator.add(
      AttachmentBehavior(
        item: links[0], offsetFromCenter: Vector2(-10, 0), attachedToAnchor: Vector2(300, 60)))
    func fastest() -> Float {
      links.map { animator.linearVelocity(of: $0).length }.max()!
    }
    for tick in 0..<360 {
      let x = 300 + Vector2(angle: Float(tick) / 60 * speed / 150, length: 150).y
      try animator.update(hand) { $0.anchorPoint = Vector2(x, 60) }
      animator.step()
    }
    animator.step(times: 600)
    // Falling by its whole length a link comes to 894 pt/s at most, if there are twenty.
    #expect(fastest() < 4000, "\(fastest())")
  }

  /// Light links with something heavy at their end converge slowly: with plain sweeps eight links
  /// threw the ball 300 pt above where it came from.
  @Test(arguments: [4, 6, 8, 10, 20])
  func aHeavyBallSwingsOnAChainOfLightLinks(count: Int) throws {
    var animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 900, height: 900))
    let (hook, angle, length) = (Vector2(440, 50), Float(2.97), Float(300))
    let way = Vector2(angle: angle, length: length)
    let start = hook + way
    let ball = try animator.addItem(Item(.circle(diameter: 60), center: start))
    let link = ItemShape.rectangle(width: length / Float(count), height: 8)
    let links = try (0..<count).map { i in
      let center = hook + way * ((Float(i) + 0.5) / Float(count))
      return try animator.addItem(Item(link, center: center, angle: angle))
    }
    try animator.add(GravityBehavior(items: links + [ball]))
    try animator.add(ItemBehavior(items: [ball], density: 8))
    try animator.add(.pin(item: links[0], attachedToAnchor: hook))
    for i in 1..<count {
      let joint = hook + way * (Float(i) / Float(count))
      try animator.add(
        .pin(item: links[i - 1], attachedTo: links[i], attachmentAnchor: joint))
    }
    try animator.add(.pin(item: links[count - 1], attachedTo: ball, attachmentAnchor: start))
    var (top, fastest, reach): (Float, Float, Float) = (start.y, 0, 0)
    for _ in 0..<720 {
      animator.step()
      top = min(top, animator.center(of: ball).y)
      reach = max(reach, (animator.center(of: ball) - hook).length)
      for link in links { fastest = max(fastest, animator.linearVelocity(of: link).length) }
    }
    // It falls 250 pt, which makes 707 pt/s.
    #expect(top > start.y - 10, "\(top)")
    #expect(fastest < 2000, "\(fastest)")
    #expect(reach < length + (count > 10 ? 40 : 2), "\(reach)")
  }
}
