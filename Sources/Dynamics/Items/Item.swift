/// The name of an item: its slot, and how often the slot had been used before.
///
/// A new item takes the lowest free slot, so numbers stay small and the same on every machine.
@frozen
public struct ItemID: Hashable, Sendable, BitwiseCopyable {
  /// The place in the animator's list, 0-based.
  public let slot: UInt16
  /// Counts the items that had this slot before, modulo 65 536.
  public let generation: UInt16

  /// A name from its two parts, as a message carried them.
  @inlinable
  public init(slot: UInt16, generation: UInt16) {
    self.slot = slot
    self.generation = generation
  }

  /// A name from a word, the slot in its upper half.
  @inlinable @inline(__always)
  package init(word: UInt32) {
    self.init(
      slot: UInt16(truncatingIfNeeded: word >> 16), generation: UInt16(truncatingIfNeeded: word))
  }
}

/// What an item is before it is in an animator, or as somebody outside changed it: a shape and a
/// place. UIKit's `UIDynamicItem`.
public struct Item: Equatable, Sendable {
  /// The outline for collisions and for the mass.
  public var shape: ItemShape
  /// The centre in points.
  public var center: Vector2
  /// Radians, clockwise on screen.
  public var angle: Float
  /// A number of the caller's that travels with the item and its snapshots: a picture, an owner.
  public var tag: UInt32

  /// An item of `shape` at `center`.
  public init(_ shape: ItemShape, center: Vector2, angle: Float = 0, tag: UInt32 = 0) {
    self.shape = shape
    self.center = center
    self.angle = angle
    self.tag = tag
  }

  /// A rectangle that fills a frame, as UIKit's views are unless they say otherwise.
  public init(frame: Rect2, tag: UInt32 = 0) {
    self.init(
      .rectangle(width: frame.width, height: frame.height), center: frame.center, tag: tag)
  }

  /// An ellipse that fills a frame.
  public init(ellipseIn frame: Rect2, tag: UInt32 = 0) {
    self.init(.ellipse(width: frame.width, height: frame.height), center: frame.center, tag: tag)
  }
}

/// Where an item is and how it moves.
@frozen
public struct ItemState: Equatable, Sendable, BitwiseCopyable {
  /// The centre in points.
  public var center: Vector2
  /// The turn.
  public var rotation: Rotation
  /// Velocity of the centre of mass in pt/s.
  public var velocity: Vector2
  /// Spin in rad/s, clockwise on screen.
  public var angularVelocity: Float

  /// The turn as an angle in −π…π radians.
  public var angle: Float { rotation.angle }

  @inlinable
  init(center: Vector2, rotation: Rotation, velocity: Vector2, angularVelocity: Float) {
    self.center = center
    self.rotation = rotation
    self.velocity = velocity
    self.angularVelocity = angularVelocity
  }
}
