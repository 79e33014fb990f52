/// A force field about a point, for its own items. UIKit's `UIFieldBehavior`.
///
/// The formulas count in metres of 100 pt: p from the field's position, r = |p|, velocities; a
/// force of 1 accelerates mass 1 by 100 pt/s². `fall(r)` is max(r, minimumRadius)^(−falloff).
/// Default falloffs are those measured on UIKit's fields, which for some kinds differ from its
/// documents.
public struct FieldBehavior: ItemListBehavior {
  /// What a field does.
  public enum Kind: UInt8, Equatable, Sendable {
    /// S·m·direction·fall; falloff 0.
    case linearGravity
    /// −S·m·p̂·fall, towards the centre; falloff 2 (documented by Apple: 0).
    case radialGravity
    /// −S·p̂·fall; falloff −1, which is Hooke's law (documented: 0).
    case spring
    /// S·q·p̂·fall; falloff 1 (documented: 0).
    case electric
    /// S·q·(v.y, −v.x)·fall; falloff 1 (documented: 0).
    case magnetic
    /// S·m·(−p̂.y, p̂.x)·fall, clockwise on screen; falloff 0.
    case vortex
    /// −S·u·|u|·fall, where u is the velocity against the medium's, `direction`; falloff 0.
    case drag
    /// Replaces the item's velocity by S·`direction`; other forces rest meanwhile.
    case velocity
    /// S·n·fall, where n is a smooth random vector; falloff 0.
    case noise
    /// S·m·|v|²·n·fall: noise that only what moves feels; falloff 0.
    case turbulence
    /// S·f·fall, where f is what the closure passed to `Animator.step` returns; falloff 0.
    case custom
  }

  /// The items that feel the field.
  public internal(set) var items: [ItemID]
  /// What the field does.
  public let kind: Kind
  /// The centre in points of the world; (0, 0) by default.
  public var position = Vector2.zero
  /// Where the field acts, about its position; everywhere by default.
  public var region = Region.infinite
  /// Factor S of the force, at most 10¹⁵ either way; 1 by default.
  public var strength: Float = 1
  /// How fast the force falls with distance: fall(r) = r^(−falloff); −10…10. The default depends on
  /// the kind.
  public var falloff: Float
  /// Nearer than this many points the force does not change; at least 0, the default. The formulas
  /// never use less than 1 pt, so no force is infinite.
  public var minimumRadius: Float = 0
  /// Linear gravity's direction, or the velocity of a velocity field or of drag's medium in metres
  /// of 100 pt a second.
  public var direction = Vector2.zero
  /// Noise and turbulence: 0 rough … 1 smooth, the default. The random vectors stand 10 pt apart
  /// at 0 and 200 pt at 1.
  public var smoothness: Float = 1
  /// Noise and turbulence: how often a second the random vectors change; at least 0, default 0.
  public var animationSpeed: Float = 0
  /// Noise and turbulence: equal seeds give equal fields.
  public var seed: UInt32 = 0

  private init(_ kind: Kind, items: [ItemID], falloff: Float = 0) {
    self.kind = kind
    self.items = items
    self.falloff = falloff
  }

  /// The same pull everywhere.
  public static func linearGravity(
    direction: Vector2, items: [ItemID] = []
  ) -> FieldBehavior {
    var field = FieldBehavior(.linearGravity, items: items)
    field.direction = direction
    return field
  }

  /// A pull towards a point.
  public static func radialGravity(
    position: Vector2, items: [ItemID] = []
  ) -> FieldBehavior {
    var field = FieldBehavior(.radialGravity, items: items, falloff: 2)
    field.position = position
    return field
  }

  /// A spring to the field's position.
  public static func spring(items: [ItemID] = []) -> FieldBehavior {
    FieldBehavior(.spring, items: items, falloff: -1)
  }

  /// Pushes positive charges away from the field's position, for positive strengths.
  public static func electric(items: [ItemID] = []) -> FieldBehavior {
    FieldBehavior(.electric, items: items, falloff: 1)
  }

  /// Turns the way of charges that move.
  public static func magnetic(items: [ItemID] = []) -> FieldBehavior {
    FieldBehavior(.magnetic, items: items, falloff: 1)
  }

  /// Drives items around the field's position.
  public static func vortex(items: [ItemID] = []) -> FieldBehavior {
    FieldBehavior(.vortex, items: items)
  }

  /// Slows items down, with the square of their speed.
  public static func drag(items: [ItemID] = []) -> FieldBehavior {
    FieldBehavior(.drag, items: items)
  }

  /// Gives items a velocity, in metres of 100 pt a second.
  public static func velocity(direction: Vector2, items: [ItemID] = []) -> FieldBehavior {
    var field = FieldBehavior(.velocity, items: items)
    field.direction = direction
    return field
  }

  /// Random forces that are smooth in space and time.
  public static func noise(
    smoothness: Float, animationSpeed: Float, items: [ItemID] = []
  ) -> FieldBehavior {
    var field = FieldBehavior(.noise, items: items)
    field.smoothness = smoothness
    field.animationSpeed = animationSpeed
    return field
  }

  /// Random forces on what moves.
  public static func turbulence(
    smoothness: Float, animationSpeed: Float, items: [ItemID] = []
  ) -> FieldBehavior {
    var field = FieldBehavior(.turbulence, items: items)
    field.smoothness = smoothness
    field.animationSpeed = animationSpeed
    return field
  }

  /// Forces that a closure passed to `Animator.step(field:)` computes. Only for programs that don't
  /// replicate: the closure is no part of the state.
  public static func custom(items: [ItemID] = []) -> FieldBehavior {
    FieldBehavior(.custom, items: items)
  }

  func validate() throws(DynamicsError) {
    try position.require(.position)
    try direction.require(.direction)
    try strength.require(.strength, in: -1e15...1e15)
    try falloff.require(.falloff, in: -10...10)
    try minimumRadius.require(.minimumRadius, in: 0...Float.largest)
    try smoothness.require(.smoothness, in: 0...1)
    try animationSpeed.require(.animationSpeed, in: 0...60)
    try region.validate()
  }

  /// Whether the field may move an item that rests in it.
  var mayWake: Bool {
    guard !items.isEmpty, strength != 0 else { return false }
    return kind == .custom || kind == .noise && animationSpeed > 0
  }

  /// Points in a metre.
  static let metre: Float = 100

  init(restored kind: Kind, items: [ItemID], falloff: Float) {
    self.init(kind, items: items, falloff: falloff)
  }
}
