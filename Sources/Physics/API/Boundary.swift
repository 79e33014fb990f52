/// Something that keeps bodies in and never moves. It takes the material of what touches it, unless
/// its `BoundaryProperties` say otherwise.
///
/// Points lie within `PhysicsLimit.place` either way.
public enum Boundary: Equatable, Sendable {
  /// A thin line between two points at least 0.01 pt apart, solid from both sides.
  case segment(Vector2, Vector2)
  /// Lines from point to point, and back to the first when `closed`. Solid from both sides,
  /// and smooth: bodies slide over the inner points without catching. At least two points, three
  /// when closed, each at least 0.01 pt from the next.
  case chain([Vector2], closed: Bool)
  /// Everything behind a line is solid: the points p with `normal`·p < `offset`. The normal points
  /// into the free side; its length, 0.001 to 10⁶, scales the offset with it: (0, −2) and −400 is
  /// the floor y = 200 as (0, −1) and −200 is.
  case halfPlane(normal: Vector2, offset: Float)
  /// The four half-planes that keep bodies inside a rectangle with an area.
  case inside(Rectangle)

  /// Another word for `inside`.
  public static func bounds(_ rectangle: Rectangle) -> Boundary { .inside(rectangle) }
}
