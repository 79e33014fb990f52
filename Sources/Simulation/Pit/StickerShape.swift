import Dynamics
import Physics

/// The form of a kind of sticker, in thousandths of the edge of its picture, which is a square. A
/// sticker of 40 pt has a picture of 40×40 pt, and so a disc of 950 has a diameter of 38.
public enum StickerShape: Equatable, Sendable {
  /// A disc in the middle of the picture.
  case disc(diameter: UInt16)
  /// A box in the middle of the picture, its corners rounded.
  case box(width: UInt16, height: UInt16, corner: UInt16)
  /// A convex outline of 3 to 8 corners, clockwise on screen, from the middle of the picture,
  /// grown all round by so much, which rounds its corners.
  case outline([Corner], growth: UInt16)

  /// A corner of an outline: from the middle to the right and down.
  public struct Corner: Equatable, Sendable {
    public let x: Int16
    public let y: Int16

    public init(x: Int16, y: Int16) {
      self.x = x
      self.y = y
    }
  }

  /// Why a form can't be one.
  public enum Flaw: Equatable, Sendable {
    /// A disc or a side of a box outside of `sides`.
    case side(UInt16)
    /// A corner's radius beyond half of the shorter side.
    case corner(UInt16)
    /// Fewer than 3 corners or more than 8.
    case cornerCount(Int)
    /// A corner that is outside of the picture with what it grows by; from 0 on.
    case outside(Int)
    /// A corner at which the outline doesn't turn to the right, or hardly, from 0 on. So do all of
    /// an outline that goes the other way round.
    case notConvex(Int)
    /// An outline with less area than a disc of the smallest side.
    case thin
  }

  /// Thousandths in the edge of a picture.
  public static let edge: UInt16 = 1000
  /// What a disc's diameter and a box's sides may be: a third of the picture at least, or what one
  /// sees and what is there have nothing to do with each other.
  public static let sides: ClosedRange<UInt16> = 333...1000
  /// What the solver takes.
  public static let cornerCounts: ClosedRange<Int> = 3...8

  /// What is wrong with it; nil for a form that the solver takes at every size.
  public var flaw: Flaw? {
    switch self {
    case .disc(let diameter):
      return StickerShape.sides.contains(diameter) ? nil : .side(diameter)
    case .box(let width, let height, let corner):
      guard StickerShape.sides.contains(width) else { return .side(width) }
      guard StickerShape.sides.contains(height) else { return .side(height) }
      return corner <= (width < height ? width : height) / 2 ? nil : .corner(corner)
    case .outline(let corners, let growth):
      return StickerShape.flaw(of: corners, growth)
    }
  }

  private static func flaw(of corners: [Corner], _ growth: UInt16) -> Flaw? {
    guard cornerCounts.contains(corners.count) else { return .cornerCount(corners.count) }
    let reach = Int32(edge / 2) - Int32(growth)
    for (place, corner) in corners.enumerated() {
      let (x, y) = (Int32(corner.x), Int32(corner.y))
      guard x >= -reach, x <= reach, y >= -reach, y <= reach else { return .outside(place) }
    }
    if let place = firstTurnBack(corners) { return .notConvex(place) }
    return outlineArea(corners, growth) < leastArea ? .thin : nil
  }

  /// Degrees of a turn that count: the solver takes less, but then two edges are one.
  private static let leastSine: Float = 0.02

  /// The first corner at which the outline does not turn to the right, clearly and about all of its
  /// other corners: a star turns to the right too, but goes round twice.
  private static func firstTurnBack(_ corners: [Corner]) -> Int? {
    let count = corners.count
    for place in 0..<count {
      let before = vector(corners[(place + count - 1) % count])
      let corner = vector(corners[place])
      let after = vector(corners[(place + 1) % count])
      let (way, onward) = (corner - before, after - corner)
      guard way.cross(onward) > leastSine * (way.length * onward.length) else { return place }
      for other in corners where (corner - before).cross(vector(other) - before) < 0 {
        return place
      }
    }
    return nil
  }

  private static func vector(_ corner: Corner) -> Vector2 {
    Vector2(Float(corner.x), Float(corner.y)) / Float(edge)
  }

  /// That of a disc of the smallest side.
  private static let leastArea = discArea * 0.333 * 0.333
  private static let discArea = DeterministicMath.pi / 4

  /// The area as a share of the picture's.
  var area: Float {
    let unit = Float(StickerShape.edge)
    switch self {
    case .disc(let diameter):
      return StickerShape.discArea * (Float(diameter) / unit) * (Float(diameter) / unit)
    case .box(let width, let height, let corner):
      let radius = Float(corner) / unit
      return Float(width) / unit * (Float(height) / unit)
        - (4 - DeterministicMath.pi) * radius * radius
    case .outline(let corners, let growth):
      return StickerShape.outlineArea(corners, growth)
    }
  }

  private static func outlineArea(_ corners: [Corner], _ growth: UInt16) -> Float {
    let radius = Float(growth) / Float(edge)
    var (double, around) = (Float(0), Float(0))
    for place in corners.indices {
      let corner = vector(corners[place])
      let next = vector(corners[(place + 1) % corners.count])
      double += corner.cross(next)
      around += (next - corner).length
    }
    return double / 2 + around * radius + DeterministicMath.pi * radius * radius
  }
}

extension StickerShape {
  /// The form of a sticker whose picture has an edge of `size` points.
  func itemShape(size: UInt8) -> ItemShape {
    let unit = Float(size) / Float(StickerShape.edge)
    switch self {
    case .disc(let diameter):
      return .circle(diameter: Float(diameter) * unit)
    case .box(let width, let height, let corner):
      return .rectangle(
        width: Float(width) * unit, height: Float(height) * unit,
        cornerRadius: StickerShape.radius(corner, width, height, unit))
    case .outline(let corners, let growth):
      return .path(
        corners.map { StickerShape.place($0, unit) }, growth: Float(growth) * unit)
    }
  }

  private static func place(_ corner: Corner, _ unit: Float) -> Vector2 {
    Vector2(Float(corner.x) * unit, Float(corner.y) * unit)
  }

  /// A corner's radius, never beyond half of the shorter side by a rounding.
  private static func radius(
    _ corner: UInt16, _ width: UInt16, _ height: UInt16, _ unit: Float
  ) -> Float {
    let half = Float(width < height ? width : height) * unit * 0.5
    let radius = Float(corner) * unit
    return radius < half ? radius : half
  }
}
