import Dynamics

/// A card that a finger drags: let go slowly it flies home, flicked away it leaves the screen and
/// is gone.
struct FlickToDismiss {
  /// Slower flicks than this, in pt/s, don't dismiss.
  static let dismissSpeed: Float = 1000

  private(set) var animator: Animator
  let card: ItemID
  let home: Vector2
  private var hold: AttachmentBehavior.Handle?
  private var snap: SnapBehavior.Handle?

  init(screen: Rect2, card size: Vector2) throws {
    animator = try Animator(referenceBounds: screen)
    home = screen.center
    card = try animator.addItem(Item(.rectangle(width: size.x, height: size.y), center: home))
  }

  var isDismissed: Bool { !animator.contains(card) }

  /// The snap goes first: two behaviours that hold one item pull against each other.
  mutating func touchBegan(at finger: Vector2) throws {
    guard !isDismissed else { return }
    try letGo()
    hold = try animator.add(
      AttachmentBehavior(
        item: card, offsetFromCenter: animator.convert(finger, to: card),
        attachedToAnchor: finger))
  }

  mutating func touchMoved(to finger: Vector2) throws {
    if let hold { try animator.update(hold) { $0.anchorPoint = finger } }
  }

  mutating func touchEnded(velocity: Vector2) throws {
    guard hold != nil else { return }
    try letGo()
    if velocity.length > Self.dismissSpeed {
      var flight = ItemBehavior(items: [card])
      try flight.addLinearVelocity(velocity, for: card)
      try animator.add(flight)
    } else {
      snap = try animator.add(SnapBehavior(item: card, snapTo: home, damping: 1))
    }
  }

  /// Steps, and removes the card when nothing of it is on the screen any more.
  mutating func step() throws {
    animator.step()
    if !isDismissed, animator.items(in: animator.referenceBounds).isEmpty {
      try animator.removeItem(card)
      animator.removeAllBehaviors()
    }
  }

  private mutating func letGo() throws {
    if let hold { try animator.remove(hold) }
    if let snap { try animator.remove(snap) }
    (hold, snap) = (nil, nil)
  }
}
