/// Every kind of behaviour, attachment, field, region, boundary and shape in one animator, which
/// changes while it runs: what copies, hashes, snapshots and replays must carry.
public struct EverythingScene: Sendable {
  /// The animator; a test may put a restored one in its place.
  public var animator: Animator
  /// Ticks so far.
  public private(set) var tick = 0

  private var items: [ItemID] = []
  private let gravity: GravityBehavior.Handle
  private let walls: CollisionBehavior.Handle
  private var push: PushBehavior.Handle?
  private var snap: SnapBehavior.Handle?
  private var rod: AttachmentBehavior.Handle?

  /// The scene before its first tick.
  public init() throws(DynamicsError) {
    // The pit's own numbers, as in the scenes.
    animator = try Animator(
      referenceBounds: Rect2(x: 0, y: 0, width: 800, height: 700), configuration: .default)
    items = try animator.addItems((0..<40).map(Self.item))
    let group = try animator.addGroup([items[36], items[37]], tag: 99)
    gravity = try animator.add(GravityBehavior(items: Array(items[0..<23])))
    walls = try animator.add(try Self.walls(Array(items[0..<36]) + [group]))
    try addOtherCollisions()
    try addProperties(group)
    try addPushesAndSnap()
    try addAttachments()
    try addFields()
  }

  /// Steps by 1/60 s, after the changes that are due.
  public mutating func step() throws(DynamicsError) {
    tick += 1
    try change()
    animator.step(field: { sample in
      Vector2(0.5, 0) - sample.velocity.perpendicular * (0.001 * sample.mass * sample.charge)
    })
  }

  // MARK: What is there

  private static func item(_ number: Int) -> Item {
    let center = Vector2(70 + Float(number % 8) * 90, 60 + Float(number / 8) * 90)
    let shapes: [ItemShape] = [
      .circle(diameter: 40), .rectangle(width: 50, height: 30, cornerRadius: 4),
      .path([Vector2(-20, 15), Vector2(20, 15), Vector2(0, -25)]),
      .ellipse(width: 60, height: 30), .rectangle(width: 44, height: 44),
    ]
    return Item(shapes[number % 5], center: center, angle: Float(number), tag: UInt32(number))
  }

  private static func walls(_ items: [ItemID]) throws(DynamicsError) -> CollisionBehavior {
    var walls = CollisionBehavior(items: items, translatesReferenceBoundsIntoBoundary: true)
    try walls.addBoundary(from: Vector2(0, 500), to: Vector2(300, 600), id: 4)
    try walls.addBoundary(
      .path([Vector2(500, 600), Vector2(600, 550), Vector2(700, 600)], closed: false), id: -2)
    try walls.addBoundary(.rectangle(Rect2(x: 350, y: 500, width: 60, height: 20)), id: 9)
    try walls.addBoundary(.ellipse(in: Rect2(x: 420, y: 640, width: 50, height: 30)), id: 10)
    return walls
  }

  private mutating func addOtherCollisions() throws(DynamicsError) {
    try animator.add(CollisionBehavior(items: [items[38], items[0]], mode: .items))
    var inner = CollisionBehavior(items: [items[39]], mode: .boundaries)
    try inner.setTranslatesReferenceBoundsIntoBoundary(
      with: Insets(top: 5, left: 10, bottom: 15, right: 20))
    try animator.add(inner)
  }

  private mutating func addProperties(_ group: ItemID) throws(DynamicsError) {
    let material = ItemBehavior(
      items: Array(items[0..<36]) + [group], elasticity: 0.4, friction: 0.3, charge: 1)
    var slow = ItemBehavior(
      items: Array(items[0..<5]), density: 2, resistance: 0.5, angularResistance: 0.2)
    try slow.addLinearVelocity(Vector2(30, -10), for: items[1])
    try slow.addAngularVelocity(2, for: items[2])
    try animator.add(
      CompositeBehavior {
        material
        CompositeBehavior {
          slow
          ItemBehavior(items: [items[21]], isAnchored: true)
          ItemBehavior(items: [items[22]], allowsRotation: false)
        }
      })
  }

  private mutating func addPushesAndSnap() throws(DynamicsError) {
    var steady = PushBehavior(items: [items[3]], mode: .continuous, angle: 0.4, magnitude: 2)
    try steady.setTargetOffsetFromCenter(Vector2(4, 4), for: items[3])
    try animator.add(steady)
    push = try animator.add(
      PushBehavior(items: [items[4]], mode: .instantaneous, direction: Vector2(0, -3)))
    snap = try animator.add(
      SnapBehavior(item: items[5], snapTo: Vector2(400, 100), damping: 0.3))
  }

