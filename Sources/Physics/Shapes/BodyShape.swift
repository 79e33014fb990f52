/// The form of a body about its centre of mass: a convex core of up to eight corners, grown by a
/// radius. A circle's core is a point, a capsule's is a line, a box's has four corners.
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
  /// Half extents of the core for circle (0, 0), capsule (halfLength, 0) and box; 0 for polygons.
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
    switch kind {
    case .circle, .capsule, .box:
      return Vector2(2 * (halfExtents.x + radius), 2 * (halfExtents.y + radius))
    case .polygon:
      let low = Vector2(core.x.min(), core.y.min())
      let high = Vector2(core.x.max(), core.y.max())
      return Vector2(high.x - low.x + 2 * radius, high.y - low.y + 2 * radius)
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
    let shape = BodyShape(polygon: core, radius: radius)
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

  init(polygon core: ConvexCore, radius: Float) {
    assert(core.count >= 3 && core.count <= 8 && radius >= 0)
    kind = .polygon
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

/// Area and second moment of a core grown by a radius, about the origin.
struct RoundedMeasures {
  let area: Float
  /// ∫ r² dA over the shape, in pt⁴.
  let inertia: Float

  /// A rectangle (or line, or point) of half extents `half`, grown by `radius`: the inner
  /// rectangle, four strips and four quarter discs, each with its own centre.
  init(box half: Vector2, radius r: Float) {
    let (a, b) = (half.x, half.y)
    let pi = DeterministicMath.pi
    let inner = 4 * a * b
    let innerMoment = inner * (a * a + b * b) / 3
    let beside = 4 * b * r
    let besideOff = a + r * 0.5
    let besideMoment = beside * ((4 * b * b + r * r) / 12 + besideOff * besideOff)
    let above = 4 * a * r
    let aboveOff = b + r * 0.5
    let aboveMoment = above * ((4 * a * a + r * r) / 12 + aboveOff * aboveOff)
    // Four quarter discs: ∫ (x + a)² + (y + b)² with ∫ x over a quarter = r³/3.
    let disc = pi * r * r
    let discMoment =
      disc * (r * r * 0.5 + a * a + b * b) + 8 * (a + b) * r * r * r / 3
    area = inner + beside + above + disc
    inertia = innerMoment + besideMoment + aboveMoment + discMoment
  }

  /// A polygon grown by `radius`. The rim is counted as a strip an edge and a sector a corner.
  init(core: ConvexCore, radius r: Float) {
    guard r > 0 || core.holdsOrigin else {
      self = Self.ofSharp(core)
      return
    }
    var area: Float = 0
    var inertia: Float = 0
    for i in 0..<core.count {
      let a = core[i]
      let b = core[i + 1 == core.count ? 0 : i + 1]
      let double = a.cross(b)
      area += double * 0.5
      inertia += double * (a.dot(a) + a.dot(b) + b.dot(b)) / 12
      if r > 0 {
        let edge = b - a
        let length = edge.length
        let normal = Vector2(edge.y / length, -edge.x / length)
        let strip = length * r
        let middle = (a + b) * 0.5 + normal * (r * 0.5)
        area += strip
        inertia += strip * ((length * length + r * r) / 12 + middle.lengthSquared)
        // Together the sectors make one disc; each is taken at its corner with its share of angle.
        let c = core[i + 2 >= core.count ? i + 2 - core.count : i + 2]
        let next = (c - b).normalized
        let along = edge / length
        let turn = DeterministicMath.arcTangent(y: along.cross(next), x: along.dot(next))
        let sector = turn * 0.5 * r * r
        area += sector
        inertia += sector * (b.lengthSquared + r * r * 0.5 + b.length * r * 1.3333334)
      }
    }
    self.area = area
    self.inertia = inertia
  }

  /// A sharp polygon beside the origin, as one of several shapes of a body may be: measured about
  /// the middle of its corners and moved (Huygens and Steiner), because about the origin what is
  /// small would be the difference of what is large.
  private static func ofSharp(_ core: ConvexCore) -> RoundedMeasures {
    var middle = Vector2.zero
    for i in 0..<core.count { middle += core[i] }
    middle = middle / Float(core.count)
    var (area, inertia, moment): (Float, Float, Vector2) = (0, 0, .zero)
    for i in 0..<core.count {
      let (a, b) = (core.edge(i).0 - middle, core.edge(i).1 - middle)
      let double = a.cross(b)
      area += double * 0.5
      moment += (a + b) * (double / 6)
      inertia += double * (a.dot(a) + a.dot(b) + b.dot(b)) / 12
    }
    return RoundedMeasures(
      area: area, inertia: inertia + 2 * middle.dot(moment) + area * middle.lengthSquared)
  }

  private init(area: Float, inertia: Float) {
    self.area = area
    self.inertia = inertia
  }
}
