import Dynamics
import Physics

/// What a sticker is: its picture, and with it its form, and its size.
public struct Sticker: Equatable, Sendable {
  /// The picture, 0…15. Even kinds are circles, odd ones rounded boxes.
  public let kind: UInt8
  /// Diameter or edge in points.
  public let size: UInt8

  /// Pictures on the sheet.
  public static let kinds: UInt32 = 16
  /// Sizes from which chance chooses: the article's 40 pt, with some variety.
  static let sizes: ClosedRange<UInt32> = 34...52
  /// Mean area in pt² over all sizes and both forms: the mean of the squares is 1879, a circle has
  /// π/4 of that, a box lacks (4 − π)·r² in its corners.
  static let meanArea: Float = 1670

  /// A sticker of `kind` (its low 4 bits count) and a size of 8…255 pt.
  public init(kind: UInt8, size: UInt8) {
    self.kind = kind & 15
    self.size = size < 8 ? 8 : size
  }

  /// A sticker of `kind` in a size that chance chooses.
  init(kind: UInt8, from chance: inout RandomGenerator) {
    let variety = Sticker.sizes.upperBound - Sticker.sizes.lowerBound + 1
    self.init(
      kind: kind, size: UInt8(Sticker.sizes.lowerBound + chance.next(below: variety)))
  }

  /// A sticker that chance chooses.
  init(from chance: inout RandomGenerator) {
    let kind = UInt8(chance.next(below: Sticker.kinds))
    self.init(kind: kind, from: &chance)
  }

  /// Whether the sticker is a disc.
  public var isCircle: Bool { kind & 1 == 0 }

  /// Half of the diameter or edge in points.
  var halfSize: Float { Float(size) * 0.5 }

  /// The form: corners are rounded by a tenth of the edge, which is 4 pt at 40.
  var itemShape: ItemShape {
    let edge = Float(size)
    if isCircle { return .ellipse(width: edge, height: edge) }
    return .rectangle(width: edge, height: edge, cornerRadius: edge * 0.1)
  }

  /// The sticker as an item's tag.
  var tag: UInt32 { UInt32(kind) | UInt32(size) << 8 }

  /// The sticker that an item's tag names.
  init(tag: UInt32) {
    self.init(kind: UInt8(truncatingIfNeeded: tag), size: UInt8(truncatingIfNeeded: tag >> 8))
  }
}
