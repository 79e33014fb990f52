import Dynamics
import Testing

/// Thousands of calls by chance, sensible and senseless: nothing traps, what is refused changes
/// nothing, and at any time a snapshot restores to the same bits and goes the same way.
@Suite struct RandomCallsTests {
  @Test(arguments: UInt64(1)...12)
  func nothingTrapsAndRefusalsChangeNothing(_ seed: UInt64) throws {
    var caller = try RandomCaller(seed: seed)
    var bytes: [UInt8] = []
    for call in 0..<1500 {
      let before = caller.animator.stateHash()
      let wasRefused = caller.call()
      if wasRefused { #expect(caller.animator.stateHash() == before, "call \(call)") }
      if call % 5 == 0 { caller.animator.step() }
      guard call % 100 == 99 else { continue }
      caller.animator.save(into: &bytes)
      var restored = try Animator.restore(from: bytes)
      #expect(restored.stateHash() == caller.animator.stateHash(), "call \(call)")
      var copy = caller.animator
      for _ in 0..<20 { #expect(copy.step() == restored.step()) }
      #expect(copy.stateHash() == restored.stateHash(), "call \(call)")
      copy.forEachItem { _, state in
        #expect(state.center.isFinite && state.velocity.isFinite && state.angularVelocity.isFinite)
      }
    }
    #expect(caller.refusals > 150 && caller.refusals < 1200, "\(caller.refusals)")
    caller.animator.removeAllBehaviors()
    #expect(caller.animator.world.bodyCount == 0)
  }
}

/// Calls an animator at random, with names that exist, existed or never did, and with numbers that
/// are now and then no good.
private struct RandomCaller {
  var animator: Animator
  var refusals = 0
  private var chance: RandomGenerator
  private var items: [ItemID] = [ItemID(slot: 77, generation: 5)]

  init(seed: UInt64) throws {
    var configuration = WorldConfiguration()
    configuration.capacity = 40
    animator = try Animator(
      referenceBounds: Rect2(x: 0, y: 0, width: 600, height: 600), configuration: configuration)
    chance = RandomGenerator(seed: seed)
  }

  /// One call; whether it was refused.
  mutating func call() -> Bool {
    do throws(DynamicsError) {
      switch pick(16) {
      case 0, 1, 2: items.append(try animator.addItem(newItem()))
      case 3: try animator.removeItem(item())
      case 4, 5, 6: try animator.add(CompositeBehavior(children: newBehaviors(1)))
      case 7: try animator.add(CompositeBehavior(children: newBehaviors(pick(4))))
      case 8: try animator.removeBehavior(behavior())
      case 9, 10: try changeList()
      case 11: try changeValue()
      case 12: try changeBoundary()
      case 13: try moveItem()
      case 14: items.append(try animator.addGroup((0..<pick(4)).map { _ in item() }))
      default:
        try animator.setReferenceBounds(
          Rect2(x: 0, y: 0, width: number(600), height: number(600)))
      }
      return false
    } catch {
      refusals += 1
      return true
    }
  }

  private mutating func pick(_ count: Int) -> Int { Int(chance.next(below: UInt32(count))) }
  private mutating func item() -> ItemID { items[pick(items.count)] }
  private mutating func flag() -> Bool { pick(2) == 0 }

  /// Mostly a number about `size`, now and then a bad one.
  private mutating func number(_ size: Float) -> Float {
    switch pick(60) {
    case 0: .nan
    case 1: -.infinity
    case 2: -size
    case 3: 1e30
    default: size * chance.nextFloat(0.2, 1.2)
    }
  }

  private mutating func point() -> Vector2 { Vector2(number(500), number(500)) }
  private mutating func arm() -> Vector2 { Vector2(number(20), number(20)) }

  private mutating func behavior() -> BehaviorID {
    let names = animator.behaviorIDs
    guard !names.isEmpty, pick(12) > 0 else { return BehaviorID(slot: 300, generation: 1) }
    return names[pick(names.count)]
  }

  private mutating func newItem() -> Item {
    let shapes: [ItemShape] = [
      .rectangle(width: number(60), height: number(40), cornerRadius: flag() ? 3 : 0),
      .ellipse(width: number(50), height: number(50)), .circle(diameter: number(40)),
      .path([arm(), -arm(), Vector2(number(20), -20), Vector2(-20, number(20))]),
    ]
    return Item(shapes[pick(4)], center: point(), angle: number(3), tag: UInt32(pick(9)))
  }

  private mutating func newBehaviors(_ count: Int) -> [Behavior] {
    (0..<count).map { _ in newBehavior() }
  }

  private mutating func newBehavior() -> Behavior {
    let list = (0..<pick(4)).map { _ in item() }
    switch pick(11) {
    case 0: return .gravity(GravityBehavior(items: list, magnitude: number(1)))
    case 1: return .collision(newCollision(list))
    case 2:
      return .item(
        ItemBehavior(
          items: list, elasticity: number(0.7), friction: number(0.5), density: number(1),
          charge: number(1), isAnchored: pick(9) == 0))
    case 3:
      return .push(
        PushBehavior(
          items: list, mode: flag() ? .continuous : .instantaneous, direction: arm()))
    case 4: return .snap(SnapBehavior(item: item(), snapTo: point(), damping: number(0.6)))
    case 5, 6: return .attachment(newAttachment())
    case 7: return .composite(CompositeBehavior(children: newBehaviors(2)))
    default: return .field(newField(list))
    }
  }

  private mutating func newCollision(_ list: [ItemID]) -> CollisionBehavior {
    let modes: [CollisionBehavior.Mode] = [.items, .boundaries, .everything]
    var value = CollisionBehavior(
      items: list, mode: modes[pick(3)], translatesReferenceBoundsIntoBoundary: flag())
    let (from, to) = (point(), point())
    try? value.addBoundary(from: from, to: to, id: BoundaryID(Int32(pick(3))))
    return value
  }

  private mutating func newAttachment() -> AttachmentBehavior {
    let (a, b) = (item(), item())
    var value: AttachmentBehavior
    switch pick(7) {
    case 0: value = AttachmentBehavior(item: a, offsetFromCenter: arm(), attachedToAnchor: point())
    case 1: value = AttachmentBehavior(item: a, offsetFromCenter: arm(), attachedTo: b)
    case 2: value = .limit(item: a, attachedTo: b)
    case 3: value = .fixed(item: a, attachedTo: b, attachmentAnchor: point())
    case 4: value = .pin(item: a, attachedToAnchor: point())
    case 5: value = .sliding(item: a, attachmentAnchor: point(), axisOfTranslation: arm())
    default:
      value = .sliding(
        item: a, attachedTo: b, attachmentAnchor: point(), axisOfTranslation: arm())
    }
    if flag() { value.frequency = number(3) }
    if flag() { value.length = number(80) }
    if flag() { value.attachmentRange = -1...20 }
    value.frictionTorque = pick(5) == 0 ? number(0.2) : 0
    return value
  }

  private mutating func newField(_ list: [ItemID]) -> FieldBehavior {
    let fields: [FieldBehavior] = [
      .linearGravity(direction: arm(), items: list), .radialGravity(position: point(), items: list),
      .spring(items: list), .electric(items: list), .magnetic(items: list), .vortex(items: list),
      .drag(items: list), .velocity(direction: arm(), items: list), .custom(items: list),
      .noise(smoothness: number(0.5), animationSpeed: number(2), items: list),
      .turbulence(smoothness: number(0.5), animationSpeed: number(2), items: list),
    ]
    var field = fields[pick(fields.count)]
    field.strength = number(2)
    field.region = flag() ? .infinite : .circle(radius: number(300))
    return field
  }

  private mutating func changeList() throws(DynamicsError) {
    let (id, item) = (behavior(), item())
    let enters = flag()
    func change<Kind: DynamicBehavior>(_ kind: Kind.Type) throws(DynamicsError) -> Bool {
      guard let handle = animator.handle(id, as: kind) else { return false }
      if enters {
        try animator.addItem(item, to: handle)
      } else {
        try animator.removeItem(item, from: handle)
      }
      return true
    }
    if try change(GravityBehavior.self) { return }
    if try change(CollisionBehavior.self) { return }
    if try change(ItemBehavior.self) { return }
    if try change(PushBehavior.self) { return }
    if try change(FieldBehavior.self) { return }
    if try change(CompositeBehavior.self) { return }
    if try change(SnapBehavior.self) { return }
    _ = try change(AttachmentBehavior.self)
  }

  /// Puts any other value into a behaviour's place.
  private mutating func changeValue() throws(DynamicsError) {
    let (id, new) = (behavior(), newBehavior())
    func change<Kind: DynamicBehavior>(_ kind: Kind.Type) throws(DynamicsError) -> Bool {
      guard let handle = animator.handle(id, as: kind) else { return false }
      guard let value = Kind(new) else { return false }
      try animator.update(handle) { $0 = value }
      return true
    }
    if try change(GravityBehavior.self) { return }
    if try change(CollisionBehavior.self) { return }
    if try change(ItemBehavior.self) { return }
    if try change(PushBehavior.self) { return }
    if try change(FieldBehavior.self) { return }
    if try change(CompositeBehavior.self) { return }
    if try change(SnapBehavior.self) { return }
    _ = try change(AttachmentBehavior.self)
  }

  private mutating func changeBoundary() throws(DynamicsError) {
    let (id, path) = (behavior(), newPath())
    let number = BoundaryID(Int32(pick(4)))
    guard let handle = animator.handle(id, as: CollisionBehavior.self) else { return }
    if flag() {
      try animator.addBoundary(path, id: number, to: handle)
    } else {
      try animator.removeBoundary(id: number, from: handle)
    }
  }

  private mutating func newPath() -> BoundaryPath {
    switch pick(4) {
    case 0: .segment(point(), point())
    case 1: .path((0..<pick(5)).map { _ in point() }, closed: flag())
    case 2: .rectangle(Rect2(x: number(99_999), y: 5, width: number(0.02), height: number(9)))
    default: .ellipse(in: Rect2(x: 5, y: 5, width: number(300), height: number(200)))
    }
  }

  private mutating func moveItem() throws(DynamicsError) {
    let id = item()
    switch pick(6) {
    case 0: try animator.setCenter(point(), of: id)
    case 1: try animator.setAngle(number(3), of: id)
    case 2: try animator.setLinearVelocity(point(), of: id)
    case 3: try animator.addAngularVelocity(number(9), for: id)
    case 4: try animator.updateItem(id, usingCurrentState: newItem())
    default: _ = animator.items(in: Rect2(x: number(9), y: 9, width: number(99), height: 99))
    }
  }
}
