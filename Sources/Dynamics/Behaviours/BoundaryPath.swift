/// The form of a collision boundary. All are thin lines, solid from both sides.
public enum BoundaryPath: Equatable, Sendable {
  /// From one point to another.
  case segment(Vector2, Vector2)
  /// From point to point, and back to the first when `closed`.
  case path([Vector2], closed: Bool)
  /// The four sides of a rectangle.
  case rectangle(Rect2)

  /// An ellipse that fills a frame, as a closed path that is nowhere more than 0.25 pt off as long
  /// as it is less than 26 000 pt across. UIKit's `UIBezierPath(ovalIn:)`.
  public static func ellipse(in frame: Rect2) -> BoundaryPath {
    let radii = Vector2(frame.width * 0.5, frame.height * 0.5)
    let count = pieces(of: radii.x > radii.y ? radii.x : radii.y)
    var points: [Vector2] = []
    for i in 0..<count {
      let turn = Vector2(angle: Float(i) / Float(count) * 2 * DeterministicMath.pi, length: 1)
      points.append(frame.center + Vector2(turn.x * radii.x, turn.y * radii.y))
    }
    return .path(points, closed: true)
  }

  /// A piece of a circle from one angle to another, in radians clockwise on screen from the x axis,
  /// as an open path as exact as `ellipse(in:)`. UIKit's `UIBezierPath(arcCenter:…)`.
  public static func arc(
    center: Vector2, radius: Float, startAngle: Float, endAngle: Float
  ) -> BoundaryPath {
    let sweep = endAngle - startAngle
    let turns = (sweep < 0 ? -sweep : sweep) / (2 * DeterministicMath.pi)
    let count = turns < 1 ? Int(Float(pieces(of: radius)) * turns) + 1 : pieces(of: radius)
    var points: [Vector2] = []
    for i in 0...count {
      assert(count >= 1)
      let angle = startAngle + sweep * Float(i) / Float(count)
      points.append(center + Vector2(angle: angle, length: radius))
    }
    return .path(points, closed: false)
  }

  /// Lines that a circle needs: of n lines the middles are r·π²/2n² inside it.
  private static func pieces(of radius: Float) -> Int {
    let wanted = DeterministicMath.pi * (2 * radius).squareRoot()
    return wanted >= 512 ? 512 : wanted >= 8 ? Int(wanted) + 1 : 8
  }

  func validate() throws(DynamicsError) {
    switch self {
    case .segment(let a, let b):
      try Self.validate([a, b], closed: false)
    case .path(let points, let closed):
      // There and back again is one segment, and no closed path.
      guard points.count >= (closed ? 3 : 2) else { throw .emptyPath }
      try Self.validate(points, closed: closed)
    case .rectangle(let r):
      try Vector2(r.x, r.y).require(.bounds)
      try Vector2(r.width, r.height).require(.bounds)
      guard r.width > 0, r.height > 0 else { throw .degenerateBoundary }
      try Self.validate(Self.corners(of: r), closed: true)
    }
  }

  private static func validate(_ points: [Vector2], closed: Bool) throws(DynamicsError) {
    for point in points { try point.require(.position) }
    let pieces = closed ? points.count : points.count - 1
    for i in 0..<pieces {
      let next = i + 1 == points.count ? 0 : i + 1
      guard (points[next] - points[i]).length > 0.01 else { throw .degenerateBoundary }
    }
  }

  var pieceCount: Int {
    switch self {
    case .segment: 1
    case .path(let points, let closed): closed ? points.count : points.count - 1
    case .rectangle: 4
    }
  }

  var physicsBoundary: Boundary {
    switch self {
    case .segment(let a, let b): return .segment(a, b)
    case .path(let points, let closed): return .chain(points, closed: closed)
    case .rectangle(let r): return .chain(Self.corners(of: r), closed: true)
    }
  }

  private static func corners(of r: Rect2) -> [Vector2] {
    [
      Vector2(r.minX, r.minY), Vector2(r.maxX, r.minY), Vector2(r.maxX, r.maxY),
      Vector2(r.minX, r.maxY),
    ]
  }
}
