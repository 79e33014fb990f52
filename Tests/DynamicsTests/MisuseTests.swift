import Testing

@testable import Dynamics

/// What a call refuses, when it refuses a number.
func refusal(_ call: () throws -> Void) -> DynamicsError.Refusal? {
  do { try call() } catch DynamicsError.valueOutOfRange(let refusal) {
    return refusal
  } catch DynamicsError.sizeOutOfRange(let refusal) {
    return refusal
  } catch {
    return nil
  }
  return nil
}

@Suite struct MisuseTests {
  @Test func unknownNamesAreRefused() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    let collision = try animator.add(CollisionBehavior(items: [item]))
    try animator.removeItem(item)
    #expect(throws: DynamicsError.unknownItem(item)) { try animator.removeItem(item) }
    #expect(throws: DynamicsError.unknownItem(item)) {
      try animator.add(GravityBehavior(items: [item]))
    }
    #expect(throws: DynamicsError.unknownItem(item)) {
      try animator.setCenter(.zero, of: item)
    }
    #expect(try animator.behavior(collision).items.isEmpty)
    try animator.remove(collision)
    #expect(throws: DynamicsError.unknownBehavior(collision.id)) {
      try animator.remove(collision)
    }
    #expect(throws: DynamicsError.unknownBehavior(collision.id)) {
      try animator.addBoundary(
        .segment(.zero, Vector2(1, 1)), id: BoundaryID(1), to: collision)
    }
  }

  @Test func aReusedSlotIsAnotherItem() throws {
    var animator = try Scenes.empty()
    let old = try animator.addItem(Scenes.square())
    try animator.removeItem(old)
    let new = try animator.addItem(Scenes.square())
    #expect(new.slot == old.slot)
    #expect(!animator.contains(old) && animator.contains(new))
  }

  @Test func duplicatesAreRefused() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    #expect(throws: DynamicsError.duplicateItem(item)) {
      try animator.add(CollisionBehavior(items: [item, item]))
    }
    let collision = try animator.add(CollisionBehavior(items: [item]))
    #expect(throws: DynamicsError.duplicateItem(item)) {
      try animator.addItem(item, to: collision)
    }
    #expect(throws: DynamicsError.duplicateBehavior(collision.id)) {
      try animator.add(CollisionBehavior(items: [item]))
    }
  }

  @Test func badShapesAreRefused() throws {
    var animator = try Scenes.empty()
    let sizes = Float(0.5)...8192
    func refused(
      _ value: Float, _ property: DynamicsError.Property = .size, _ allowed: ClosedRange<Float>
    ) -> DynamicsError {
      .sizeOutOfRange(DynamicsError.Refusal(property: property, value: value, allowed: allowed))
    }
    let cases: [(ItemShape, DynamicsError)] = [
      (.rectangle(width: -10, height: 10), refused(-10, .size, sizes)),
      (.rectangle(width: 10, height: 10, cornerRadius: 6), refused(6, .cornerRadius, 0...5)),
      (.rectangle(width: 10, height: .nan), refused(.nan, .size, sizes)),
      (.rectangle(width: 0.49, height: 10), refused(0.49, .size, sizes)),
      (.ellipse(width: 0, height: 10), refused(0, .size, sizes)),
      (.ellipse(width: 10, height: 8193), refused(8193, .size, sizes)),
      (.ellipse(width: 1, height: 8000), refused(1, .size, 2...8000)),
      (
        .path([Vector2(0, 0), Vector2(0.5, 0), Vector2(0, 0.3)]),
        refused(0.075, .area, 0.1...67_108_864)
      ),
      (.path([], growth: -1), refused(-1, .size, 0...4096)),
      (.path([]), .emptyPath),
      (.path([Vector2(0, 0), Vector2(10, 0)]), .emptyPath),
      (
        .path([Vector2(0, 0), Vector2(20, 0), Vector2(10, 5), Vector2(10, 20)], growth: 1),
        .pathUnusable
      ),
      (
        .path([Vector2(0, 0), Vector2(20, 20), Vector2(20, 0), Vector2(0, 20)]), .pathUnusable
      ),
      (.path([Vector2(0, 0), Vector2(10, 0), Vector2(20, 0)]), .pathUnusable),
    ]
    for (shape, error) in cases {
      #expect(throws: error, "\(shape)") { try animator.addItem(Item(shape, center: .zero)) }
    }
    #expect(
      refusal {
        _ = try animator.addItem(
          Item(.ellipse(width: 10, height: 10), center: Vector2(.infinity, 0)))
      }?.property == .position)
    #expect(animator.itemCount == 0)
  }

  @Test func badPropertiesAreRefusedAndChangeNothing() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    let handle = try animator.add(ItemBehavior(items: [item]))
    let changes: [(DynamicsError.Property, (inout ItemBehavior) -> Void)] = [
      (.density, { $0.density = -1 }), (.density, { $0.density = 0 }),
      (.density, { $0.density = 1e-38 }), (.density, { $0.density = 10_001 }),
      (.elasticity, { $0.elasticity = 1.5 }), (.friction, { $0.friction = -0.1 }),
      (.resistance, { $0.resistance = .infinity }),
      (.angularResistance, { $0.angularResistance = -1 }), (.charge, { $0.charge = .nan }),
    ]
    for (property, change) in changes {
      #expect(refusal { try animator.update(handle) { change(&$0) } }?.property == property)
      #expect(try animator.behavior(handle) == ItemBehavior(items: [item]))
    }
  }

  @Test func badBoundariesAreRefused() throws {
    var collision = CollisionBehavior()
    let cases: [(BoundaryPath, DynamicsError)] = [
      (.segment(Vector2(1, 1), Vector2(1, 1)), .degenerateBoundary),
      (
        .segment(Vector2(.nan, 1), Vector2(1, 1)),
        .valueOutOfRange(
          DynamicsError.Refusal(property: .position, value: .nan, allowed: -100_000...100_000))
      ),
      (.path([], closed: true), .emptyPath),
      (.path([.zero], closed: false), .emptyPath),
      (.path([.zero, Vector2(9, 9)], closed: true), .emptyPath),
      // Two points that single precision can't tell apart out there.
      (
        .rectangle(Rect2(x: 99_999, y: 0, width: 0.011, height: 5)), .degenerateBoundary
      ),
      (.path([.zero, .zero], closed: false), .degenerateBoundary),
      (.rectangle(Rect2(x: 0, y: 0, width: -5, height: 5)), .degenerateBoundary),
    ]
    for (path, error) in cases {
      #expect(throws: error) { try collision.addBoundary(path, id: BoundaryID(1)) }
    }
    #expect(collision.boundaryIdentifiers.isEmpty)
  }

  @Test func badBoundsAreRefused() throws {
    let flat = Rect2(x: 0, y: 0, width: 0, height: 10)
    #expect(refusal { _ = try Animator(referenceBounds: flat) }?.property == .bounds)
    var animator = try Scenes.empty()
    var walls = CollisionBehavior()
    try walls.setTranslatesReferenceBoundsIntoBoundary(
      with: Insets(top: 600, left: 0, bottom: 600, right: 0))
    #expect(refusal { try animator.add(walls) }?.property == .bounds)
    #expect(refusal { try animator.add(walls) }?.value == -200)
  }

  @Test func boundariesOfMorePiecesThanTheSolverTakesAreRefused() throws {
    var animator = try Scenes.empty()
    let points = (0...65_530).map { Vector2(Float($0), 0) }
    var walls = CollisionBehavior()
    try walls.addBoundary(.path(points, closed: false), id: BoundaryID(0))
    walls.translatesReferenceBoundsIntoBoundary = true
    let handle = try animator.add(walls)
    let limit = DynamicsError.tooManyBoundaryPieces(limit: 65_535)
    #expect(throws: limit) {
      try animator.addBoundary(
        .path([.zero, Vector2(9, 0), Vector2(9, 9)], closed: false), id: BoundaryID(1), to: handle)
    }
    #expect(throws: limit) {
      try animator.update(handle) { value throws(DynamicsError) in
        try value.addBoundary(
          .rectangle(Rect2(x: 0, y: 0, width: 5, height: 5)), id: BoundaryID(1))
      }
    }
    var more = CollisionBehavior()
    more.translatesReferenceBoundsIntoBoundary = true
    #expect(throws: limit) { try animator.add(more) }
    #expect(try animator.behavior(handle).boundaryIdentifiers == [BoundaryID(0)])
    try animator.addBoundary(.segment(.zero, Vector2(9, 0)), id: BoundaryID(1), to: handle)
    try animator.remove(handle)
    _ = try animator.add(more)
  }

  @Test func limitsAreErrors() throws {
    var configuration = WorldConfiguration()
    configuration.capacity = 2
    var animator = try Animator(
      referenceBounds: Rect2(x: 0, y: 0, width: 10, height: 10), configuration: configuration)
    _ = try animator.addItem(Scenes.square())
    _ = try animator.addItem(Scenes.square())
    #expect(throws: DynamicsError.tooManyItems(limit: 2)) {
      try animator.addItem(Scenes.square())
    }
    for _ in 0..<16 { try animator.add(CollisionBehavior()) }
    #expect(throws: DynamicsError.tooManyCollisionBehaviors(limit: 16)) {
      try animator.add(CollisionBehavior())
    }
  }
}

