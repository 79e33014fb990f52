/// Distances from the four edges of a rectangle, in points; positive moves an edge inwards.
public struct Insets: Equatable, Sendable, BitwiseCopyable {
  /// From the upper edge.
  public var top: Float
  /// From the left edge.
  public var left: Float
  /// From the lower edge.
  public var bottom: Float
  /// From the right edge.
  public var right: Float

  /// Each edge for itself.
  public init(top: Float, left: Float, bottom: Float, right: Float) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// No insets.
  public static let zero = Insets(top: 0, left: 0, bottom: 0, right: 0)

  func validate() throws(DynamicsError) {
    try top.require(.bounds)
    try left.require(.bounds)
    try bottom.require(.bounds)
    try right.require(.bounds)
  }

  func applied(to r: Rect2) -> Rect2 {
    Rect2(
      x: r.x + left, y: r.y + top, width: r.width - left - right, height: r.height - top - bottom)
  }
}
