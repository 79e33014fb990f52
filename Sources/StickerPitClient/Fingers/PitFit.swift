/// How a world is shown in a view: as large as it fits, in the middle, as it is.
public struct PitFit: Equatable, Sendable {
  /// Points of the view for a point of the world, above 0.
  public let scale: Float
  /// Where the world's top left corner is in the view, in points of the view.
  public let origin: PitVector

  /// The fit of a world in a view. Without a world, or in a view without room, nothing is scaled.
  /// - Parameters:
  ///   - width: the view's width in points.
  ///   - height: the view's height in points.
  public init(_ world: PitWorld?, width: Float, height: Float) {
    guard let world, world.width > 0, world.height > 0, width > 0, height > 0 else {
      scale = 1
      origin = PitVector(0, 0)
      return
    }
    scale = min(width / world.width, height / world.height)
    origin = PitVector(
      (width - world.width * scale) / 2, (height - world.height * scale) / 2)
    assert(scale > 0)
  }

  /// The world's point under a point of the view.
  public func world(_ point: PitVector) -> PitVector {
    PitVector((point.x - origin.x) / scale, (point.y - origin.y) / scale)
  }

  /// The view's point of a point of the world.
  public func view(_ point: PitVector) -> PitVector {
    PitVector(point.x * scale + origin.x, point.y * scale + origin.y)
  }
}
