/// The outline that an item collides with, about its centre.
///
/// A rectangle is UIKit's default, and `Item(frame:)`'s; otherwise the shape is said.
public enum ItemShape: Equatable, Sendable {
  /// A rectangle of the given size in points, each 0.5…8192. `cornerRadius` is 0 up to half of the
  /// shorter side.
  case rectangle(width: Float, height: Float, cornerRadius: Float = 0)
  /// An ellipse of the given size in points, each 0.5…8192 and at most 4000 times the other: a
  /// circle when both are equal, otherwise a rounded outline of eight corners that touches the
  /// ellipse at its four ends and is off by a hundredth of the longer side at most (0.9 pt of
  /// 100×50).
  case ellipse(width: Float, height: Float)
  /// An outline of 3…64 corners in either order that follow each other without crossing, in points
  /// from the item's centre. It may be concave: a cup, an L, a star. At most 8192 pt each way, with
  /// an area of at least 0.1 pt².
  ///
  /// A convex outline of at most eight corners may be grown by `growth`, 0…4096 points, all round,
  /// which rounds its corners. Any other is cut into at most sixteen convex parts, each of which
  /// costs what an item costs.
  case path([Vector2], growth: Float = 0)

  /// A disc of a diameter of 0.5…8192 pt.
  public static func circle(diameter: Float) -> ItemShape {
    .ellipse(width: diameter, height: diameter)
  }

  /// Width and height of the box around the shape at angle 0, in points.
  public var size: Vector2 {
    switch self {
    case .rectangle(let width, let height, _), .ellipse(let width, let height):
      return Vector2(width, height)
    case .path(let corners, let growth):
      guard var low = corners.first else { return .zero }
      var high = low
      for corner in corners {
        low = Vector2(corner.x < low.x ? corner.x : low.x, corner.y < low.y ? corner.y : low.y)
        high = Vector2(corner.x > high.x ? corner.x : high.x, corner.y > high.y ? corner.y : high.y)
      }
      return high - low + Vector2(2 * growth, 2 * growth)
    }
  }
}

extension ItemShape {
  /// How many times as long as wide an ellipse may be: eight corners of a longer one would lie on a
  /// line, as far as single precision can tell.
  private static let slenderest: Float = 4000

  /// Throws `sizeOutOfRange` for what is too large or too small.
  func validate() throws(DynamicsError) {
    switch self {
    case .rectangle(let width, let height, let cornerRadius):
      try width.requireSize()
      try height.requireSize()
      let half = (width < height ? width : height) * 0.5
      try cornerRadius.requireSize(.cornerRadius, in: 0...half)
    case .ellipse(let width, let height):
      try width.requireSize()
      try height.requireSize()
      let (long, short) = width > height ? (width, height) : (height, width)
      try short.requireSize(in: (long / Self.slenderest)...long)
    case .path(let corners, let growth):
      try growth.requireSize(in: 0...(PhysicsLimit.size.upperBound * 0.5))
      let farthest = PhysicsLimit.corner * 0.7
      for corner in corners {
        try corner.x.requireSize(in: -farthest...farthest)
        try corner.y.requireSize(in: -farthest...farthest)
      }
      let size = size
      try size.x.requireSize(in: 0...PhysicsLimit.size.upperBound)
      try size.y.requireSize(in: 0...PhysicsLimit.size.upperBound)
    }
  }
}

extension Float {
  /// Throws `sizeOutOfRange` for what is no size of an item in points.
  fileprivate func requireSize(
    _ property: DynamicsError.Property = .size, in allowed: ClosedRange<Float> = PhysicsLimit.size
  ) throws(DynamicsError) {
    guard allowed.contains(self) else {
      throw .sizeOutOfRange(
        DynamicsError.Refusal(property: property, value: self, allowed: allowed))
    }
  }
}

/// A shape as the solver wants it: about its centre of mass.
struct SolidShape: Equatable, Sendable {
  /// The only shape, or the first part of an outline that is cut into several.
  var shape: BodyShape
  /// How many parts there are.
  var shapeCount = 1
  /// Area in pt², and rotational inertia by mass in pt², of all parts.
  var area: Float
  var inertiaPerMass: Float
  /// The centre of mass in the item's own frame; (0, 0) for all but paths.
  var centerOfMass: Vector2

