import Physics

/// What makes one pit differ from another. Equal configurations give equal pits.
public struct PitConfiguration: Equatable, Sendable {
  /// The scene.
  public let scene: Scene
  /// Stickers at the start.
  public let bodies: Int
  /// Most stickers at a time. A pit that is smaller takes fewer; see `Pit.bodyCap`.
  public let maxBodies: Int
  /// Seed of everything that is left to chance: places, sizes and angles.
  public let seed: UInt64
  /// What the pit's stickers are; nil for our own.
  public let stickers: StickerSet?

  /// As many stickers as slots are worth having: the physics' hard capacity.
  public static let bodyLimit = 16_384
  /// The default of `maxBodies`: as much as a phone draws and decodes without effort.
  public static let defaultMaxBodies = 4096

  /// A configuration. Throws `maxBodiesOutOfRange` unless `maxBodies` is 1…16 384, and
  /// `bodiesOutOfRange` unless `bodies` is 0…`maxBodies`, and at most what the scene has room for.
  /// Without a number it is the scene's own.
  public init(
    scene: Scene = .pit, bodies: Int? = nil, maxBodies: Int = PitConfiguration.defaultMaxBodies,
    seed: UInt64 = 1, stickers: StickerSet? = nil
  ) throws(PitError) {
    guard maxBodies >= 1, maxBodies <= PitConfiguration.bodyLimit else {
      throw .maxBodiesOutOfRange(maxBodies)
    }
    let bodies = bodies ?? (scene.defaultBodies < maxBodies ? scene.defaultBodies : maxBodies)
    let room = scene.mostBodies ?? maxBodies
    let most = room < maxBodies ? room : maxBodies
    guard bodies >= 0, bodies <= most else {
      throw .bodiesOutOfRange(bodies, limit: most)
    }
    self.scene = scene
    self.bodies = bodies
    self.maxBodies = maxBodies
    self.seed = seed
    self.stickers = stickers
  }

  /// Size of the world in points: the scene's, or for the pit 720×960, or at the same shape as much
  /// more as `bodies` need to fill 60 %, in whole multiples of 3×4 pt.
  var worldSize: Vector2 {
    if let size = scene.worldSize { return size }
    let area = Float(bodies) * meanArea / PitConfiguration.roomyFill
    let unit = (area / 12).squareRoot()
    let wholeUnits = Float(Int32(unit) + 1)
    let units = wholeUnits > 240 ? wholeUnits : 240
    return Vector2(units * 3, units * 4)
  }

  /// Most bodies that the world takes: `maxBodies`, or fewer if they would fill it beyond 80 %,
  /// where nothing moves any more. Where only the scene makes bodies, as many as it makes.
  public var bodyCap: Int {
    if scene == .rain { return maxBodies < RainScene.bodyCap ? maxBodies : RainScene.bodyCap }
    if scene.mostBodies != nil { return bodies > 0 ? bodies : 1 }
    let size = worldSize
    let room = Int(size.x * size.y * PitConfiguration.crowdedFill / meanArea)
    return maxBodies < room ? maxBodies : room
  }

  /// Mean area of a sticker in pt².
  private var meanArea: Float { stickers?.meanArea ?? Sticker.meanArea }

  private static let roomyFill: Float = 0.6
  private static let crowdedFill: Float = 0.8
}
