import Dynamics

/// Filings that a finger draws to it from wherever it is put, within its reach: a field whose
/// position moves.
struct Magnet {
  private(set) var animator: Animator
  let filings: [ItemID]
  private let pull: FieldBehavior.Handle

  init(count: Int) throws {
    animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 320, height: 320))
    var filings: [ItemID] = []
    for i in 0..<count {
      let place = Vector2(20 + Float(i % 8) * 40, 20 + Float(i / 8) * 40)
      filings.append(try animator.addItem(Item(.circle(diameter: 12), center: place)))
    }
    self.filings = filings
    try animator.add(
      CollisionBehavior(items: filings, translatesReferenceBoundsIntoBoundary: true))
    try animator.add(ItemBehavior(items: filings, resistance: 2))

    var field = FieldBehavior.radialGravity(position: Vector2(160, 160), items: filings)
    field.strength = 0
    field.region = .circle(radius: 150)
    field.minimumRadius = 40
    pull = try animator.add(field)
  }

  mutating func touch(at finger: Vector2) throws {
    try animator.update(pull) {
      $0.position = finger
      $0.strength = 4
    }
  }

  mutating func letGo() throws {
    try animator.update(pull) { $0.strength = 0 }
  }

  mutating func step() { animator.step() }
}
