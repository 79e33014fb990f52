import Wire

/// What a page draws besides the stickers, at the moment of its last picture.
public struct PictureScenery: Equatable, Sendable {
  /// The boundaries that are there.
  public private(set) var boundaries: [SceneryBoundary] = []
  /// Who holds which sticker.
  public private(set) var holders: [SceneryHolder] = []
  /// The rods, from anchor to sticker.
  public private(set) var rods: [Rod] = []

  /// A rod in points of the world.
  @frozen
  public struct Rod: Equatable, Sendable, BitwiseCopyable {
    public var anchorX: Float
    public var anchorY: Float
    public var attachX: Float
    public var attachY: Float
  }

  /// Eighths of a point, as scenery counts.
  static let unit: Float = 8

  /// Takes what two frames say, at a share of the way from one to the other, with the stickers as
  /// they are shown between them. Rods whose sticker isn't shown are left out.
  mutating func update(
    from: Scenery, to: Scenery, share: Float, instances: [StickerInstance]
  ) {
    let nearest = share >= 1 ? to : from
    boundaries.removeAll(keepingCapacity: true)
    boundaries.append(contentsOf: nearest.boundaries)
    holders.removeAll(keepingCapacity: true)
    holders.append(contentsOf: nearest.holders)
    rods.removeAll(keepingCapacity: true)
    for index in nearest.rods.indices {
      let rod = nearest.rods[index]
      guard let item = instances.first(where: { $0.slot == Float(rod.slot) }) else { continue }
      // An anchor that follows a finger goes on between frames, as the sticker does.
      let isInBoth = index < to.rods.count && to.rods[index].slot == rod.slot
      rods.append(
        PictureScenery.line(of: rod, to: isInBoth ? to.rods[index] : rod, share: share, item))
    }
  }

  private static func line(
    of rod: SceneryRod, to next: SceneryRod, share: Float, _ item: StickerInstance
  ) -> Rod {
    let x = Float(rod.attachX) / unit
    let y = Float(rod.attachY) / unit
    return Rod(
      anchorX: (Float(rod.x) + (Float(next.x) - Float(rod.x)) * share) / unit,
      anchorY: (Float(rod.y) + (Float(next.y) - Float(rod.y)) * share) / unit,
      attachX: item.x + x * item.cosine - y * item.sine,
      attachY: item.y + x * item.sine + y * item.cosine)
  }
}
