import Physics
import Wire

/// What makes one pit differ from another. Equal configurations give equal pits.
public struct PitConfiguration: Equatable, Sendable {
  /// The scene.
  public let scene: Scene
  /// Stickers at the start.
  public let bodies: Int
  /// Most stickers at a time. A pit that is smaller takes fewer; see `Pit.bodyCap`.
  public let maxBodies: Int
  /// The shape of a pit; the other scenes have their own.
  public let shape: WorldShape
  /// Seed of everything that is left to chance: places, sizes and angles.
  public let seed: UInt64
  /// What the pit's stickers are; nil for our own.
  public let stickers: StickerSet?

  /// As many stickers as slots are worth having: the physics' hard capacity.
  public static let bodyLimit = 16_384
  /// The default of `maxBodies`: as much as a phone draws and decodes without effort.
  public static let defaultMaxBodies = 4096

  /// A configuration. Throws `maxBodiesOutOfRange` unless `maxBodies` is 1…16 384, and
  /// `bodiesOutOfRange` unless `bodies` is 0…`maxBodies`, and at most what the scene has room for,
  /// or `shapeOfAnotherScene` for a scene that has another shape than is wanted. Without a number
  /// of bodies it is the scene's own.
  public init(
    scene: Scene = .pit, bodies: Int? = nil, maxBodies: Int = PitConfiguration.defaultMaxBodies,
    shape: WorldShape = .upright, seed: UInt64 = 1, stickers: StickerSet? = nil
  ) throws(PitError) {
    guard shape == .upright || scene == .pit else { throw .shapeOfAnotherScene(scene, shape) }
    guard maxBodies >= 1, maxBodies <= PitConfiguration.bodyLimit else {
      throw .maxBodiesOutOfRange(maxBodies)
    }
    let bodies = bodies ?? (scene.defaultBodies < maxBodies ? scene.defaultBodies : maxBodies)
    let room = scene.mostBodies ?? PitConfiguration.mostBodies(in: shape, stickers)
    let most = room < maxBodies ? room : maxBodies
    guard bodies >= 0, bodies <= most else {
      throw .bodiesOutOfRange(bodies, limit: most)
    }
    self.scene = scene
    self.bodies = bodies
    self.maxBodies = maxBodies
    self.shape = shape
    self.seed = seed
    self.stickers = stickers
  }

  /// Sizes of the pit's stickers: large ones while its first stickers fill 60 % of 720×960 pt at
  /// most, smaller ones then.
  var stickerSizes: StickerSizes {
    StickerSizes(
      bodies: bodies, area: PitConfiguration.smallestArea * PitConfiguration.roomyFill,
      share: areaShare)
  }

  /// Size of the world in points: the scene's, or for the pit 720×960, 1120×630 or 832×832, or at
  /// the same shape as much more as `bodies` of the smallest sizes need to fill 60 %, in whole
  /// multiples of the shape's sides.
  var worldSize: Vector2 {
    if let size = scene.worldSize { return size }
    let (width, height) = shape.sides
    let area = Float(bodies) * meanArea / PitConfiguration.roomyFill
    let wholeUnits = Int32((area / Float(width * height)).squareRoot()) + 1
    let fewest = PitConfiguration.fewestUnits(of: shape)
    let units = wholeUnits > fewest ? wholeUnits : fewest
    return Vector2(Float(units * Int32(width)), Float(units * Int32(height)))
  }

  /// Multiples of a shape's sides that have as much room as 720×960.
  private static func fewestUnits(of shape: WorldShape) -> Int32 {
    let exact = (smallestArea / Float(shape.sides.width * shape.sides.height)).squareRoot()
    let whole = Int32(exact)
    return Float(whole) == exact ? whole : whole + 1
  }

  /// Most bodies at the start: a larger world would have points that no command can name.
  private static func mostBodies(in shape: WorldShape, _ stickers: StickerSet?) -> Int {
    let (width, height) = shape.sides
    let units = Int(PointScale.longestSide) / (width > height ? width : height)
    let area = Float(units * units * width * height)
    let share = stickers?.areaShare ?? StickerSizes.ourAreaShare
    let most = Int(area * roomyFill / StickerSizes.small.meanArea(share: share))
    return most < bodyLimit ? most : bodyLimit
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
  private var meanArea: Float { stickerSizes.meanArea(share: areaShare) }
  /// Mean share of its edge's square that a sticker covers.
  private var areaShare: Float { stickers?.areaShare ?? StickerSizes.ourAreaShare }

  /// Points² of the smallest pit: 720×960.
  private static let smallestArea: Float = 691_200
  private static let roomyFill: Float = 0.6
  private static let crowdedFill: Float = 0.8
}