@Suite struct BehaviorMisuseTests {
  @Test func badNumbersAreRefused() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    func refuses(_ property: DynamicsError.Property, _ behavior: some DynamicBehavior) {
      #expect(refusal { try animator.add(behavior) }?.property == property)
    }
    var gravity = GravityBehavior(items: [item])
    gravity.magnitude = .nan
    refuses(.direction, gravity)
    var push = PushBehavior(items: [item], mode: .continuous)
    push.direction = Vector2(.infinity, 0)
    refuses(.direction, push)
    refuses(.damping, SnapBehavior(item: item, snapTo: .zero, damping: 1.5))
    refuses(.position, SnapBehavior(item: item, snapTo: Vector2(.nan, 0)))
    var rod = AttachmentBehavior(item: item, attachedToAnchor: .zero)
    rod.length = -1
    refuses(.length, rod)
    rod = AttachmentBehavior(item: item, attachedToAnchor: .zero)
    rod.frequency = 1000
    refuses(.frequency, rod)
    rod.frequency = 1
    rod.damping = -1
    refuses(.damping, rod)
    refuses(
      .axis,
      AttachmentBehavior.sliding(
        item: item, attachmentAnchor: .zero, axisOfTranslation: .zero))
    var field = FieldBehavior.spring(items: [item])
    field.falloff = 11
    refuses(.falloff, field)
    field = .noise(smoothness: 2, animationSpeed: 0)
    refuses(.smoothness, field)
    #expect(animator.behaviorIDs.isEmpty && !animator.isSimulated(item))
  }

  @Test func attachmentsKeepTheirItems() throws {
    var animator = try Scenes.empty()
    let a = try animator.addItem(Scenes.square())
    let b = try animator.addItem(Scenes.square(at: .zero))
    let rod = try animator.add(AttachmentBehavior(item: a, attachedTo: b))
    let snap = try animator.add(SnapBehavior(item: a, snapTo: .zero))
    #expect(throws: DynamicsError.itemsAreFixed(rod.id)) { try animator.addItem(b, to: rod) }
    #expect(throws: DynamicsError.itemsAreFixed(rod.id)) { try animator.removeItem(b, from: rod) }
    #expect(throws: DynamicsError.duplicateItem(a)) {
      try animator.add(AttachmentBehavior(item: a, attachedTo: a))
    }
    // Without its item an attachment or a snap means nothing.
    try animator.removeItem(a)
    #expect(throws: DynamicsError.unknownBehavior(rod.id)) { try animator.behavior(rod) }
    #expect(throws: DynamicsError.unknownBehavior(snap.id)) { try animator.behavior(snap) }
    #expect(!animator.isSimulated(b))
  }
}
