/// Ties an item to a point or to another item. UIKit's `UIAttachmentBehavior`.
///
/// A plain attachment keeps a distance: rigidly, like a rod that also pushes, or as a spring when
/// `frequency` is above 0. Moving the anchor drags the item. Limit, fixed, pin and sliding
/// attachments are always rigid. What a kind has no use for (a rope's frequency, a rod's range) is
/// refused with `meaninglessProperty` when the attachment is added or changed.
public struct AttachmentBehavior: DynamicBehavior {
  /// What an attachment keeps.
  public enum Kind: UInt8, Equatable, Sendable {
    /// The distance `length`.
    case distance
    /// At most the distance `length`: a rope.
    case limit
    /// Place and angle of one item against the other: a weld.
    case fixed
    /// A common point: an axle.
    case pin
    /// A common axis without relative rotation: a rail.
    case sliding
  }

  /// What the other end is.
  public enum End: UInt8, Equatable, Sendable {
    /// `anchorPoint`.
    case anchor
    /// The second item.
    case item
  }

  /// One item, or two for an attachment between items.
  public internal(set) var items: [ItemID]
  /// What the attachment keeps.
  public let kind: Kind
  /// What the other end is.
  public var attachedBehaviorType: End { items.count == 2 ? .item : .anchor }
  /// Where the attachment holds the first item, from its centre in its own frame.
  public private(set) var offset = Vector2.zero
  /// Where it holds the second item, from its centre in its own frame.
  public private(set) var otherOffset = Vector2.zero
  /// The point of the world that the item hangs on, in points, or at which two items were joined.
  /// Moving it drags an item that hangs on it, at 4000 pt/s at most, so that nothing is thrown
  /// through walls; one held beside its centre may swing faster than that. A rigid
  /// attachment whose anchor jumps, by more than 66 pt in a tick, drags at 3000 pt/s, which the
  /// item's velocity shows meanwhile but does not keep at the end.
  /// Between items it may not be moved.
  public var anchorPoint = Vector2.zero
  /// The distance to keep, in points, 0…100 000; only for distances and ropes. nil, the default,
  /// becomes the distance at the moment when the attachment is added or changed.
  public var length: Float?
  /// Hertz of the spring, 0…30; 0, the default, is rigid. Only for distances.
  public var frequency: Float = 0
  /// Damping ratio of the spring, 0…100; 1 is critical. Default 0. Only for distances, and without
  /// effect while the frequency is 0.
  public var damping: Float = 0
  /// Pins only: a torque against turning, 0…100 000; 1 is a push of magnitude 1 (100 pt/s² for the
  /// mass of 100 by 100 pt) at 100 pt from the pin. Default 0.
  public var frictionTorque: Float = 0
  /// Pins: how far the first item may turn against the second or the world, in radians; sliders:
  /// how far it may slide along the axis, in points; both from where it was when the attachment
  /// was added. nil, the default, is no end. Turns count on beyond a full one while a pin has a
  /// range; those that it made without are not counted.
  public var attachmentRange: ClosedRange<Float>?
  /// Sliders: the axis in the world when the attachment was added.
  public private(set) var axis = Vector2(1, 0)
  /// The solver's joint; nil until the attachment is added.
  var joint: AttachmentJoint?

  private init(_ kind: Kind, _ items: [ItemID]) {
    self.kind = kind
    self.items = items
  }

  /// A rod, or with a frequency a spring, from a point of an item to a point of the world. Without
  /// a length it keeps the distance that it finds.
  public init(
    item: ItemID, offsetFromCenter: Vector2 = .zero, attachedToAnchor anchor: Vector2,
    length: Float? = nil, frequency: Float = 0, damping: Float = 0
  ) {
    self.init(.distance, [item])
    offset = offsetFromCenter
    anchorPoint = anchor
    self.length = length
    self.frequency = frequency
    self.damping = damping
  }

  /// A rod, or with a frequency a spring, between points of two items. Without a length it keeps
  /// the distance that it finds. Whoever states the second offset states the first one, too, if
  /// need be as `.zero`.
  public init(
    item: ItemID, offsetFromCenter: Vector2 = .zero, attachedTo other: ItemID,
    offsetFromCenter otherOffset: Vector2 = .zero, length: Float? = nil, frequency: Float = 0,
    damping: Float = 0
  ) {
    self.init(.distance, [item, other])
    offset = offsetFromCenter
    self.otherOffset = otherOffset
    self.length = length
    self.frequency = frequency
    self.damping = damping
  }

  /// A rope between points of two items: they may come nearer, not farther than `length`. Whoever
  /// states the second offset states the first one, too.
  public static func limit(
    item: ItemID, offsetFromCenter: Vector2 = .zero, attachedTo other: ItemID,
    offsetFromCenter otherOffset: Vector2 = .zero, length: Float? = nil
  ) -> AttachmentBehavior {
    var rope = AttachmentBehavior(.limit, [item, other])
    rope.offset = offsetFromCenter
    rope.otherOffset = otherOffset
    rope.length = length
    return rope
  }

  /// A rope from a point of an item to a point of the world.
  public static func limit(
    item: ItemID, offsetFromCenter: Vector2 = .zero, attachedToAnchor anchor: Vector2,
    length: Float? = nil
  ) -> AttachmentBehavior {
    var rope = AttachmentBehavior(.limit, [item])
    rope.offset = offsetFromCenter
    rope.anchorPoint = anchor
    rope.length = length
    return rope
  }

