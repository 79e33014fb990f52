/// The form of a body about its centre of mass: a convex core of up to eight corners, grown by a
/// radius. A circle's core is a point, a capsule's is a line, a box's has four corners. Those of a
/// body of several shapes (`CompoundShape`) may lie anywhere about it, and boxes among them are
/// polygons.
public struct BodyShape: Equatable, Sendable, BitwiseCopyable {
  /// Which of the constructors made the shape.
  public enum Kind: UInt8, Equatable, Sendable, BitwiseCopyable {
    /// A disc.
    case circle
    /// A line along the local x axis, grown by a radius.
    case capsule
    /// A rectangle, its corners rounded or sharp.
    case box
    /// A convex polygon, its corners rounded or sharp.
    case polygon
  }

  /// Which of the constructors made the shape.
  public let kind: Kind
  /// The core's corners, clockwise on screen, about the centre of mass; unused lanes repeat the
  /// first.
  let core: ConvexCore
  /// Half extents of the core for circle (0, 0), capsule (halfLength, 0) and box; 0 for polygons,
  /// and for capsules with a core of their own (`hasOwnCore`).
  let halfExtents: Vector2
  /// By how much the core is grown, in points. For a circle, its radius.
  public let radius: Float
  /// Area in pt².
  public let area: Float
  /// Rotational inertia about the centre of mass, divided by the mass, in pt².
  public let inertiaPerMass: Float
  /// Radius of the smallest circle about the centre of mass that holds the shape.
  public let boundingRadius: Float

  /// Width and height of the smallest rectangle around the shape in its own frame, in points.
  public var size: Vector2 {
    Vector2(
      core.x.max() - core.x.min() + 2 * radius, core.y.max() - core.y.min() + 2 * radius)
  }

  /// Whether the core is none of those that the kind and the half extents say: a polygon's, or a
  /// disc's or a capsule's that lies beside the centre of mass or is turned, as one of several
  /// shapes of a body may be.
  var hasOwnCore: Bool {
    switch kind {
    case .circle: core[0] != .zero
    case .capsule: halfExtents.x == 0
    case .box: false
    case .polygon: true
    }
  }

  /// A disc. `radius` 0.25…4096 pt.
  public static func circle(radius: Float) throws(PhysicsError) -> BodyShape {
    guard PhysicsLimit.size.contains(2 * radius) else {
      throw .outsideSize(.radius, radius, halfSizes)
    }
    return BodyShape(roundedBox: .zero, radius: radius, kind: .circle)
  }

  /// A line of 2·`halfLength` along the local x axis, grown by `radius`; both 0.25…4096 pt.
  public static func capsule(halfLength: Float, radius: Float) throws(PhysicsError) -> BodyShape {
    guard PhysicsLimit.size.contains(2 * radius) else {
      throw .outsideSize(.radius, radius, halfSizes)
    }
    guard PhysicsLimit.size.contains(2 * halfLength) else {
      throw .outsideSize(.halfLength, halfLength, halfSizes)
    }
    return BodyShape(roundedBox: Vector2(halfLength, 0), radius: radius, kind: .capsule)
  }

  /// A rectangle of the given outer size, 0.5…8192 pt each way, with rounded corners.
  /// `cornerRadius` is 0 up to less than half of the shorter side.
  public static func box(
    width: Float, height: Float, cornerRadius: Float = 0
  ) throws(PhysicsError) -> BodyShape {
    let shorter = width < height ? width : height
    guard PhysicsLimit.size.contains(width) else {
      throw .outsideSize(.width, width, PhysicsLimit.size)
    }
    guard PhysicsLimit.size.contains(height) else {
      throw .outsideSize(.height, height, PhysicsLimit.size)
    }
    guard cornerRadius >= 0, cornerRadius * 2 < shorter else {
      throw .outsideSize(.cornerRadius, cornerRadius, 0...(shorter * 0.5).nextDown)
    }
    let half = Vector2(width * 0.5 - cornerRadius, height * 0.5 - cornerRadius)
    return BodyShape(roundedBox: half, radius: cornerRadius, kind: .box)
  }

  /// A convex polygon of 3…8 corners in either order, grown by `radius`, 0…4096 pt. The body's
  /// position is the polygon's centre of area, wherever the corners' own origin was.
  public static func polygon(
    _ corners: [Vector2], radius: Float = 0
  ) throws(PhysicsError) -> BodyShape {
    guard corners.count >= 3, corners.count <= 8 else { throw .notConvex }
    guard radius >= 0, 2 * radius <= PhysicsLimit.size.upperBound else {
      throw .outsideSize(.radius, radius, 0...halfSizes.upperBound)
    }
    let farthest = PhysicsLimit.corner * PhysicsLimit.corner
    for corner in corners where !(corner.isFinite && corner.lengthSquared <= farthest) {
      throw .outsideSize(.corner, corner.length, 0...PhysicsLimit.corner)
    }
    guard let core = ConvexCore(outline: corners) else { throw .notConvex }
    let shape = BodyShape(core: core, radius: radius)
    let largest = PhysicsLimit.size.upperBound
    guard shape.boundingRadius <= largest else {
      throw .outsideSize(.boundingRadius, shape.boundingRadius, 0...largest)
    }
    guard shape.area >= PhysicsLimit.area else {
      throw .outsideSize(.area, shape.area, PhysicsLimit.area...(4 * largest * largest))
    }
    return shape
  }

  /// Half of what a size may be, in points: radii and half lengths.
  private static var halfSizes: ClosedRange<Float> {
    (PhysicsLimit.size.lowerBound / 2)...(PhysicsLimit.size.upperBound / 2)
  }

  /// What memory for shapes is filled with: a disc of 1 pt.
  static let blank = BodyShape(roundedBox: .zero, radius: 1, kind: .circle)

  init(roundedBox half: Vector2, radius: Float, kind: Kind) {
    assert(radius >= 0 && half.x >= 0 && half.y >= 0)
    self.kind = kind
    self.radius = radius
    halfExtents = half
    switch kind {
    case .circle: core = ConvexCore(point: .zero)
    case .capsule: core = ConvexCore(segment: Vector2(-half.x, 0), Vector2(half.x, 0))
    default: core = ConvexCore(box: half)
    }
    boundingRadius = half.length + radius
    let measures = RoundedMeasures(box: half, radius: radius)
    area = measures.area
    inertiaPerMass = measures.inertia / measures.area
  }

  /// A disc, a capsule or a polygon wherever its corners are: one corner, two, or up to eight.
  init(core: ConvexCore, radius: Float) {
    assert(core.count >= 1 && core.count <= 8 && radius >= 0)
    assert(core.count > 2 || radius > 0, "what has no area has a radius")
    kind = core.count == 1 ? .circle : core.count == 2 ? .capsule : .polygon
    self.core = core
    self.radius = radius
    halfExtents = .zero
    var farthest: Float = 0
    for i in 0..<core.count {
      let d = core[i].lengthSquared
      farthest = d > farthest ? d : farthest
    }
    boundingRadius = farthest.squareRoot() + radius
    let measures = RoundedMeasures(core: core, radius: radius)
    area = measures.area
    inertiaPerMass = measures.inertia / measures.area
  }
}
