/// What an item touched.
public enum CollisionPartner: Equatable, Sendable {
  /// Another item.
  case item(ItemID)
  /// A boundary of the behaviour; nil is the reference bounds.
  case boundary(BoundaryID?)
}

/// An item that began or ceased to touch something.
public struct CollisionEvent: Equatable, Sendable {
  /// The behaviour that lets the two collide; of several the one that was added first to its slot.
  public var behavior: BehaviorHandle<CollisionBehavior>
  /// The item; of two items the one whose body has the lower slot.
  public var item: ItemID
  /// What it touched.
  public var other: CollisionPartner
  /// About where, in points: between the two surfaces as they stood when the contact was found, up
  /// to a tick before they met. For an ended contact, where they last were near.
  public var point: Vector2
  /// From the item towards what it touched, of length 1.
  public var normal: Vector2
  /// How fast the two came at each other along the normal when they met, in pt/s; 0 for what ended.
  public var speed: Float
  /// What it took to stop and to throw them back, in mass·pt/s; 0 for what ended. `ContactEvent`
  /// says how exact it is.
  public var impulse: Float

  /// Whether an item is one of the two.
  public func involves(_ item: ItemID) -> Bool { self.item == item || other == .item(item) }
}

/// What happened in a step. In time, all of `began` comes before all of `ended`, and both before
/// the per-step action.
public struct StepEvents: Equatable, Sendable {
  /// Contacts that began, in a defined order. An item that touches a boundary already and comes to
  /// touch a side of it that faces another way, by more than 60°, begins again there: it lands on
  /// the floor though it slid down the wall. Each beginning has its own point and normal.
  public internal(set) var began: [CollisionEvent] = []
  /// Contacts that ended, in a defined order. Of a boundary, once for all its sides: when the
  /// item has left all of it. What ends because an item, a collision behaviour or its mode goes
  /// may not be told: whoever takes it away knows.
  public internal(set) var ended: [CollisionEvent] = []
  /// The animator was paused, and something changed: this step is the first again.
  public internal(set) var willResume = false
  /// Everything rests: this step was the last until something changes.
  public internal(set) var didPause = false

  mutating func clear() {
    began.removeAll(keepingCapacity: true)
    ended.removeAll(keepingCapacity: true)
    willResume = false
    didPause = false
  }
}
