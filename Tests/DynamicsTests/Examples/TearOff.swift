import Dynamics

/// A label that hangs on its page by a spring: pulled a little it gives and comes back, pulled far
/// it tears off, and then belongs to the finger and to gravity.
struct TearOff {
  /// How far from home, in points, the label tears off.
  static let tearDistance: Float = 80

  private(set) var animator: Animator
  let label: ItemID
  let home: Vector2
  private var root: AttachmentBehavior.Handle?
  private var hold: AttachmentBehavior.Handle?

  var isTornOff: Bool { root == nil }

  init(home: Vector2) throws {
    self.home = home
    animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 320, height: 568))
    label = try animator.addItem(Item(.rectangle(width: 120, height: 40), center: home))
    try animator.add(
      CollisionBehavior(items: [label], translatesReferenceBoundsIntoBoundary: true))
    root = try animator.add(
      AttachmentBehavior(
        item: label, attachedToAnchor: home, length: 0, frequency: 3, damping: 1))
  }

  /// The finger's spring is the stiffer one: the label follows four fifths of the way.
  mutating func pull(to finger: Vector2) throws {
    if let hold {
      try animator.update(hold) { $0.anchorPoint = finger }
    } else {
      hold = try animator.add(
        AttachmentBehavior(
          item: label, attachedToAnchor: finger, length: 0, frequency: 6, damping: 1))
    }
  }

  mutating func letGo() throws {
    if let hold { try animator.remove(hold) }
    hold = nil
    if isTornOff { try animator.add(GravityBehavior(items: [label])) }
  }

  /// Steps; whether the label tore off in this step.
  mutating func step() throws -> Bool {
    animator.step()
    guard let root, (animator.center(of: label) - home).length > Self.tearDistance else {
      return false
    }
    try animator.remove(root)
    self.root = nil
    return true
  }
}
