import Dynamics
import Physics

/// Snapshots of worlds and animators: what is restored must go on without a trap, whatever may be
/// done with it.
enum SnapshotFuzzing {
  static func restoreWorld(_ bytes: UnsafeRawBufferPointer) {
    guard var world = try? PhysicsWorld.restore(from: Array(bytes)) else { return }
    Use.use(&world)
  }

  static func restoreAnimator(_ bytes: UnsafeRawBufferPointer) {
    guard var animator = try? Animator.restore(from: Array(bytes)) else { return }
    Use.use(&animator)
  }

  static func worldSeeds() throws -> [[UInt8]] {
    var seeds: [[UInt8]] = []
    for count in [1, 3, 12] {
      var world = try pile(of: count)
      var bytes: [UInt8] = []
      world.save(into: &bytes)
      seeds.append(bytes)
      for _ in 0..<40 { world.step() }
      world.save(into: &bytes)
      seeds.append(bytes)
      world.dropCaches()
      world.save(into: &bytes)
      seeds.append(bytes)
    }
    return seeds
  }

  private static func pile(of count: Int) throws -> PhysicsWorld {
    var configuration = WorldConfiguration.default
    configuration.capacity = 32
    var world = try PhysicsWorld(configuration)
    try world.addBoundary(
      .bounds(Rect2(x: 0, y: 0, width: 200, height: 200)), id: BoundaryID(1))
    try world.addBoundary(.segment(Vector2(20, 150), Vector2(180, 170)), id: BoundaryID(2))
    var last: BodyID?
    for index in 0..<count {
      let shape: BodyShape =
        switch index % 3 {
        case 0: try .circle(radius: 12)
        case 1: try .box(width: 24, height: 20, cornerRadius: 2)
        default: try .capsule(halfLength: 8, radius: 6)
        }
      let place = Vector2(40 + Float(index % 4) * 30, 40 + Float(index / 4) * 30)
      let id = try world.addBody(BodyDefinition(shape: shape, position: place, angle: 0.3))
      if let last, index % 4 == 3 {
        try world.addJoint(JointDefinition(.rope(length: 40), a: id, b: last, anchorB: .zero))
      }
      last = id
    }
    return world
  }

  static func animatorSeeds() throws -> [[UInt8]] {
    var seeds: [[UInt8]] = []
    for count in [1, 6] {
      var animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 200, height: 200))
      let gravity = try animator.add(GravityBehavior())
      var behavior = CollisionBehavior()
      behavior.translatesReferenceBoundsIntoBoundary = true
      let collision = try animator.add(behavior)
      let material = try animator.add(ItemBehavior())
      for index in 0..<count {
        let shape: ItemShape =
          index % 2 == 0
          ? .ellipse(width: 20, height: 20)
          : .rectangle(width: 30, height: 20, cornerRadius: 2)
        let id = try animator.addItem(Item(shape, center: Vector2(30 + Float(index) * 25, 60)))
        try animator.addItem(id, to: gravity)
        try animator.addItem(id, to: collision)
        try animator.addItem(id, to: material)
        if index == 1 { try animator.add(SnapBehavior(item: id, snapTo: Vector2(100, 100))) }
        if index == 2 {
          try animator.add(AttachmentBehavior(item: id, attachedToAnchor: Vector2(60, 20)))
        }
      }
      var bytes: [UInt8] = []
      if count > 1 {
        let members = try [Float(20), 45].map {
          try animator.addItem(Item(.circle(diameter: 20), center: Vector2($0, 150)))
        }
        try animator.addItem(try animator.addGroup(members), to: collision)
        try animator.addBoundary(from: Vector2(0, 180), to: Vector2(200, 190), id: 3, to: collision)
        try animator.add(
          AttachmentBehavior.pin(
            item: try animator.addItem(Item(.circle(diameter: 20), center: Vector2(150, 30))),
            attachedToAnchor: Vector2(160, 30), attachmentRange: -2...2))
      }
      animator.save(into: &bytes)
      seeds.append(bytes)
      for _ in 0..<30 { animator.step() }
      animator.save(into: &bytes)
      seeds.append(bytes)
    }
    return seeds
  }
}
