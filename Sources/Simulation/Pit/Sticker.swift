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
  public var isCircle: Bool { Sticker.isCircle(kind) }

  private static func isCircle(_ kind: UInt8) -> Bool { kind & 1 == 0 && kind != card.kind }

  /// How round a kind of our own is to see, as the radius of its corners in halves of its shorter
  /// side: 1 is a disc. The card and the square, whose forms are sharp, look a little rounded.
  /// - Parameter kind: its low 5 bits count.
  public static func corner(ofKind kind: UInt8) -> Float {
    let kind = kind & 31
    if isCircle(kind) { return 1 }
    if kind == card.kind { return 24.0 / 172.0 }
    return kind == square.kind ? 0.09 : 2 * boxCorner
  }

  /// The radius of a box's corners as a share of its edge.
  private static let boxCorner: Float = 0.1

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
      width: edge.x, height: edge.y, cornerRadius: isSharp ? 0 : edge.x * Sticker.boxCorner)
  }

  private var isSharp: Bool { kind == Sticker.card.kind || kind == Sticker.square.kind }

  /// The sticker as an item's tag.
  var tag: UInt32 { UInt32(kind) | UInt32(size) << 8 }

  /// The sticker that an item's tag names.
  init(tag: UInt32) {
    self.init(kind: UInt8(truncatingIfNeeded: tag), size: UInt8(truncatingIfNeeded: tag >> 8))
  }
}

/// Sizes from which chance chooses a pit's stickers: large ones, which fingers hit and eyes find,
/// while they leave room to move; a pit for many has small ones, and grows.
///
/// On a phone 2 pt are about one pixel of CSS: 48…76 pt are 24…38 px.
struct StickerSizes: Equatable, Sendable {
  /// The smallest and the largest in points.
  let range: ClosedRange<UInt32>

  /// Sizes of a pit for few.
  static let large = StickerSizes(48...76)
  /// Sizes of a pit for many, about the article's 40 pt.
  static let small = StickerSizes(34...52)

  private init(_ range: ClosedRange<UInt32>) { self.range = range }

  /// The largest with which `bodies` stickers fill at most `area` pt²: up to 119 have large ones in
  /// 60 % of 720×960 pt, 249 and more small ones, and between them both ends shrink evenly.
  /// - Parameter share: of its edge's square that a sticker covers on average.
  init(bodies: Int, area: Float, share: Float) {
    let (large, small) = (StickerSizes.large.range, StickerSizes.small.range)
    let steps = large.upperBound - small.upperBound
    for step in 0..<steps {
      let shrunk = (large.lowerBound - small.lowerBound) * step / steps
      let sizes = StickerSizes((large.lowerBound - shrunk)...(large.upperBound - step))
      if Float(bodies) * sizes.meanArea(share: share) <= area {
        self = sizes
        return
      }
    }
    self = .small
  }

  /// The sizes between these two, which a snapshot names; nil unless a pit can have them.
  init?(smallest: UInt32, largest: UInt32) {
    let (large, small) = (StickerSizes.large.range, StickerSizes.small.range)
    guard smallest >= small.lowerBound, smallest <= large.lowerBound,
      largest >= small.upperBound, largest <= large.upperBound
    else { return nil }
    range = smallest...largest
  }

  /// Our own stickers' share of their edge's square: a circle has π/4 of it, a box lacks (4 − π)·r²
  /// in its corners, whose radius is a tenth of the edge.
  static let ourAreaShare: Float = 0.888_407

  /// Mean area in pt² over all sizes, of stickers that cover such a share of their edge's square.
  func meanArea(share: Float) -> Float {
    var squares: UInt32 = 0
    for size in range { squares += size * size }
    return Float(squares) / Float(range.count) * share
  }

  /// A size that chance chooses.
  func next(_ chance: inout RandomGenerator) -> UInt8 {
    UInt8(range.lowerBound + chance.next(below: UInt32(range.count)))
  }
}