  /// Welds two items together at a point of the world.
  public static func fixed(
    item: ItemID, attachedTo other: ItemID, attachmentAnchor point: Vector2
  ) -> AttachmentBehavior {
    var weld = AttachmentBehavior(.fixed, [item, other])
    weld.anchorPoint = point
    return weld
  }

  /// Lets two items turn about a common point of the world.
  public static func pin(
    item: ItemID, attachedTo other: ItemID, attachmentAnchor point: Vector2,
    attachmentRange: ClosedRange<Float>? = nil, frictionTorque: Float = 0
  ) -> AttachmentBehavior {
    var pin = AttachmentBehavior(.pin, [item, other])
    pin.anchorPoint = point
    pin.attachmentRange = attachmentRange
    pin.frictionTorque = frictionTorque
    return pin
  }

  /// Lets an item turn about a point of the world.
  public static func pin(
    item: ItemID, attachedToAnchor point: Vector2, attachmentRange: ClosedRange<Float>? = nil,
    frictionTorque: Float = 0
  ) -> AttachmentBehavior {
    var pin = AttachmentBehavior(.pin, [item])
    pin.anchorPoint = point
    pin.attachmentRange = attachmentRange
    pin.frictionTorque = frictionTorque
    return pin
  }

  /// Lets two items slide along an axis, without turning against each other.
  public static func sliding(
    item: ItemID, attachedTo other: ItemID, attachmentAnchor point: Vector2,
    axisOfTranslation axis: Vector2, attachmentRange: ClosedRange<Float>? = nil
  ) -> AttachmentBehavior {
    var slider = AttachmentBehavior(.sliding, [item, other])
    slider.anchorPoint = point
    slider.axis = axis.normalized
    slider.attachmentRange = attachmentRange
    return slider
  }

  /// Lets an item slide along an axis through a point of the world, without turning.
  public static func sliding(
    item: ItemID, attachmentAnchor point: Vector2, axisOfTranslation axis: Vector2,
    attachmentRange: ClosedRange<Float>? = nil
  ) -> AttachmentBehavior {
    var slider = AttachmentBehavior(.sliding, [item])
    slider.anchorPoint = point
    slider.axis = axis.normalized
    slider.attachmentRange = attachmentRange
    return slider
  }

  /// Whether it holds where an older value of it held; otherwise its ends are noted anew.
  func continues(_ old: AttachmentBehavior) -> Bool {
    guard joint == old.joint, kind == old.kind, offset == old.offset, axis == old.axis,
      otherOffset == old.otherOffset
    else { return false }
    return length != nil || !keepsDistance
  }

  func validate() throws(DynamicsError) {
    try offset.require(.offset)
    try otherOffset.require(.offset)
    try anchorPoint.require(.position)
    try frequency.require(.frequency, in: 0...30)
    try damping.require(.damping, in: 0...100)
    try frictionTorque.require(.frictionTorque, in: 0...Float.largest)
    try (attachmentRange?.lowerBound ?? 0).require(.range)
    try (attachmentRange?.upperBound ?? 0).require(.range)
    // A direction was brought to the length 1 unless it had none.
    try axis.length.require(.axis, in: 0.5...2)
    try refuseMeaningless()
  }

  /// What this kind would ignore is a slip.
  private func refuseMeaningless() throws(DynamicsError) {
    let hasLength = keepsDistance
    if kind != .distance {
      guard frequency == 0 else { throw .meaninglessProperty(.frequency, of: kind) }
      guard damping == 0 else { throw .meaninglessProperty(.damping, of: kind) }
    }
    guard hasLength || length == nil else { throw .meaninglessProperty(.length, of: kind) }
    guard kind == .pin || frictionTorque == 0 else {
      throw .meaninglessProperty(.frictionTorque, of: kind)
    }
    guard kind == .pin || kind == .sliding || attachmentRange == nil else {
      throw .meaninglessProperty(.range, of: kind)
    }
    guard !hasLength || items.count < 2 || anchorPoint == .zero else {
      throw .meaninglessProperty(.anchorPoint, of: kind)
    }
  }

  /// Throws `valueOutOfRange` for a length that a caller may not set. What an attachment found when
  /// it was added may be longer, because items move farther than they may be put.
  func validateLength() throws(DynamicsError) {
    try (length ?? 0).require(.length, in: 0...Float.largest)
  }

  /// Throws what `validateLength` does for another length than before, and `meaninglessProperty`
  /// when the point at which two items are joined is moved.
  func validate(after old: AttachmentBehavior) throws(DynamicsError) {
    if length != old.length { try validateLength() }
    guard items.count < 2 || anchorPoint == old.anchorPoint || joint != old.joint else {
      throw .meaninglessProperty(.anchorPoint, of: kind)
    }
  }

  /// All that a snapshot holds.
  init(
    restored kind: Kind, items: [ItemID], offset: Vector2, otherOffset: Vector2, axis: Vector2
  ) {
    self.init(kind, items)
    self.offset = offset
    self.otherOffset = otherOffset
    self.axis = axis
  }
}
