import Dynamics

/// Why a pit can't be made.
public enum PitError: Error, Equatable, Sendable {
  /// More bodies at the start than the body cap, or a negative number.
  case bodiesOutOfRange(Int, limit: Int)
  /// A body cap outside 1…16 384.
  case maxBodiesOutOfRange(Int)
  /// No set of stickers that a pit can have: see `StickerSet` and `StickerShape`.
  case badStickers
  /// The scene has a shape of its own, and not this one.
  case shapeOfAnotherScene(Scene, WorldShape)
  /// These bytes are no snapshot of this version, or are cut short or inconsistent.
  case malformedSnapshot
  /// The animator refused the world.
  case dynamics(DynamicsError)

  #if !hasFeature(Embedded)
    /// One line that says what to do.
    public var explanation: String {
      switch self {
      case .bodiesOutOfRange(let bodies, let limit):
        "\(bodies) bodies at the start are not possible: choose 0 to \(limit)"
      case .maxBodiesOutOfRange(let cap):
        "a limit of \(cap) bodies is not possible: choose 1 to \(PitConfiguration.bodyLimit)"
      case .badStickers:
        "these stickers are not possible: 1 to 16 kinds, each number in its range"
      case .shapeOfAnotherScene(let scene, let shape):
        "only the scene pit can be \(shape.name): \(scene.name) has a shape of its own"
      case .malformedSnapshot:
        "this is no snapshot of a pit"
      case .dynamics(let error):
        "the world can't be made: \(error)"
      }
    }
  #endif
}
