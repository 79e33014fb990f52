/// Any behaviour: the closed list of what an animator understands.
public enum Behavior: Equatable, Sendable {
  /// Pulls items one way.
  case gravity(GravityBehavior)
  /// Lets items collide.
  case collision(CollisionBehavior)
  /// Gives items properties.
  case item(ItemBehavior)
  /// Pushes items.
  case push(PushBehavior)
  /// Ties an item to a point or to another item.
  case attachment(AttachmentBehavior)
  /// Lets an item fly to a point.
  case snap(SnapBehavior)
  /// A force field.
  case field(FieldBehavior)
  /// A behaviour made of child behaviours.
  case composite(CompositeBehavior)
}

/// A kind of behaviour. The list is closed: only this module's types conform.
public protocol DynamicBehavior: Equatable, Sendable {
  /// The behaviour out of its envelope; nil when it is of another kind.
  init?(_ behavior: Behavior)
  /// The behaviour in its envelope.
  var behavior: Behavior { get }
}

/// The name of a behaviour in an animator, whatever its kind.
@frozen
public struct BehaviorID: Hashable, Sendable, BitwiseCopyable {
  /// The place in the animator's list, 0-based.
  public let slot: UInt16
  /// Counts the behaviours that had this slot before, modulo 65 536.
  public let generation: UInt16

  /// A name from its two parts.
  @inlinable
  public init(slot: UInt16, generation: UInt16) {
    self.slot = slot
    self.generation = generation
  }
}

/// The name of a behaviour in an animator, which also knows its kind.
@frozen
public struct BehaviorHandle<Kind: DynamicBehavior>: Hashable, Sendable, BitwiseCopyable {
  /// The name without the kind.
  public let id: BehaviorID

  @inlinable
  init(id: BehaviorID) { self.id = id }
}

extension DynamicBehavior {
  /// What `Animator.add` returns for a behaviour of this kind: `var snap: SnapBehavior.Handle?`.
  public typealias Handle = BehaviorHandle<Self>
}

extension GravityBehavior {
  /// The gravity out of its envelope.
  public init?(_ behavior: Behavior) {
    guard case .gravity(let value) = behavior else { return nil }
    self = value
  }
  /// The gravity in its envelope.
  public var behavior: Behavior { .gravity(self) }
}

extension CollisionBehavior {
  /// The collision out of its envelope.
  public init?(_ behavior: Behavior) {
    guard case .collision(let value) = behavior else { return nil }
    self = value
  }
  /// The collision in its envelope.
  public var behavior: Behavior { .collision(self) }
}

extension ItemBehavior {
  /// The item behaviour out of its envelope.
  public init?(_ behavior: Behavior) {
    guard case .item(let value) = behavior else { return nil }
    self = value
  }
  /// The item behaviour in its envelope.
  public var behavior: Behavior { .item(self) }
}

extension PushBehavior {
  /// The push out of its envelope.
  public init?(_ behavior: Behavior) {
    guard case .push(let value) = behavior else { return nil }
    self = value
  }
  /// The push in its envelope.
  public var behavior: Behavior { .push(self) }
}

extension AttachmentBehavior {
  /// The attachment out of its envelope.
  public init?(_ behavior: Behavior) {
    guard case .attachment(let value) = behavior else { return nil }
    self = value
  }
  /// The attachment in its envelope.
  public var behavior: Behavior { .attachment(self) }
}

extension SnapBehavior {
  /// The snap out of its envelope.
  public init?(_ behavior: Behavior) {
    guard case .snap(let value) = behavior else { return nil }
    self = value
  }
  /// The snap in its envelope.
  public var behavior: Behavior { .snap(self) }
}

extension FieldBehavior {
  /// The field out of its envelope.
  public init?(_ behavior: Behavior) {
    guard case .field(let value) = behavior else { return nil }
    self = value
  }
  /// The field in its envelope.
  public var behavior: Behavior { .field(self) }
}

extension CompositeBehavior {
  /// The composite out of its envelope.
  public init?(_ behavior: Behavior) {
    guard case .composite(let value) = behavior else { return nil }
    self = value
  }
  /// The composite in its envelope.
  public var behavior: Behavior { .composite(self) }
}

extension Behavior {
  /// The items that the behaviour acts on.
  public var items: [ItemID] {
    switch self {
    case .gravity(let value): return value.items
    case .collision(let value): return value.items
    case .item(let value): return value.items
    case .push(let value): return value.items
    case .attachment(let value): return value.items
    case .snap(let value): return value.items
    case .field(let value): return value.items
    case .composite: return []
    }
  }
}
