/// Several convex shapes that move as one body: an L, a cup, a star, a dumb-bell.
///
/// ```swift
/// let hook = try CompoundShape(outline: [
///   Vector2(0, 0), Vector2(20, 0), Vector2(20, 60), Vector2(60, 60), Vector2(60, 80),
///   Vector2(0, 80),
/// ])
/// let hanger = try world.addBody(BodyDefinition(shape: hook, position: Vector2(120, 200)))
///
/// let dumbbell = try CompoundShape([
///   CompoundShape.Part(.circle(radius: 20), at: Vector2(-50, 0)),
///   CompoundShape.Part(.capsule(halfLength: 40, radius: 5)),
///   CompoundShape.Part(.circle(radius: 20), at: Vector2(50, 0)),
/// ])
/// ```
///
/// Each shape costs what a body costs, and counts as one against the world's capacity. In a world
/// that has a body of several shapes, fast and elastic bodies have the whole world solved in
/// smaller parts.
public struct CompoundShape: Equatable, Sendable {
  /// One of the shapes, where it lies and how it is turned.
  public struct Part: Equatable, Sendable, BitwiseCopyable {
    /// The shape about its own origin.
    public var shape: BodyShape
    /// Where the shape's origin lies, in points from that of the whole.
    public var position: Vector2
    /// How the shape is turned about its origin.
    public var rotation: Rotation

    /// A shape with its origin at `position`, turned by `angle` radians, clockwise on screen.
    public init(_ shape: BodyShape, at position: Vector2 = .zero, angle: Float = 0) {
      self.init(shape, at: position, rotation: Rotation(angle: angle))
    }

    /// A shape with its origin at `position`, turned.
    public init(_ shape: BodyShape, at position: Vector2, rotation: Rotation) {
      self.shape = shape
      self.position = position
      self.rotation = rotation
    }
  }

  /// Most shapes of a body: each meets each of another's, which is 4096 pairs then. Of an outline's
  /// `mostCorners` there are fewer triangles than that.
  public static let mostShapes = 64
  /// Most corners of an outline: the search for crossings takes their square.
  public static let mostCorners = 64

  /// The convex shapes, in the frame whose origin is their common centre of mass. Boxes are
  /// polygons here, unless they lie about that origin and are not turned.
  public let shapes: [BodyShape]
  /// The common centre of mass, in the coordinates that corners and positions were given in.
  public let centerOfMass: Vector2
  /// Area of all shapes in pt²; what two of them cover counts twice.
  public let area: Float
  /// Rotational inertia about the centre of mass, divided by the mass, in pt²: that of each shape
  /// about its own centre, moved (Huygens and Steiner).
  public let inertiaPerMass: Float

  /// 1…64 convex shapes of any kind beside, in or over each other. What lies in several of them is
  /// that much heavier, and they need not touch each other.
  ///
  /// Throws `outlineUnusable` for none, `tooManyShapes` for too many, `valueOutOfRange` for a
  /// position that is no number or farther than `PhysicsLimit.corner` from the origin and for what
  /// is no rotation, `sizeOutOfRange` for what is too large, and `notConvex` for what is too small
  /// to keep its form as far from the centre of mass as it lies.
  public init(_ parts: [Part]) throws(PhysicsError) {
    try Self.require(count: parts.count)
    var (area, center) = (Float(0), Vector2.zero)
    for part in parts {
      try part.validate()
      area += part.shape.area
      center += part.centerOfMass * part.shape.area
    }
    // One alone lies at its centre to the bit, where the division might round.
    let middle = parts.count == 1 ? parts[0].centerOfMass : center / area
    var shapes: [BodyShape] = []
    for part in parts { shapes.append(try BodyShape(part, about: middle)) }
    self.init(shapes, centerOfMass: middle)
  }

  /// What an outline encloses, which may be concave: 3…64 corners in either order that follow each
  /// other without crossing; those at which it goes straight on are not counted. It is cut into
  /// convex shapes of up to eight corners, of which those with less than `PhysicsLimit.area` are
  /// left out.
  ///
  /// Throws `outlineUnusable` for corners that are too few or too many, lie on a line, or cross;
  /// `valueOutOfRange` for corners that are no numbers; `sizeOutOfRange` for corners beyond
  /// `PhysicsLimit.corner` and for what is too large or has too little area.
  public init(outline corners: [Vector2]) throws(PhysicsError) {
    do throws(PhysicsError) {
      try self.init(outlines: ConvexParts.cut(corners))
    } catch {
      // A part that is hardly one: the outline all but touches itself.
      throw error == .notConvex ? .outlineUnusable : error
    }
  }

