/// Lines and curves one after the other, from which a boundary is made. UIKit's `UIBezierPath`.
///
/// ```swift
/// var hill = BezierPath(from: Vector2(0, 400))
/// hill.addCurve(
///   to: Vector2(320, 400), controlPoint1: Vector2(100, 250), controlPoint2: Vector2(220, 550))
/// hill.addLine(to: Vector2(320, 568))
/// hill.addLine(to: Vector2(0, 568))
/// hill.close()
/// try walls.addBoundary(hill.boundary, id: 8)
/// ```
///
/// A boundary may be concave, and cross itself: it is a thin line, solid from both sides. Curves
/// become straight lines that are nowhere more than 0.25 pt off as long as their control points are
/// no more than 40 000 pt apart (a curve has at most 512 lines).
public struct BezierPath: Equatable, Sendable {
  /// The corners of the flattened path, in points, in order. Those nearer to the one before than
  /// 0.01 pt are left out.
  public private(set) var points: [Vector2]
  /// Whether a last line leads back to the beginning.
  public private(set) var isClosed = false
  /// Where the next part begins; not a corner when it is too near to the last one.
  private var end: Vector2

  /// Farthest that a flattened curve may be off, in points: what circles of boundaries keep to.
  private static let tolerance: Float = 0.25
  /// Most lines of a curve, as of a circle.
  private static let mostLines = 512

  /// A path that begins at a point. UIKit's `move(to:)`; there is one in a path.
  public init(from start: Vector2) {
    points = [start]
    end = start
  }

  /// A straight line from where the path ends.
  public mutating func addLine(to point: Vector2) {
    append(point)
    end = point
  }

  /// A cubic curve from where the path ends.
  public mutating func addCurve(
    to point: Vector2, controlPoint1 first: Vector2, controlPoint2 second: Vector2
  ) {
    let start = end
    // A curve's second derivative is at most six times the larger of these.
    let (one, two) = (start - first * 2 + second, first - second * 2 + point)
    let bend = one.length > two.length ? one.length : two.length
    let count = Self.lines(bend * 6)
    for i in 1...count {
      let t = Float(i) / Float(count)
      let u = 1 - t
      let (a, b) = (start * (u * u * u) + first * (3 * u * u * t), second * (3 * u * t * t))
      append(i == count ? point : a + b + point * (t * t * t))
    }
    end = point
  }

  /// A quadratic curve from where the path ends.
  public mutating func addQuadCurve(to point: Vector2, controlPoint control: Vector2) {
    let start = end
    let count = Self.lines((start - control * 2 + point).length * 2)
    for i in 1...count {
      let t = Float(i) / Float(count)
      let u = 1 - t
      let place = start * (u * u) + control * (2 * u * t) + point * (t * t)
      append(i == count ? point : place)
    }
    end = point
  }

  /// Leads the path back to its beginning. What is added afterwards stands before the last line.
  public mutating func close() { isClosed = true }

  /// The corners of what the path encloses, for an item: `ItemShape.path(path.outline)`. Whether it
  /// is closed makes no difference. Corners that lie less than a quarter of a point beside the line
  /// between their neighbours are left out, one after the other, and then those that stand out
  /// least until 64 are left.
  public var outline: [Vector2] {
    var corners = points
    if corners.count > 1, (corners[corners.count - 1] - corners[0]).length <= 0.01 {
      corners.removeLast()
    }
    while corners.count > 3 {
      var (place, least) = (0, Float.infinity)
      for i in corners.indices {
        let distance = Self.distance(of: i, in: corners)
        if distance < least { (place, least) = (i, distance) }
      }
      guard least < Self.tolerance || corners.count > Self.mostCorners else { break }
      corners.remove(at: place)
    }
    return corners
  }

  /// Most corners of an item's outline.
  private static let mostCorners = 64

  /// How far a corner is from the straight way between those beside it.
  private static func distance(of i: Int, in corners: [Vector2]) -> Float {
    let before = corners[i == 0 ? corners.count - 1 : i - 1]
    let chord = corners[i + 1 == corners.count ? 0 : i + 1] - before
    let way = corners[i] - before
    let squared = chord.lengthSquared
    let share = squared > 0 ? way.dot(chord) / squared : 0
    return (way - chord * (share < 0 ? 0 : share > 1 ? 1 : share)).length
  }

  /// The path as a collision boundary. One that is too short throws `emptyPath` when it is added.
  public var boundary: BoundaryPath {
    var corners = points
    // An end at the beginning closes the path already.
    if isClosed, corners.count > 1, (corners[corners.count - 1] - corners[0]).length <= 0.01 {
      corners.removeLast()
    }
    return .path(corners, closed: isClosed)
  }

  /// A chord of a curve whose second derivative is at most `bend` is off by bend/8n² of n chords.
  private static func lines(_ bend: Float) -> Int {
    let wanted = (bend / (8 * tolerance)).squareRoot()
    return wanted >= Float(mostLines) ? mostLines : wanted > 1 ? Int(wanted) + 1 : 1
  }

  private mutating func append(_ point: Vector2) {
    assert(!points.isEmpty, "a path has a beginning")
    if (point - points[points.count - 1]).length > 0.01 || !point.isFinite { points.append(point) }
  }
}
