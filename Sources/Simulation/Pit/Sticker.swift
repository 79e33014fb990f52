import Dynamics
import Physics

/// What a sticker is: its picture, and with it its form, and its size.
public struct Sticker: Equatable, Sendable {
  /// The picture, 0…31. Even kinds are circles, odd ones rounded boxes, but for the card (16) and
  /// the square (17), which are sharp boxes.
  public let kind: UInt8
  /// Diameter or edge in points; a card's width.
  public let size: UInt8

  /// Kinds that anybody may drop.
  public static let pictures: UInt32 = 16
  /// The card that is tossed: 254×172 pt.
  public static let card = Sticker(kind: 16, size: 254)
  /// The square of the gallery and of the rods: 100×100 pt.
  public static let square = Sticker(kind: 17, size: 100)
  /// Snow and cake, which only fall as rain.
  public static let snow: UInt8 = 18
  public static let cake: UInt8 = 19
  /// Kinds from 0 on that have a picture.
  static let kinds: UInt8 = 20

  /// Whether stickers of the kind can fall as rain.
  public static func falls(kind: UInt8) -> Bool {
    kind < kinds && kind != card.kind && kind != square.kind
  }

  /// A sticker of `kind` (its low 5 bits count) and a size of 8…255 pt.
  public init(kind: UInt8, size: UInt8) {
    self.kind = kind & 31
    self.size = size < 8 ? 8 : size
  }

  /// A sticker of `kind` in one of the sizes, which chance chooses.
  init(kind: UInt8, _ sizes: StickerSizes, from chance: inout RandomGenerator) {
    self.init(kind: kind, size: sizes.next(&chance))
  }

  /// A sticker that chance chooses.
  init(_ sizes: StickerSizes, from chance: inout RandomGenerator) {
    let kind = UInt8(chance.next(below: Sticker.pictures))
    self.init(kind: kind, sizes, from: &chance)
  }

  /// Whether the sticker is a disc.
  public var isCircle: Bool { kind & 1 == 0 && kind != Sticker.card.kind }
  /// Width and height in points.
  public var extent: Vector2 {
    let edge = Float(size)
    return Vector2(edge, kind == Sticker.card.kind ? edge * 172 / 254 : edge)
  }

  /// Half of the diameter or edge in points.
  var halfSize: Float { Float(size) * 0.5 }

  /// The form: corners are rounded by a tenth of the edge, which is 4 pt at 40. Cards and squares
  /// have sharp ones: their masses are 4.3688 and 1.
  var itemShape: ItemShape {
    let edge = extent
    if isCircle { return .ellipse(width: edge.x, height: edge.y) }
    return .rectangle(
      width: edge.x, height: edge.y, cornerRadius: isSharp ? 0 : edge.x * 0.1)
  }

  /// Whether an outline is its form, taken apart by hand: a thousand are asked for a restore.
  func has(_ outline: ItemShape) -> Bool {
    let edge = extent
    switch outline {
    case .ellipse(let width, let height):
      return isCircle && width == edge.x && height == edge.y
    case .rectangle(let width, let height, let cornerRadius):
      return !isCircle && width == edge.x && height == edge.y
        && cornerRadius == (isSharp ? 0 : edge.x * 0.1)
    case .path: return false
    }
  }

  private var isSharp: Bool { kind == Sticker.card.kind || kind == Sticker.square.kind }

  /// The sticker as an item's tag.
  var tag: UInt32 { UInt32(kind) | UInt32(size) << 8 }

  /// The sticker that an item's tag names.
  init(tag: UInt32) {
    self.init(kind: UInt8(truncatingIfNeeded: tag), size: UInt8(truncatingIfNeeded: tag >> 8))
  }
}
