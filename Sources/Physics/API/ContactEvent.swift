/// What a body touched.
public enum ContactPartner: Equatable, Sendable, BitwiseCopyable {
  /// Another body.
  case body(BodyID)
  /// A boundary.
  case boundary(BoundaryID)
}

/// Two things that began or ceased to touch during a step.
///
/// Two things touch when they press on each other, and go on touching until they are half a point
/// apart, so that what rests does not flicker. A boundary of several pieces is one thing.
public struct ContactEvent: Equatable, Sendable {
  /// The body; of two bodies the one with the lower slot.
  public var body: BodyID
  /// What it touched.
  public var other: ContactPartner
  /// Where, in points. For an ended contact, between the two as they are then.
  public var point: Vector2
  /// From `body` towards `other`, of length 1.
  public var normal: Vector2
  /// How fast the two came at each other along the normal when they met, in pt/s, 0 or more: what
  /// falls 200 pt under a gravity of 1000 lands with 632. 0 for what ended, and for what began to
  /// press without coming nearer.
  public var speed: Float = 0
  /// The impulse between the two in the part of the step in which they met, in mass·pt/s: what it
  /// took to stop them, and to throw them back when they bounce. A ball of mass 1 that lands with
  /// 632 and bounces with half of that took 948. Exact for two that meet alone; among many that
  /// push each other in the same tick, to within about a half. 0 for what ended.
  public var impulse: Float = 0
}

/// The contact events of the last step: the difference it made, as if all ends came after all
/// beginnings.
///
/// Two things are at most once in each list. In `began` alone, they touch now and did not before
/// the step; in `ended` alone, they touched before it and don't now. In both, they were apart
/// before and are apart again, having touched in between, as at a fast bounce. Things that parted
/// and met again within the step are in neither. So whoever keeps a list of what touches adds
/// `began` first and then removes `ended`.
public struct ContactEvents: Equatable, Sendable {
  /// Contacts that began, in an order that is the same everywhere.
  public internal(set) var began: [ContactEvent] = []
  /// Contacts that ended, in an order that is the same everywhere; those first that ended between
  /// the steps, because a body or a boundary was removed.
  public internal(set) var ended: [ContactEvent] = []
  /// Further sides of boundaries that were touched already, in an order that is the same
  /// everywhere: the floor of a box on which something lands that slid down its wall. A side is a
  /// piece that faces another way, by more than 60°, than all of the boundary that the body
  /// touches; so a curve of many pieces has no sides. Only their beginnings are told, because a
  /// boundary is one thing, which is left when all of it is; whoever keeps a list of what touches
  /// needs none of them.
  public internal(set) var sides: [ContactEvent] = []

  /// Becomes what other events are, in the memory that is there.
  mutating func assign(_ other: ContactEvents) {
    began.assign(other.began)
    ended.assign(other.ended)
    sides.assign(other.sides)
  }
}

extension Array {
  /// Becomes what another array is, in the memory that is there. A plain assignment would share the
  /// other's memory, and the next change of either would have to make a copy.
  @inlinable
  package mutating func assign(_ other: [Element]) {
    removeAll(keepingCapacity: true)
    append(contentsOf: other)
  }

  /// Becomes an array of `length` elements in the memory that is there: of the old ones stay as
  /// many as have room, to be written over, and `blank` fills up.
  @inlinable
  package mutating func resize(to length: Int, _ blank: Element) {
    if count > length { removeLast(count - length) }
    if count < length { append(contentsOf: repeatElement(blank, count: length - count)) }
  }
}
