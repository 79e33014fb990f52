import Dynamics
import Testing

/// Closures that are passed to an animator: what they throw comes out as it is.
@Suite struct ClosureTests {
  private enum Stop: Error { case now }

  /// A square that falls, in an animator with a composite in another and one beside them.
  private func scene() throws -> (Animator, ItemID, [CompositeBehavior.Handle]) {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square(at: Vector2(500, 100)))
    let outer = try animator.add(CompositeBehavior { GravityBehavior(items: [item]) })
    let inner = try animator.addChild(
      CompositeBehavior { ItemBehavior(items: [item], elasticity: 1) }, to: outer)
    let last = try animator.add(CompositeBehavior { ItemBehavior(items: [item], friction: 1) })
    return (animator, item, [outer, inner, last])
  }

  @Test func aChangeMayTry() throws {
    var animator = try Scenes.empty()
    let walls = try animator.add(CollisionBehavior())
    try animator.update(walls) { try $0.addBoundary(from: .zero, to: Vector2(9, 9), id: 7) }
    #expect(try animator.behavior(walls).boundaryIdentifiers == [7])
    #expect(throws: DynamicsError.duplicateBoundary(7)) {
      try animator.update(walls) { try $0.addBoundary(from: .zero, to: Vector2(5, 5), id: 7) }
    }
    #expect(throws: Stop.now) {
      try animator.update(walls) { value in
        try value.removeBoundary(id: 7)
        throw Stop.now
      }
    }
    #expect(try animator.behavior(walls).boundaryIdentifiers == [7], "a refusal changes nothing")
  }

  /// The compiler checks it: nothing but a `DynamicsError` leaves this function.
  @Test func aChangeThatDoesNotTryThrowsOurErrorsOnly() throws {
    func fall(_ animator: inout Animator, _ gravity: GravityBehavior.Handle) -> DynamicsError? {
      do throws(DynamicsError) {
        try animator.update(gravity) { $0.magnitude = 2 }
        try animator.update(gravity) { value throws(DynamicsError) in
          try value.addItem(ItemID(slot: 9, generation: 9))
        }
        return nil
      } catch { return error }
    }
    var animator = try Scenes.empty()
    let gravity = try animator.add(GravityBehavior())
    #expect(fall(&animator, gravity) == .unknownItem(ItemID(slot: 9, generation: 9)))
    #expect(try animator.behavior(gravity).magnitude == 2)
  }

  @Test func anActionMayThrowAfterItsStep() throws {
    var (animator, item, _) = try scene()
    #expect(throws: Stop.now) { try animator.step { _, _ in throw Stop.now } }
    #expect(animator.stepCount == 1)
    try animator.step { animator, _ in try animator.setCenter(Vector2(5, 5), of: item) }
    #expect(animator.center(of: item) == Vector2(5, 5))
    // One that does not throw needs no try.
    var actions = 0
    animator.step { _, _ in actions += 1 }
    #expect(actions == 1)
  }

  @Test func anActionThrowsItsOwnError() throws {
    var (animator, _, _) = try scene()
    func act() -> Stop? {
      do throws(Stop) {
        try animator.step { (_: inout Animator, _: StepEvents) throws(Stop) in throw .now }
        return nil
      } catch { return error }
    }
    #expect(act() == .now)
  }

  @Test func compositesActDepthFirstAndBeforeTheAnimator() throws {
    var (animator, _, handles) = try scene()
    var turns: [CompositeBehavior.Handle?] = []
    animator.step(
      composites: { _, composite, _ in turns.append(composite) },
      action: { _, _ in turns.append(nil) })
    #expect(turns == [handles[0], handles[1], handles[2], nil])

    turns = []
    try animator.step(composites: { animator, composite, _ in
      turns.append(composite)
      if composite == handles[0] { try animator.remove(composite) }
    })
    #expect(turns == [handles[0], handles[2]], "who was removed has no turn")
    #expect(throws: Stop.now) { try animator.step(composites: { _, _, _ in throw Stop.now }) }
  }

  @Test func nobodyActsInAPause() throws {
    var (animator, item, handles) = try scene()
    try animator.remove(handles[0])
    animator.step(times: 60)
    #expect(animator.isPaused && animator.contains(item))
    var turns = 0
    animator.step(composites: { _, _, _ in turns += 1 }, action: { _, _ in turns += 1 })
    #expect(turns == 0)
  }
}