  private mutating func addAttachments() throws(DynamicsError) {
    rod = try animator.add(
      AttachmentBehavior(
        item: items[20], offsetFromCenter: Vector2(-10, 5), attachedToAnchor: Vector2(400, 150)))
    for attachment in [
      AttachmentBehavior(
        item: items[6], attachedToAnchor: Vector2(500, 100), frequency: 2, damping: 0.1),
      AttachmentBehavior(item: items[7], attachedTo: items[8]),
      .limit(item: items[9], attachedTo: items[10], length: 100),
      .limit(item: items[19], attachedToAnchor: Vector2(200, 200), length: 140),
      .pin(
        item: items[11], attachedToAnchor: Vector2(330, 160), attachmentRange: -1...1,
        frictionTorque: 0.1),
      .pin(item: items[15], attachedTo: items[16], attachmentAnchor: Vector2(400, 200)),
      .sliding(
        item: items[12], attachmentAnchor: Vector2(430, 150), axisOfTranslation: Vector2(1, 1),
        attachmentRange: -100...100),
      .sliding(
        item: items[17], attachedTo: items[18], attachmentAnchor: Vector2(200, 240),
        axisOfTranslation: Vector2(0, 1)),
      .fixed(item: items[13], attachedTo: items[14], attachmentAnchor: Vector2(560, 150)),
    ] {
      try animator.add(attachment)
    }
  }

  private mutating func addFields() throws(DynamicsError) {
    let disc = Region.circle(radius: 500)
    let box = Region.rectangle(width: 900, height: 100)
    let regions: [Region] = [
      .infinite, disc, box.inverse, disc.union(box), disc.difference(box), disc.intersection(box),
    ]
    let fields: [FieldBehavior] = [
      .linearGravity(direction: Vector2(1, -2), items: [items[23]]),
      .radialGravity(position: Vector2(400, 300), items: [items[24]]),
      .spring(items: [items[25]]), .electric(items: [items[26]]), .magnetic(items: [items[27]]),
      .vortex(items: [items[28]]), .drag(items: [items[29]]),
      .velocity(direction: Vector2(0.5, 0.2), items: [items[30]]),
      .noise(smoothness: 0.5, animationSpeed: 1, items: [items[31], items[34]]),
      .turbulence(smoothness: 0.2, animationSpeed: 0.5, items: [items[32], items[34]]),
      .custom(items: [items[33]]),
    ]
    for (number, field) in fields.enumerated() {
      var field = field
      field.position = Vector2(400, 300)
      field.region = regions[number % regions.count]
      field.strength = 1.5
      field.minimumRadius = Float(number)
      field.seed = 7
      try animator.add(field)
    }
  }

  // MARK: What changes

  private mutating func change() throws(DynamicsError) {
    let phase = tick % 120
    if let rod {
      let way = Vector2(phase < 60 ? 2 : -2, phase % 40 < 20 ? 1 : -1)
      try animator.update(rod) { $0.anchorPoint += way }
    }
    switch phase {
    case 30: try changeNumbers()
    case 45: try animator.removeBoundary(id: 4, from: walls)
    case 75:
      try animator.addBoundary(from: Vector2(0, 500), to: Vector2(300, 600), id: 4, to: walls)
    case 50: try replaceItem()
    case 80: try animator.update(walls) { $0.translatesReferenceBoundsIntoBoundary = false }
    case 84: try animator.update(walls) { $0.translatesReferenceBoundsIntoBoundary = true }
    case 100: try animator.removeItem(items[2], from: gravity)
    case 110: try animator.addItem(items[2], to: gravity)
    default: break
    }
  }

  private mutating func changeNumbers() throws(DynamicsError) {
    try animator.update(gravity) { $0.angle += 0.3 }
    if let push { try animator.update(push) { $0.isActive = true } }
    if let snap { try animator.update(snap) { $0.snapPoint.x += 20 } }
  }

  /// An item goes, and another one comes into its slot.
  private mutating func replaceItem() throws(DynamicsError) {
    try animator.removeItem(items[35])
    items[35] = try animator.addItem(Self.item(35))
    try animator.addItem(items[35], to: gravity)
    try animator.addItem(items[35], to: walls)
  }
}
