import Testing

@testable import Dynamics

/// What motion makes of numbers that no caller may set: an item that fell for a minute, a member
/// that whirled with its group, a pin that turned for an hour. All of it can be saved, and goes on.
@Suite struct FarAwayTests {
  /// A ball that has flown farther than bodies may be put, 2²⁰ pt, in a scene with gravity.
  private func flown() throws -> (Animator, ItemID, GravityBehavior.Handle) {
    var animator = try Scenes.empty()
    let ball = try animator.addItem(Scenes.ball(at: Vector2(500, 99_000)))
    var gravity = GravityBehavior(items: [ball])
    gravity.magnitude = 0
    let handle = try animator.add(gravity)
    try animator.setLinearVelocity(Vector2(0, 20_000), of: ball)
    animator.step(times: 3000)
    #expect(animator.center(of: ball).y > 1_048_576)
    return (animator, ball, handle)
  }

  private func restored(_ animator: Animator) throws -> Animator {
    var bytes: [UInt8] = []
    animator.save(into: &bytes)
    let restored = try Animator.restore(from: bytes)
    #expect(restored.stateHash() == animator.stateHash())
    return restored
  }

  @Test func anItemThatFlewFarJoinsABehaviourAgainWhereItIs() throws {
    var (animator, ball, gravity) = try flown()
    let place = animator.center(of: ball)
    try animator.removeItem(ball, from: gravity)
    #expect(animator.body(of: ball) == nil && animator.center(of: ball) == place)
    animator = try restored(animator)
    try animator.addItem(ball, to: gravity)
    #expect(animator.center(of: ball) == place)
    try animator.setLinearVelocity(Vector2(0, -6000), of: ball)
    animator.step()
    #expect(isClose(animator.center(of: ball).y, place.y - 100, within: 1e-6))
    animator = try restored(animator)
    animator.step()
  }

  @Test func anItemThatFlewFarTurnsAndIsHeldWhereItIs() throws {
    var (animator, ball, _) = try flown()
    let place = animator.center(of: ball)
    try animator.setLinearVelocity(.zero, of: ball)
    try animator.setAngle(1, of: ball)
    #expect(animator.center(of: ball) == place && isClose(animator.angle(of: ball), 1))
    // The rope takes the length that it finds, which is longer than a caller may state.
    let rope = try animator.add(AttachmentBehavior.limit(item: ball, attachedToAnchor: .zero))
    #expect(try animator.behavior(rope).length ?? 0 > 1_048_576)
    var walls = CollisionBehavior(items: [ball])
    try walls.addBoundary(from: .zero, to: Vector2(9, 9), id: 1)
    try animator.add(walls)
    animator.step(times: 5)
    animator = try restored(animator)
    animator.step(times: 5)
    #expect(refusal { try animator.update(rope) { $0.length = 200_000 } }?.property == .length)
    #expect(isClose(animator.center(of: ball).y, place.y, within: 1e-5))
  }

  /// At the rim of a group that spins at the limit a member is far faster than any body may be.
  @Test func aMemberOfAWhirlingGroupIsSavedAndJoinsABehaviour() throws {
    var animator = try Scenes.empty()
    let balls = try [Float(0), 8000].map { try animator.addItem(Scenes.ball(at: Vector2($0, 0))) }
    let group = try animator.addGroup(balls)
    try animator.add(ItemBehavior(items: [group]))
    try animator.setAngularVelocity(360, of: group)
    try animator.removeItem(group)
    #expect(animator.linearVelocity(of: balls[0]).length > 100_000)
    animator = try restored(animator)
    try animator.add(GravityBehavior(items: balls))
    #expect(animator.linearVelocity(of: balls[0]).length < 20_001)
    animator.step()
    animator = try restored(animator)
  }

  /// A pin with a range counts its turns, but not for ever: they stay what can be saved.
  @Test(arguments: [Float(180), -180])
  func aPinThatTurnsAndTurnsIsSaved(spin: Float) throws {
    var animator = try Scenes.empty()
    let wheel = try animator.addItem(Scenes.square())
    let pin = try animator.add(
      AttachmentBehavior.pin(
        item: wheel, attachedToAnchor: Vector2(500, 500),
        attachmentRange: -Float.largest...Float.largest))
    try animator.setAngularVelocity(spin, of: wheel)
    for _ in 0..<40 {
      animator.step(times: 20)
      animator = try restored(animator)
    }
    #expect(isClose(animator.angularVelocity(of: wheel), spin))
    // 800 ticks of 3 rad: the range that ends half a turn before is left by so much, and the pin
    // goes back to it.
    let turned = spin / 60 * 800
    let end = turned - (spin > 0 ? Float.pi : -Float.pi)
    try animator.update(pin) { $0.attachmentRange = spin > 0 ? 0...end : end...0 }
    animator.step(times: 60)
    let angle = Rotation(angle: end).angle
    #expect((Rotation(angle: animator.angle(of: wheel)) * Rotation(angle: -angle)).angle < 0.1)
  }
}
