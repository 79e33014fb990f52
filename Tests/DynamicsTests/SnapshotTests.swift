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

  /// Memory that held the unchanged animator takes and refuses what new memory does, and becomes
  /// the same animator.
  @Test func usedMemoryJudgesAlike() throws {
    var animator = try Self.everything()
    animator.step(times: 30)
    var bytes: [UInt8] = []
    animator.save(into: &bytes)
    var random = RandomGenerator(seed: 6)
    var used = animator
    var taken = 0
    for _ in 0..<500 {
      var forged = bytes
      for _ in 0...random.next(below: 2) {
        let place = Int(random.next(below: UInt32(bytes.count)))
        forged[place] ^= 1 << UInt8(random.next(below: 8))
      }
      // Two memories take turns.
      for _ in 0..<2 { try used.restore(from: bytes) }
      let fresh = try? Animator.restore(from: forged)
      let isTaken = (try? used.restore(from: forged)) != nil
      taken += isTaken ? 1 : 0
      #expect(isTaken == (fresh != nil))
      #expect(used.stateHash() == (fresh ?? animator).stateHash())
    }
    #expect(taken > 0)
  }

  /// Behaviours of the same items, of others, and of some of them: each item gets back what each of
  /// its behaviours means for it, in their order.
  @Test func sharedAndSeparateListsComeBack() throws {
    var animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 400, height: 400))
    var balls: [ItemID] = []
    for place in 0..<6 {
      balls.append(try animator.addItem(Scenes.ball(at: Vector2(40 + 50 * Float(place), 60))))
    }
    let some = Array(balls[1...4])
    try animator.add(GravityBehavior(items: balls))
    let first = try animator.add(ItemBehavior(items: balls, elasticity: 0.4, friction: 0.1))
    try animator.add(ItemBehavior(items: balls, elasticity: 0.6, density: 2))
    try animator.add(CollisionBehavior(items: some, translatesReferenceBoundsIntoBoundary: true))
    try animator.add(CollisionBehavior(items: some.reversed(), mode: .items))
    try animator.add(ItemBehavior(items: some.reversed(), elasticity: 0.5, resistance: 0.2))
    try animator.add(ItemBehavior(items: [balls[2]], friction: 0.3))
    animator.step(times: 20)
    var bytes: [UInt8] = []
    animator.save(into: &bytes)
    var restored = animator
    for _ in 0..<3 { try restored.restore(from: bytes) }
    for ball in balls { #expect(restored.properties(of: ball) == animator.properties(of: ball)) }
    // The solver is told anew what each item has of its behaviours.
    try animator.update(first) { $0.charge = 1 }
    try restored.update(first) { $0.charge = 1 }
    try animator.removeItem(balls[3])
    try restored.removeItem(balls[3])
    for _ in 0..<60 { #expect(animator.step() == restored.step()) }
    #expect(animator.stateHash() == restored.stateHash())
  }

  /// A list that names an item twice, or one that is gone, is refused wherever the list stands.
  @Test func forgedListsAreRefused() throws {
    var animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 400, height: 400))
    let balls = try (0..<3).map {
      try animator.addItem(Scenes.ball(at: Vector2(50 * Float($0), 9)))
    }
    try animator.add(GravityBehavior(items: balls))
    try animator.add(CollisionBehavior(items: balls))
    try animator.add(ItemBehavior(items: balls, friction: 0.1))
    var bytes: [UInt8] = []
    animator.save(into: &bytes)
    let list: [UInt8] = [3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0]
    let places = bytes.indices.filter { bytes[$0...].starts(with: list) }
    #expect(places.count == 3)
    for place in places {
      for forgery: [UInt8] in [[0, 0, 1, 0], [0, 0, 3, 0], [1, 0, 2, 0], [0, 0, 255, 255]] {
        var forged = bytes
        forged.replaceSubrange((place + 12)..<(place + 16), with: forgery)
        #expect(throws: DynamicsError.malformedSnapshot) { try Animator.restore(from: forged) }
      }
    }
    // The same forgery in all of them doesn't help.
    for place in places { bytes.replaceSubrange((place + 12)..<(place + 16), with: [0, 0, 1, 0]) }
    #expect(throws: DynamicsError.malformedSnapshot) { try Animator.restore(from: bytes) }
  }
}
