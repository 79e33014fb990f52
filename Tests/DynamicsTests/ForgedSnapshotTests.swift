import Testing

@testable import Dynamics

/// Snapshots that nobody saved: what the parts say of each other and of themselves is checked when
/// they are restored, or can't do harm in any later call.
@Suite struct ForgedSnapshotTests {
  /// Two members of a group, a ball that rests by itself, one that collides, and boundaries.
  private struct Parts {
    var animator: Animator
    var members: [ItemID] = []
    var group: ItemID
    var rests: ItemID
    var walls: CollisionBehavior.Handle

    init() throws {
      animator = try Scenes.empty()
      for x in [Float(100), 200] {
        members.append(try animator.addItem(Scenes.square(at: Vector2(x, 300))))
      }
      group = try animator.addGroup(members)
      rests = try animator.addItem(Scenes.ball(at: Vector2(50, 50)))
      let ball = try animator.addItem(Scenes.ball(at: Vector2(500, 500)))
      var value = CollisionBehavior(
        items: [ball], translatesReferenceBoundsIntoBoundary: true)
      try value.addBoundary(from: Vector2(0, 900), to: Vector2(900, 800), id: 4)
      try value.addBoundary(
        .path([Vector2(0, 700), Vector2(90, 800), Vector2(200, 700)], closed: false), id: 5)
      walls = try animator.add(value)
      animator.step(times: 3)
    }

    /// What becomes of the animator when it is saved and restored after a forgery.
    func forged(_ forge: (inout Animator) -> Void) throws -> Animator {
      var forged = animator
      forge(&forged)
      var bytes: [UInt8] = []
      forged.save(into: &bytes)
      return try Animator.restore(from: bytes)
    }

    func isRefused(_ forge: (inout Animator) -> Void) -> Bool {
      do { _ = try forged(forge) } catch { return (error as? DynamicsError) == .malformedSnapshot }
      return false
    }
  }

  @Test func whatWasNotForgedIsTaken() throws {
    let parts = try Parts()
    #expect(!parts.isRefused { _ in })
  }

  @Test func aMembersTurnIsADirection() throws {
    let parts = try Parts()
    let slot = Int(parts.group.slot)
    for turn in [
      Rotation(cosine: 0, sine: 0), Rotation(cosine: 3, sine: 0), Rotation(cosine: 0.9, sine: 0),
      Rotation(cosine: .nan, sine: 0), Rotation(cosine: 1, sine: 1e14),
    ] {
      #expect(parts.isRefused { $0.items[slot].members[1].rotation = turn }, "\(turn)")
    }
    #expect(parts.isRefused { $0.items[slot].members[1].center.x = 1e9 })
    // The group goes, its members rest where they were and join a behaviour of their own.
    var animator = try parts.forged {
      $0.items[slot].members[1].rotation = Rotation(cosine: 1.01, sine: 0)
    }
    try animator.removeItem(parts.group)
    try animator.add(GravityBehavior(items: parts.members))
    animator.step()
  }

  @Test func aRestingItemIsSomewhereAndTurnedSomehow() throws {
    let parts = try Parts()
    let slot = Int(parts.rests.slot)
    for turn in [Rotation(cosine: 0, sine: 0), Rotation(cosine: 3, sine: 0)] {
      #expect(parts.isRefused { $0.items[slot].rest.rotation = turn })
    }
    for wild in [Float.nan, .infinity, 1e14, -1e14] {
      #expect(parts.isRefused { $0.items[slot].rest.center.x = wild })
      #expect(parts.isRefused { $0.items[slot].rest.velocity.y = wild })
      #expect(parts.isRefused { $0.items[slot].rest.angularVelocity = wild })
    }
    for place in [Float(1e6), 1e7, 1e11] {
      guard
        var animator = try? parts.forged({
          $0.items[slot].rest.center = Vector2(place, -place)
          $0.items[slot].rest.rotation = Rotation(cosine: 0.98, sine: 0)
          $0.items[slot].rest.velocity = Vector2(place, place)
        })
      else { continue }
      try animator.add(GravityBehavior(items: [parts.rests]))
      animator.step()
      try animator.removeItem(parts.rests)
    }
  }

  @Test func theLastStepOfAllIsFollowedByAnother() throws {
    let parts = try Parts()
    var animator = try parts.forged { $0.stepCount = .max }
    animator.step(times: 2)
    #expect(animator.stepCount == 1)
  }

  @Test func everyBoundaryBelongsToTheBehaviourThatListsIt() throws {
    let parts = try Parts()
    let own = try #require(parts.animator.boundaryOwners.firstIndex { $0.id == 4 })
    let stranger = BehaviorID(slot: 7, generation: 0)
    let earlier = BehaviorID(slot: parts.walls.id.slot, generation: .max)
    for owner in [stranger, earlier] {
      #expect(parts.isRefused { $0.boundaryOwners[own].behavior = owner })
    }
    for id in [BoundaryID(9), BoundaryID(5), nil] {
      #expect(parts.isRefused { $0.boundaryOwners[own].id = id })
    }
    #expect(
      parts.isRefused {
        $0.boundaryOwners[own].behavior = BehaviorID(slot: 0, generation: 9)
      })
    for life in [BoundaryOwner.Life.free, .retiring] {
      #expect(parts.isRefused { $0.boundaryOwners[own].life = life })
    }
  }

  @Test func theSolverHasEveryBoundaryInAsManyPieces() throws {
    let parts = try Parts()
    let numbers = (0..<parts.animator.boundaryOwners.count).map { BoundaryID(Int32($0)) }
    for number in numbers {
      #expect(
        parts.isRefused { animator in
          try? animator.world.removeBoundary(id: number)
        })
      // One that nobody lists any more, in as many owners.
      #expect(
        parts.isRefused { animator in
          try? animator.world.removeBoundary(id: number)
          animator.boundaryOwners[Int(number.value)].life = .free
        })
      // Another one under the same number: too many pieces, or too few.
      #expect(
        parts.isRefused { animator in
          try? animator.world.removeBoundary(id: number)
          try? animator.world.addBoundary(
            .chain([.zero, Vector2(1, 1), Vector2(2, 0), Vector2(3, 3)], closed: false), id: number)
        })
    }
    // One more that belongs to nobody.
    let next = BoundaryID(Int32(numbers.count))
    #expect(
      parts.isRefused { animator in
        try? animator.world.addBoundary(.segment(.zero, Vector2(9, 9)), id: next)
      })
    for id in [BoundaryID(4), BoundaryID(77), nil] {
      #expect(
        parts.isRefused { animator in
          try? animator.world.addBoundary(.segment(.zero, Vector2(9, 9)), id: next)
          animator.boundaryOwners.append(
            BoundaryOwner(life: .alive, behavior: parts.walls.id, id: id))
        })
    }
  }

  /// Every boundary of an animator that was taken can be taken out and put back.
  @Test func boundariesOfARestoredAnimatorComeAndGo() throws {
    let parts = try Parts()
    var animator = try parts.forged { _ in }
    for _ in 0..<3 {
      try animator.removeBoundary(id: 5, from: parts.walls)
      try animator.addBoundary(.segment(.zero, Vector2(9, 9)), id: 6, to: parts.walls)
      animator.step()
      try animator.removeBoundary(id: 6, from: parts.walls)
      try animator.addBoundary(.segment(.zero, Vector2(9, 9)), id: 5, to: parts.walls)
    }
    animator.removeAllBehaviors()
    animator.step()
    #expect(animator.world.boundaryPieceCount == 0)
  }
}
