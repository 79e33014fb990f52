import Dynamics
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

/// What shape a pit is. Whoever shows it shows all of it: a phone a wide one between two bars.
public enum WorldShape: UInt8, CaseIterable, Sendable {
  /// 3:4, for phones.
  case upright = 0
  /// 16:9, for a projector.
  case wide = 1
  /// 1:1.
  case square = 2

  /// Width and height in the smallest whole numbers: pits are whole multiples of so many points.
  var sides: (width: Int, height: Int) {
    switch self {
    case .upright: (3, 4)
    case .wide: (16, 9)
    case .square: (1, 1)
    }
  }

  /// The shape of a world of that many points; nil for one that no pit has.
  public init?(width: Int, height: Int) {
    guard width > 0, height > 0,
      let shape = WorldShape.allCases.first(where: {
        width * $0.sides.height == height * $0.sides.width
      })
    else { return nil }
    self = shape
  }

  #if !hasFeature(Embedded)
    /// The name, as on the command line.
    public var name: String { "\(sides.width):\(sides.height)" }

    /// The shape of the given name, as on the command line.
    public init?(name: String) {
      guard let shape = WorldShape.allCases.first(where: { $0.name == name }) else { return nil }
      self = shape
    }

    /// All names, for a message that lists the choice.
    public static var names: String { allCases.map { $0.name }.joined(separator: ", ") }
  #endif
}

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
