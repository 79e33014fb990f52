/// Something that keeps bodies in and never moves. It takes the material of what touches it.
public enum Boundary: Equatable, Sendable {
  /// A thin line between two points, solid from both sides.
  case segment(Vector2, Vector2)
  /// Lines from point to point, and back to the first when `closed`. Solid from both sides,
  /// and smooth: bodies slide over the inner points without catching.
  case chain([Vector2], closed: Bool)
  /// Everything behind a line is solid: the points p with `normal`·p < `offset`. The normal points
  /// into the free side; its length does not matter.
  case halfPlane(normal: Vector2, offset: Float)
  /// The four half-planes that keep bodies inside a rectangle.
  case inside(Rectangle)

  /// The four half-planes that keep bodies inside a rectangle.
  public static func bounds(_ rectangle: Rectangle) -> Boundary { .inside(rectangle) }
}
