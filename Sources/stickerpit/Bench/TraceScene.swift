import ArgumentParser
import Dynamics
import Physics

/// The runs that traces are recorded from: the pit's world, with its stickers and its material,
/// under scripted phones. Everything left to chance comes from one seed.
struct TraceScene {
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    /// Gravity turns by a quarter every four seconds.
    case storm
    /// Twenty phones tilt together, and now and then one drops or throws.
    case party
    /// An empty pit that fills, with ledges in the way.
    case rain
    /// Gravity stays; a sticker drops now and then.
    case settled
    /// Gravity as phones give it that are held as still as hands can; nothing is dropped.
    case calm
    /// A party in which stickers go all the time and others take their slots.
    case churn
  }

  let kind: Kind
  let seed: UInt64
  /// Size of the world in points.
  let size: Vector2
  /// By slot, as every sticker that comes to the slot is.
  let kinds: [UInt8]
  let sizes: [UInt8]
  /// In pt/s².
  private(set) var gravity = Vector2(0, TraceScene.magnitude)

  private var animator: Animator
  private let falling: BehaviorHandle<GravityBehavior>
  private let colliding: BehaviorHandle<CollisionBehavior>
  private let material: BehaviorHandle<ItemBehavior>
  private var phones: TracePhones
  private var chance: RandomGenerator
  private let bodies: Int
  private let ticks: Int
  private var tick = 0

  static let magnitude: Float = 1000
  /// Ticks before a trace begins, in which the first stickers come to rest.
  private static let settling = 360
  /// Edge of the cells in which stickers start: the largest one and a gap.
  private static let cell: Float = 54

  init(_ kind: Kind, bodies: Int, ticks: Int, seed: UInt64) throws {
    self.kind = kind
    self.bodies = bodies
    self.ticks = ticks
    self.seed = seed
    var chance = RandomGenerator(seed: seed &* 1_000_003 &+ UInt64(kind.rawValue.utf8.first!))
    kinds = (0..<bodies).map { _ in UInt8(chance.next(below: 16)) }
    sizes = (0..<bodies).map { _ in UInt8(34 + chance.next(below: 19)) }
    phones = TracePhones(sways: kind != .calm, chance: &chance)
    self.chance = chance
    size = TraceScene.worldSize(bodies)

    var configuration = WorldConfiguration.default
    configuration.capacity = bodies
    animator = try Animator(
      referenceBounds: Rect2(x: 0, y: 0, width: size.x, height: size.y),
      configuration: configuration)
    falling = try animator.add(GravityBehavior())
    colliding = try animator.add(TraceScene.walls(kind, size))
    // As the pit's stickers are.
    var item = ItemBehavior()
    item.elasticity = 0.6
    item.friction = 0.2
    item.angularResistance = 0.1
    material = try animator.add(item)
    try fill()
  }

  /// What the slot's body does; nil while there is none.
  func body(atSlot slot: Int) -> BodyState? {
    guard let id = animator.itemID(atSlot: slot), let body = animator.body(of: id) else {
      return nil
    }
    return animator.world.body(body)
  }

  /// One tick.
  mutating func advance() throws {
    try turnGravity()
    switch kind {
    case .storm, .calm: break
    case .settled: if tick % 108 == 54 { try drop() }
    case .party:
      if tick % 108 == 54 { try drop() }
      if tick % 120 == 60 { try throwOne() }
    case .rain:
      if tick * bodies / ticks != (tick + 1) * bodies / ticks { try drop() }
    case .churn:
      if tick % 6 == 2 { try removeOne() }
      if tick % 6 == 5 { try drop() }
      if tick % 120 == 60 { try throwOne() }
    }
    animator.step()
    tick += 1
  }
}

extension TraceScene {
  /// 3:4 and filled to 60 %, as the pit grows; 1670 pt² is the mean area of its stickers.
  private static func worldSize(_ bodies: Int) -> Vector2 {
    let unit = (Float(bodies) * 1670 / 0.6 / 12).squareRoot().rounded(.up)
    let units = unit > 240 ? unit : 240
    return Vector2(units * 3, units * 4)
  }

