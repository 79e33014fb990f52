import Dynamics
import DynamicsScenes
import Testing

@Suite struct SnapshotTests {
  /// Every kind of behaviour, on items of every shape.
  static func everything() throws -> Animator { try EverythingScene().animator }

  @Test func aRestoredAnimatorContinuesBitForBit() throws {
    var animator = try Self.everything()
    var bytes: [UInt8] = []
    for run in 0..<6 {
      animator.step(times: 25)
      animator.save(into: &bytes)
      var restored = try Animator.restore(from: bytes)
      #expect(restored.stateHash() == animator.stateHash())
      var copy = animator
      for tick in 0..<50 {
        let (one, two) = (copy.step(), restored.step())
        #expect(one == two)
        #expect(copy.stateHash() == restored.stateHash(), "run \(run), tick \(tick)")
      }
      var (again, other): ([UInt8], [UInt8]) = ([], [])
      copy.save(into: &again)
      restored.save(into: &other)
      #expect(again == other)
    }
  }

  @Test func aRestoredAnimatorTakesTheSameChanges() throws {
    var animator = try Self.everything()
    animator.step(times: 40)
    var bytes: [UInt8] = []
    animator.save(into: &bytes)
    var restored = try Animator.restore(from: bytes)
    func change(_ animator: inout Animator) throws {
      let item = try #require(animator.itemID(atSlot: 7))
      try animator.removeItem(item)
      let fresh = try animator.addItem(Scenes.ball(at: Vector2(100, 30)))
      for id in animator.behaviorIDs {
        if let gravity = animator.handle(id, as: GravityBehavior.self) {
          try animator.addItem(fresh, to: gravity)
          try animator.update(gravity) { $0.angle = 1 }
        }
        if let collision = animator.handle(id, as: CollisionBehavior.self) {
          if try animator.behavior(collision).boundary(id: 4) != nil {
            try animator.removeBoundary(id: 4, from: collision)
          }
          try animator.addItem(fresh, to: collision)
        }
      }
    }
    try change(&animator)
    try change(&restored)
    for _ in 0..<60 { #expect(animator.step() == restored.step()) }
    #expect(animator.stateHash() == restored.stateHash())
  }

  @Test func theHashSeesBehaviours() throws {
    var animator = try Self.everything()
    let before = animator.stateHash()
    var copy = animator
    #expect(copy.stateHash() == before)
    for id in animator.behaviorIDs {
      if let snap = animator.handle(id, as: SnapBehavior.self) {
        try copy.update(snap) { $0.damping = 0.31 }
      }
    }
    #expect(copy.stateHash() != before)
    animator.step()
    #expect(animator.stateHash() != before)
  }

  @Test func anyBytesAreAnErrorOrAnAnimatorThatSteps() throws {
    var animator = try Self.everything()
    animator.step(times: 30)
    var bytes: [UInt8] = []
    animator.save(into: &bytes)
    #expect(throws: DynamicsError.malformedSnapshot) { try Animator.restore(from: []) }
    for length in stride(from: 0, to: bytes.count, by: 97) {
      #expect(throws: DynamicsError.malformedSnapshot) {
        try Animator.restore(from: Array(bytes[0..<length]))
      }
    }
    // The solver's part at the end is the solver's to check.
    var worldBytes: [UInt8] = []
    animator.world.save(into: &worldBytes)
    let own = bytes.count - worldBytes.count
    var random = RandomGenerator(seed: 5)
    var accepted = 0
    for _ in 0..<1500 {
      var forged = bytes
      for _ in 0...random.next(below: 3) {
        let place = Int(random.next(below: UInt32(own)))
        forged[place] = UInt8(truncatingIfNeeded: random.next())
      }
      guard var restored = try? Animator.restore(from: forged) else { continue }
      accepted += 1
      restored.step(times: 2)
      restored.removeAllBehaviors()
    }
    #expect(accepted > 0)
  }
}
