import Dynamics

// The listing of the article "Porting a view controller" (PortingAViewController.md), which quotes
// it line by line; a test of the house compares the two.

/// A view controller's behaviours without the views.
struct PortedController {
  var animator: Animator
  let square: ItemID
  let pendulum: ItemID
  let gravity: GravityBehavior.Handle
  let swing: AttachmentBehavior.Handle
  var hold: AttachmentBehavior.Handle?
  var snap: SnapBehavior.Handle?
  let collision: CollisionBehavior.Handle
  let slope: BoundaryID = 1
  var redItems: [ItemID] = []

  init() throws {
    animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 400, height: 640))
    square = try animator.addItem(Item(frame: Rect2(x: 50, y: 50, width: 100, height: 100)))
    pendulum = try animator.addItem(
      Item(ellipseIn: Rect2(x: 180, y: 180, width: 40, height: 40)))

    gravity = try animator.add(GravityBehavior(items: [square, pendulum], magnitude: 0.5))

    var collision = CollisionBehavior(items: [square], translatesReferenceBoundsIntoBoundary: true)
    try collision.addBoundary(from: Vector2(0, 300), to: Vector2(300, 600), id: slope)
    self.collision = try animator.add(collision)

    swing = try animator.add(
      AttachmentBehavior(item: pendulum, attachedToAnchor: Vector2(100, 200), length: 100))

    try animator.add(ItemBehavior(items: [square], elasticity: 0.6, friction: 0.2))
  }

  mutating func attitudeChanged(pitch: Float, roll: Float) throws {
    try animator.update(gravity) { $0.angle = Vector2(roll, pitch).angle }
  }

  mutating func ledgeAppeared() throws {
    try animator.update(collision) {
      try $0.addBoundary(from: Vector2(200, 500), to: Vector2(400, 500), id: 2)
    }
  }

  mutating func tapped(at point: Vector2) throws {
    if let snap { try animator.remove(snap) }
    snap = try animator.add(SnapBehavior(item: square, snapTo: point))
  }

  mutating func touchBegan(at finger: Vector2) throws {
    if let snap { try animator.remove(snap) }
    snap = nil
    hold = try animator.add(
      AttachmentBehavior(
        item: square, offsetFromCenter: animator.convert(finger, to: square),
        attachedToAnchor: finger))
  }

  mutating func touchMoved(to finger: Vector2) throws {
    if let hold { try animator.update(hold) { $0.anchorPoint = finger } }
  }

  mutating func touchEnded(velocity: Vector2) throws {
    if let hold { try animator.remove(hold) }
    hold = nil
    if velocity.length > 1000 {
      try animator.add(
        PushBehavior(items: [square], mode: .instantaneous, direction: velocity / 35))
      try animator.addAngularVelocity(-4, for: square)
    }
  }

  mutating func step() {
    let events = animator.step()
    for contact in events.began where contact.other == .boundary(slope) {
      redItems.append(contact.item)
    }
    if events.didPause { print("everything rests") }
  }
}

/// A behaviour of its own, which UIKit would subclass.
func bouncyFall(_ items: [ItemID]) -> CompositeBehavior {
  CompositeBehavior {
    GravityBehavior(items: items, magnitude: 2)
    ItemBehavior(items: items, elasticity: 0.6)
  }
}

/// Things that come while it runs enter everything at once.
struct Rain {
  var animator: Animator
  let rain: CompositeBehavior.Handle

  init() throws {
    animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 440, height: 736))
    rain = try animator.add(
      CompositeBehavior {
        GravityBehavior(magnitude: 3)
        ItemBehavior(elasticity: 0.6, friction: 0.2)
        CollisionBehavior(translatesReferenceBoundsIntoBoundary: true)
      })
  }

  /// A child is found again by its name, and changed like any behaviour.
  mutating func pourDown() throws {
    for child in try animator.children(of: rain) {
      guard let gravity = animator.handle(child, as: GravityBehavior.self) else { continue }
      try animator.update(gravity) { $0.magnitude = 6 }
    }
  }

  /// A child that comes later brings its items along.
  mutating func blow(on pieces: [ItemID]) throws {
    try animator.addChild(.drag(items: pieces), to: rain)
  }

  mutating func drop(left: Float) throws {
    let cake = try animator.addItem(Item(frame: Rect2(x: left, y: 10, width: 20, height: 20)))
    try animator.addItem(cake, to: rain)
  }
}