  private static func walls(_ kind: Kind, _ size: Vector2) throws -> CollisionBehavior {
    var walls = CollisionBehavior()
    walls.translatesReferenceBoundsIntoBoundary = true
    guard kind == .rain else { return walls }
    for ledge in 0..<6 {
      let left = (ledge % 2 == 0 ? 0.08 : 0.55) * size.x
      let y = (0.2 + 0.11 * Float(ledge)) * size.y
      let slope: Float = ledge % 2 == 0 ? 40 : -40
      let path = BoundaryPath.segment(
        Vector2(left, y), Vector2(left + 0.37 * size.x, y + slope))
      try walls.addBoundary(path, id: BoundaryID(Int32(ledge + 1)))
    }
    return walls
  }

  /// Puts in the stickers of the start, but for those that will drop, and lets them settle.
  private mutating func fill() throws {
    let later = kind == .rain ? bodies : kind == .party || kind == .settled ? ticks / 108 + 1 : 0
    let columns = Int(size.x / TraceScene.cell)
    for index in 0..<max(0, bodies - later) {
      let place = Vector2(
        (Float(index % columns) + 0.5) * TraceScene.cell + chance.nextFloat(-1, 1),
        size.y - (Float(index / columns) + 0.5) * TraceScene.cell + chance.nextFloat(-1, 1))
      try add(at: place, angle: 0)
    }
    try animator.update(falling) { $0.direction = Vector2(0, 1) }
    for _ in 0..<(kind == .rain ? 0 : TraceScene.settling) { animator.step() }
  }

  private mutating func add(at place: Vector2, angle: Float) throws {
    var slot = 0
    while animator.itemID(atSlot: slot) != nil { slot += 1 }
    guard slot < bodies else { return }
    let edge = Float(sizes[slot])
    let shape: ItemShape =
      kinds[slot] & 1 == 0
      ? .ellipse(width: edge, height: edge)
      : .rectangle(width: edge, height: edge, cornerRadius: edge * 0.1)
    let id = try animator.addItem(Item(shape, center: place, angle: angle))
    try animator.addItem(id, to: material)
    try animator.addItem(id, to: colliding)
    try animator.addItem(id, to: falling)
  }

  private mutating func drop() throws {
    let x = chance.nextFloat(40, size.x - 40)
    try add(at: Vector2(x, 30), angle: chance.nextFloat(0, 6.283))
  }

  private mutating func randomItem() -> ItemID? {
    guard animator.itemCount > 0 else { return nil }
    while true {
      let slot = Int(chance.next(below: UInt32(animator.itemSlotCount)))
      if let id = animator.itemID(atSlot: slot) { return id }
    }
  }

  private mutating func removeOne() throws {
    if let id = randomItem() { try animator.removeItem(id) }
  }

  /// At 1500 pt/s, mostly upwards.
  private mutating func throwOne() throws {
    guard let id = randomItem() else { return }
    let angle = -DeterministicMath.pi / 2 + TracePhones.normal(&chance) * 0.8
    let way = Vector2(DeterministicMath.cosine(angle), DeterministicMath.sine(angle))
    try animator.setLinearVelocity(way * 1500, of: id)
  }

  /// Gravity goes in as the server's does: in 1/16 384 of its magnitude.
  private mutating func turnGravity() throws {
    var direction = Vector2(0, 1)
    if kind == .storm {
      let quarter = DeterministicMath.pi / 2
      let turns = Float(tick / 240)
      let since = Float(tick % 240) / 15
      let turned = tick < 240 ? 0 : turns - 1 + (since < 1 ? since : 1)
      let angle = quarter * (1 + turned.truncatingRemainder(dividingBy: 4))
      direction = Vector2(DeterministicMath.cosine(angle), DeterministicMath.sine(angle))
    } else if kind == .party || kind == .churn {
      direction = phones.gravity(at: tick, chance: &chance)
    } else if kind == .calm {
      // Smoothed as the server smooths: 100 ms.
      let raw = phones.gravity(at: tick, chance: &chance)
      direction = gravity / TraceScene.magnitude
      direction += (raw - direction) * 0.1535
    }
    let quantized = Vector2(
      (direction.x * 16_384).rounded() / 16_384, (direction.y * 16_384).rounded() / 16_384)
    gravity = quantized * TraceScene.magnitude
    try animator.update(falling) { $0.direction = quantized }
  }
}