  init(_ outline: ItemShape) throws(DynamicsError) {
    try outline.validate()
    centerOfMass = .zero
    do throws(PhysicsError) {
      switch outline {
      case .rectangle(let width, let height, let cornerRadius):
        shape = try Self.rectangle(width, height, cornerRadius)
      case .ellipse(let width, let height):
        shape = try Self.ellipse(width, height)
      case .path(let corners, let growth):
        guard growth > 0 || Self.isPlain(corners) else {
          self = try Self(parts: corners)
          return
        }
        shape = try .polygon(corners, radius: growth)
        centerOfMass = Self.centroid(corners)
      }
      (area, inertiaPerMass) = (shape.area, shape.inertiaPerMass)
    } catch {
      if case .path(let corners, _) = outline, corners.count < 3 { throw .emptyPath }
      if error == .notConvex || error == .outlineUnusable { throw .pathUnusable }
      if case .sizeOutOfRange(let refusal) = error, refusal.property == .boundingRadius {
        // A part may reach far beyond the centre of mass of an outline within the largest size.
        throw .sizeOutOfRange(
          DynamicsError.Refusal(
            property: .size, value: refusal.value, allowed: PhysicsLimit.size))
      }
      // The sides have been checked, so it is the area.
      throw .sizeOutOfRange(Self.refusedArea(of: outline))
    }
  }

  /// An outline that the solver's polygons don't hold, cut into convex parts.
  private init(parts corners: [Vector2]) throws(PhysicsError) {
    let parts = try CompoundShape(outline: corners)
    shape = parts.shapes[0]
    shapeCount = parts.shapes.count
    (area, inertiaPerMass) = (parts.area, parts.inertiaPerMass)
    centerOfMass = parts.centerOfMass
  }

  /// Whether an outline is one of the solver's polygons.
  private static func isPlain(_ corners: [Vector2]) -> Bool {
    corners.count <= 8 && (try? BodyShape.polygon(corners)) != nil
  }

  private static func refusedArea(of outline: ItemShape) -> DynamicsError.Refusal {
    var double: Float = 0
    if case .path(let corners, _) = outline {
      for i in 1..<(corners.count - 1) {
        double += (corners[i] - corners[0]).cross(corners[i + 1] - corners[0])
      }
    }
    let most = PhysicsLimit.size.upperBound * PhysicsLimit.size.upperBound
    return DynamicsError.Refusal(
      property: .area, value: (double < 0 ? -double : double) * 0.5,
      allowed: PhysicsLimit.area...most)
  }

  /// Full rounding turns a box into a capsule; an upright one keeps a hair of straight edge,
  /// because the solver's capsules lie along x.
  private static func rectangle(
    _ width: Float, _ height: Float, _ cornerRadius: Float
  ) throws(PhysicsError) -> BodyShape {
    let shorter = width < height ? width : height
    guard cornerRadius * 2 >= shorter else {
      return try .box(width: width, height: height, cornerRadius: cornerRadius)
    }
    if width > height + 1 {
      return try .capsule(halfLength: (width - height) * 0.5, radius: height * 0.5)
    }
    return try .box(width: width, height: height, cornerRadius: shorter * 0.4995)
  }

  /// Eight corners on a smaller ellipse, grown by the radius of curvature at the long ends, so that
  /// the four ends are exact and the ends roll like the ellipse's.
  private static func ellipse(_ width: Float, _ height: Float) throws(PhysicsError) -> BodyShape {
    if width == height { return try .circle(radius: width * 0.5) }
    let a = width * 0.5
    let b = height * 0.5
    let (long, short) = a > b ? (a, b) : (b, a)
    let ends = short * short / long
    let radius = ends < short * 0.9 ? ends : short * 0.9
    let diagonal: Float = 0.70710678
    let x = a - radius
    let y = b - radius
    return try .polygon(
      [
        Vector2(x, 0), Vector2(x * diagonal, y * diagonal), Vector2(0, y),
        Vector2(-x * diagonal, y * diagonal), Vector2(-x, 0), Vector2(-x * diagonal, -y * diagonal),
        Vector2(0, -y), Vector2(x * diagonal, -y * diagonal),
      ], radius: radius)
  }

  /// Centre of area of a polygon.
  private static func centroid(_ corners: [Vector2]) -> Vector2 {
    assert(corners.count >= 3)
    let origin = corners[0]
    var double: Float = 0
    var sum = Vector2.zero
    for i in 1..<(corners.count - 1) {
      let a = corners[i] - origin
      let b = corners[i + 1] - origin
      let area = a.cross(b)
      double += area
      sum += (a + b) * area
    }
    assert(double != 0, "a polygon has an area")
    return origin + sum / (3 * double)
  }
}
