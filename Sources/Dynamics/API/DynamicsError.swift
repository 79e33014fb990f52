/// What a caller asked for that an animator can't do. Nothing has changed when one is thrown.
public enum DynamicsError: Error, Equatable, Sendable {
  /// No item answers to this name (any more).
  case unknownItem(ItemID)
  /// The item is listed twice in one behaviour.
  case duplicateItem(ItemID)
  /// The behaviour does not have this item.
  case itemNotInBehavior(ItemID)
  /// No behaviour answers to this name (any more), or it is of another kind than the handle says.
  case unknownBehavior(BehaviorID)
  /// An equal behaviour, with the same items and numbers, is already there.
  case duplicateBehavior(BehaviorID)
  /// The item is part of a group, and only the group can be in behaviours.
  case itemInGroup(ItemID)
  /// A group needs at least one item, none of which is in a behaviour or in another group, or is so
  /// small and so far from the others that it would lose its form.
  case groupUnusable
  /// A group, or a compound, was given this many convex outlines, and may have as many as the limit
  /// says (`CompoundShape.mostShapes`). A concave path counts as often as it has convex parts.
  case tooManyShapes(count: Int, limit: Int)
  /// An attachment or a snap has the items it was made with; a composite has none of its own.
  case itemsAreFixed(BehaviorID)
  /// Children of a composite are added and removed by their own handles.
  case childrenChanged
  /// An animator takes one gravity; this one is there already.
  case secondGravity(BehaviorID)
  /// An animator takes this many collision behaviours, because a body carries a bit for each.
  case tooManyCollisionBehaviors(limit: Int)
  /// An animator takes this many behaviours.
  case tooManyBehaviors(limit: Int)
  /// Composites stand inside each other this deep at most.
  case compositesTooDeep(limit: Int)
  /// The boundaries of all collision behaviours together may have this many pieces: a segment is
  /// one, a rectangle four, a path as many as it has segments.
  case tooManyBoundaryPieces(limit: Int)
  /// The animator holds as many items as its configuration allows; of a group, and of a path that
  /// is cut into convex parts, each part counts.
  case tooManyItems(limit: Int)
  /// No boundary answers to this identifier in the collision behaviour.
  case unknownBoundary(BoundaryID)
  /// The collision behaviour has a boundary of this identifier; remove it first.
  case duplicateBoundary(BoundaryID)
  /// A boundary needs two different points a segment, or a rectangle with an area.
  case degenerateBoundary
  /// A path needs at least three points for an item's outline or a closed boundary, two for an open
  /// one.
  case emptyPath
  /// An item's outline has 3…64 corners that follow each other without crossing and enclose an
  /// area; with a growth it is convex and has at most eight. A compound's outlines are no compounds
  /// themselves.
  case pathUnusable
  /// A size is not a finite number in the range 0.5…8192 pt, or a corner radius is more than half
  /// of the shorter side, or an outline encloses too little.
  case sizeOutOfRange(Refusal)
  /// A value is not a finite number, beyond ±100 000, or outside its documented range.
  case valueOutOfRange(Refusal)
  /// An attachment of this kind has no use for the property, which would be ignored: only distances
  /// have a spring's frequency and damping, distances and ropes a length, pins a friction torque,
  /// pins and sliders a range; between two items there is no anchor point to move.
  case meaninglessProperty(Property, of: AttachmentBehavior.Kind)
  /// These bytes are no snapshot of this version, or are cut short or inconsistent.
  case malformedSnapshot

  /// A number that was refused: what it was to be, and what it may be.
  public typealias Refusal = RefusedNumber<Property>

  /// The properties that have a range.
  public enum Property: UInt8, Equatable, Sendable {
    /// An item's or a snap's place, or an anchor.
    case position
    /// An item's angle, or the angle of a direction.
    case angle
    /// A velocity or a spin.
    case velocity
    /// The direction or the magnitude of gravity, a push or a field.
    case direction
    /// 0…1.
    case elasticity
    /// At least 0.
    case friction
    /// 0.01…10 000.
    case density
    /// At least 0.
    case resistance
    /// At least 0.
    case angularResistance
    /// Finite.
    case charge
    /// Finite.
    case offset
    /// Reference bounds or insets that leave no area.
    case bounds
    /// A number of the world's configuration.
    case configuration
    /// A field's strength: finite.
    case strength
    /// −10…10.
    case falloff
    /// At least 0.
    case minimumRadius
    /// 0…1.
    case smoothness
    /// 0…60.
    case animationSpeed
    /// A region of more than 64 parts, or of a negative or endless size.
    case region
    /// 0…1 for snaps, at least 0 for attachments.
    case damping
    /// Hertz, 0…30.
    case frequency
    /// Points, at least 0.
    case length
    /// Lower end not above the upper one.
    case range
    /// At least 0.
    case frictionTorque
    /// An axis with a length.
    case axis
    /// Width, height, diameter or growth of a shape in points.
    case size
    /// A rectangle's: 0 up to half of the shorter side.
    case cornerRadius
    /// What a path encloses, in pt²: at least 0.1.
    case area
    /// Approach speed under which nothing bounces, in pt/s: 0…20 000.
    case bounceThreshold
    /// An attachment's point of the world.
    case anchorPoint
  }
}