  /// What 1…64 convex outlines enclose together, each of 3…8 corners in either order. What lies in
  /// several of them is that much heavier, and they need not touch each other.
  ///
  /// Throws `outlineUnusable` for none, `tooManyShapes` for too many, `notConvex`, and
  /// `sizeOutOfRange` for corners beyond `PhysicsLimit.corner` and for what is too large or has too
  /// little area.
  public init(outlines: [[Vector2]]) throws(PhysicsError) {
    try Self.require(count: outlines.count)
    var (area, center) = (Float(0), Vector2.zero)
    for corners in outlines {
      let shape = try BodyShape.polygon(corners)
      area += shape.area
      center += PolygonMeasures(corners).center * shape.area
    }
    assert(area > 0, "a polygon has an area")
    center = center / area
    var shapes: [BodyShape] = []
    for corners in outlines { shapes.append(try BodyShape(corners: corners, about: center)) }
    self.init(shapes, centerOfMass: center)
  }

  /// Shapes about their centre of mass.
  private init(_ shapes: [BodyShape], centerOfMass center: Vector2) {
    assert(!shapes.isEmpty && shapes.count <= Self.mostShapes)
    var (area, inertia) = (Float(0), Float(0))
    for shape in shapes {
      area += shape.area
      inertia += shape.inertiaPerMass * shape.area
    }
    assert(area > 0 && inertia > 0)
    self.shapes = shapes
    self.area = area
    centerOfMass = center
    inertiaPerMass = inertia / area
  }

  private static func require(count: Int) throws(PhysicsError) {
    guard count > 0 else { throw .outlineUnusable }
    guard count <= mostShapes else { throw .tooManyShapes(count: count, limit: mostShapes) }
  }

  /// Width and height of the smallest rectangle around all shapes in their own frame, in points.
  public var size: Vector2 {
    var low = Vector2(.infinity, .infinity)
    var high = low * -1
    for shape in shapes {
      let (core, r) = (shape.core, shape.radius)
      low = Vector2(min(low.x, core.x.min() - r), min(low.y, core.y.min() - r))
      high = Vector2(max(high.x, core.x.max() + r), max(high.y, core.y.max() + r))
    }
    return high - low
  }
}

extension CompoundShape.Part {
  /// Where the part's centre of mass lies, which of a rounded polygon need not be its origin.
  fileprivate var centerOfMass: Vector2 {
    guard shape.hasOwnCore else { return position }
    let measures = RoundedMeasures(core: shape.core, radius: shape.radius)
    return position + (measures.moment / measures.area).rotated(by: rotation.normalized)
  }

  fileprivate func validate() throws(PhysicsError) {
    let farthest = PhysicsLimit.corner
    guard position.x.isWithin(farthest), position.y.isWithin(farthest) else {
      throw .outside(.position, position, within: farthest)
    }
    let squared = rotation.cosine * rotation.cosine + rotation.sine * rotation.sine
    guard (squared - 1).isWithin(SnapshotLimit.skew) else {
      throw .outside(.rotation, squared, (1 - SnapshotLimit.skew)...(1 + SnapshotLimit.skew))
    }
  }
}

extension BodyShape {
  /// A part of a body about the body's centre of mass.
  fileprivate init(_ part: CompoundShape.Part, about center: Vector2) throws(PhysicsError) {
    let offset = part.position - center
    guard offset != .zero || part.rotation != .identity else {
      self = part.shape
      return
    }
    let core = part.shape.core.placed(part.rotation.normalized, at: offset)
    // What is small and far off may have been rounded to another form.
    guard core.count < 3 || core.isConvex else { throw .notConvex }
    guard core.count != 2 || core[0] != core[1] else { throw .notConvex }
    self.init(core: core, radius: part.shape.radius)
    try requireSize()
  }

  /// A sharp polygon about a point that need not be its own centre of area: one of several shapes
  /// of a body. The corners have been found to make a polygon.
  fileprivate init(corners: [Vector2], about center: Vector2) throws(PhysicsError) {
    guard var core = ConvexCore(outline: corners) else { throw .notConvex }
    // The core is about its own centre now; put it back to where the corners are.
    let origin = corners[0] - center
    // The corner that stood first, unless the outline went round the other way.
    let first = core[PolygonMeasures(corners).turnsClockwise ? 0 : core.count - 1]
    core.x += origin.x - first.x
    core.y += origin.y - first.y
    // Rounding may have bent a corner that hardly stands out.
    guard core.isConvex else { throw .notConvex }
    self.init(core: core, radius: 0)
    try requireSize()
  }

  private func requireSize() throws(PhysicsError) {
    let largest = PhysicsLimit.size.upperBound
    guard boundingRadius <= largest else {
      throw .outsideSize(.boundingRadius, boundingRadius, 0...largest)
    }
  }
}
