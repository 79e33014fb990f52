// What a page draws: the stickers, and the scenery around them.

import Wire

/// A sticker as the page draws it: ten floats, in the order in which the GPU reads them.
@frozen
public struct StickerInstance: Equatable, Sendable, BitwiseCopyable {
  /// Centre in points.
  public var x: Float
  public var y: Float
  /// The rotation, clockwise on screen.
  public var cosine: Float
  public var sine: Float
  /// Size in points.
  public var width: Float
  public var height: Float
  /// 0…31: up to 15 a picture, even ones circles, odd ones rounded boxes; 16 the card, 17 the
  /// square.
  public var kind: Float
  /// Seconds since it appeared; large for what was there before the client.
  public var age: Float
  /// The body's slot.
  public var slot: Float
  /// The number of the person who holds it, or −1.
  public var holder: Float

  /// Floats of an instance.
  public static let floats = 10
}

extension StickerInstance {
  /// The kind that is 254 pt wide and 172 high at size 254.
  private static let card: Float = 16

  /// The height of a kind of which `size` is the width.
  static func height(ofKind kind: UInt8, size: Float) -> Float {
    Float(kind) == card ? size * (172.0 / 254.0) : size
  }

  /// Whether it is round, in a world without a sticker set.
  public var isDisc: Bool { Sticker.corner(ofKind: UInt8(kind)) == 1 }

  /// Whether a point, in points of the world, is on the sticker.
  public func contains(x pointX: Float, y pointY: Float) -> Bool {
    let dx = pointX - x
    let dy = pointY - y
    // In the sticker's own axes, and all corners folded into one.
    let across = StickerInstance.size(dx * cosine + dy * sine)
    let down = StickerInstance.size(dy * cosine - dx * sine)
    let beyondX = across - (width / 2 - corner)
    let beyondY = down - (height / 2 - corner)
    guard beyondX > 0, beyondY > 0 else { return beyondX <= corner && beyondY <= corner }
    return beyondX * beyondX + beyondY * beyondY <= corner * corner
  }

  /// The radius of the corners; half of the size makes a circle.
  private var corner: Float {
    Sticker.corner(ofKind: UInt8(kind)) * (width < height ? width : height) / 2
  }

  private static func size(_ value: Float) -> Float { value < 0 ? -value : value }
}

/// What a page draws besides the stickers, at the moment of its last picture.
public struct PictureScenery: Equatable, Sendable {
  /// The boundaries that are there.
  public private(set) var boundaries: [SceneryBoundary] = []
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
