/// An axis-parallel rectangle in points; the origin is its top left corner.
@frozen
public struct Rect2: Hashable, Sendable, BitwiseCopyable {
  /// Left edge.
  public var x: Float
  /// Top edge.
  public var y: Float
  /// Extent to the right, at least 0.
  public var width: Float
  /// Extent downwards, at least 0.
  public var height: Float

  /// A rectangle from its top left corner and its extents.
  @inlinable
  public init(x: Float, y: Float, width: Float, height: Float) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Left edge.
  @inlinable public var minX: Float { x }
  /// Right edge.
  @inlinable public var maxX: Float { x + width }
  /// Top edge.
  @inlinable public var minY: Float { y }
  /// Bottom edge.
  @inlinable public var maxY: Float { y + height }
  /// The centre.
  @inlinable public var center: Vector2 { Vector2(x + width * 0.5, y + height * 0.5) }

  /// Whether the point lies inside; left and top edges belong to it, right and bottom do not.
  @inlinable
  public func contains(_ p: Vector2) -> Bool {
    p.x >= minX && p.x < maxX && p.y >= minY && p.y < maxY
  }

  /// Whether the two rectangles share a point, edges included.
  @inlinable
  public func intersects(_ other: Rect2) -> Bool {
    minX <= other.maxX && maxX >= other.minX && minY <= other.maxY && maxY >= other.minY
  }

  /// The rectangle with every edge moved inwards by `d` points (outwards when negative).
  @inlinable
  public func inset(by d: Float) -> Rect2 {
    Rect2(x: x + d, y: y + d, width: width - 2 * d, height: height - 2 * d)
  }
}
