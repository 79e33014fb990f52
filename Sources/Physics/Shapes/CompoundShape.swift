/// Several convex shapes that move as one body: an L, a cup, a star.
///
/// ```swift
/// let hook = try CompoundShape(outline: [
///   Vector2(0, 0), Vector2(20, 0), Vector2(20, 60), Vector2(60, 60), Vector2(60, 80),
///   Vector2(0, 80),
/// ])
/// let hanger = try world.addBody(BodyDefinition(shape: hook, position: Vector2(120, 200)))
/// ```
///
/// Each shape costs what a body costs, and counts as one against the world's capacity. In a world
/// that has a body of several shapes, fast and elastic bodies have the whole world solved in
/// smaller parts.
public struct CompoundShape: Equatable, Sendable {
  /// Most shapes of a body: each meets each of another's, which is 256 pairs then.
  public static let mostShapes = 16
  /// Most corners of an outline: sixteen convex outlines of eight corners hold it as a rule.
  public static let mostCorners = 64

  /// The convex shapes, in the frame whose origin is their common centre of mass: sharp polygons.
  public let shapes: [BodyShape]
  /// The common centre of mass, in the coordinates that the corners were given in.
  public let centerOfMass: Vector2
  /// Area of all shapes in pt²; what two of them cover counts twice.
  public let area: Float
  /// Rotational inertia about the centre of mass, divided by the mass, in pt².
  public let inertiaPerMass: Float

  /// What an outline encloses, which may be concave: 3…64 corners in either order that follow each
  /// other without crossing; those at which it goes straight on are not counted. It is cut into
  /// convex shapes of up to eight corners, of which those with less than `PhysicsLimit.area` are
  /// left out.
  ///
  /// Throws `outlineUnusable` for corners that are too few or too many, lie on a line, or cross,
  /// and for an outline that falls into more than sixteen; `valueOutOfRange` for corners that are
  /// no numbers; `sizeOutOfRange` for corners beyond `PhysicsLimit.corner` and for what is too
  /// large or has too little area.
  public init(outline corners: [Vector2]) throws(PhysicsError) {
    do throws(PhysicsError) {
      try self.init(outlines: ConvexParts.cut(corners))
    } catch {
      // A part that is hardly one: the outline all but touches itself.
      throw error == .notConvex ? .outlineUnusable : error
    }
  }

  /// What 1…16 convex outlines enclose together, each of 3…8 corners in either order. What lies in
  /// several of them is that much heavier, and they need not touch each other.
  ///
  /// Throws `outlineUnusable` for none or too many, `notConvex`, and `sizeOutOfRange` for corners
  /// beyond `PhysicsLimit.corner` and for what is too large or has too little area.
  public init(outlines: [[Vector2]]) throws(PhysicsError) {
    guard !outlines.isEmpty, outlines.count <= Self.mostShapes else { throw .outlineUnusable }
    var (area, center) = (Float(0), Vector2.zero)
    for corners in outlines {
      let shape = try BodyShape.polygon(corners)
      area += shape.area
      center += Self.centroid(corners) * shape.area
    }
    assert(area > 0, "a polygon has an area")
    center = center / area
    var (shapes, inertia) = ([BodyShape](), Float(0))
    for corners in outlines {
      let shape = try BodyShape(corners: corners, about: center)
      inertia += shape.inertiaPerMass * shape.area
      shapes.append(shape)
    }
    self.shapes = shapes
    self.area = area
    centerOfMass = center
    inertiaPerMass = inertia / area
  }

  /// Width and height of the smallest rectangle around all shapes in their own frame, in points.
  public var size: Vector2 {
    let low = Vector2(
      shapes.reduce(0) { min($0, $1.core.x.min()) }, shapes.reduce(0) { min($0, $1.core.y.min()) })
    let high = Vector2(
      shapes.reduce(0) { max($0, $1.core.x.max()) }, shapes.reduce(0) { max($0, $1.core.y.max()) })
    return high - low
  }

  /// Centre of area of a polygon that has one.
  private static func centroid(_ corners: [Vector2]) -> Vector2 {
    let origin = corners[0]
    var (double, sum) = (Float(0), Vector2.zero)
    for i in 1..<(corners.count - 1) {
      let (a, b) = (corners[i] - origin, corners[i + 1] - origin)
      double += a.cross(b)
      sum += (a + b) * a.cross(b)
    }
    assert(double != 0, "its shape has an area")
    return origin + sum / (3 * double)
  }
}

extension BodyShape {
  /// A sharp polygon about a point that need not be its own centre of area: one of several shapes
  /// of a body. The corners have been found to make a polygon.
  fileprivate init(corners: [Vector2], about center: Vector2) throws(PhysicsError) {
    guard var core = ConvexCore(outline: corners) else { throw .notConvex }
    // The core is about its own centre now; put it back to where the corners are.
    let origin = corners[0] - center
    let first = core.firstCorner(ofOutlineThatTurnsClockwise: corners.turnsClockwise)
    core.x += origin.x - first.x
    core.y += origin.y - first.y
    // Rounding may have bent a corner that hardly stands out.
    guard core.isConvex else { throw .notConvex }
    self.init(polygon: core, radius: 0)
    let largest = PhysicsLimit.size.upperBound
    guard boundingRadius <= largest else {
      throw .outsideSize(.boundingRadius, boundingRadius, 0...largest)
    }
  }
}

extension ConvexCore {
  /// The corner that stood first in the outline from which the core was made, which went round the
  /// other way if it did not turn clockwise.
  fileprivate func firstCorner(ofOutlineThatTurnsClockwise isClockwise: Bool) -> Vector2 {
    isClockwise ? self[0] : self[count - 1]
  }
}

extension [Vector2] {
  /// Whether an outline goes round clockwise on screen, where y grows down.
  var turnsClockwise: Bool {
    var double: Float = 0
    for i in 1..<(count - 1) { double += (self[i] - self[0]).cross(self[i + 1] - self[0]) }
    return double > 0
  }
}
