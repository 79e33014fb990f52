import Dynamics
import Physics

/// What the stickers of a pit are, in place of the sixteen of our own: forms, sizes and materials
/// by kind. Their pictures and sounds are the page's business.
///
/// A set is part of its pit: snapshots hold it and the hash covers it, so whoever follows the log
/// has the same bodies. Everything in it is a whole number, and so the same everywhere. Scenes
/// other than the pit have stickers of their own, and keep the set for the host's way back.
public struct StickerSet: Equatable, Sendable {
  /// The kinds by their numbers, from 0 on.
  public let kinds: [StickerKind]

  /// Kinds at most: a drop names its kind in four bits.
  public static let mostKinds = Int(Sticker.pictures)

  /// A set of 1 to 16 kinds. Throws `badStickers` for another number and for a kind that is not
  /// valid.
  public init(_ kinds: [StickerKind]) throws(PitError) {
    guard kinds.count >= 1, kinds.count <= StickerSet.mostKinds else { throw .badStickers }
    for kind in kinds where !kind.isValid { throw .badStickers }
    self.kinds = kinds
  }

  /// The kind of a number; nil where there is none.
  subscript(number: UInt8) -> StickerKind? {
    Int(number) < kinds.count ? kinds[Int(number)] : nil
  }

  /// Mean share of the square of our own stickers' edge that a sticker covers.
  var areaShare: Float {
    var shares: Float = 0
    for kind in kinds {
      let factor = Float(kind.sizePercent) / 100
      shares += kind.shape.area * factor * factor
    }
    return shares / Float(kinds.count)
  }

  /// The edge in points of the largest sticker that chance makes.
  func largestSize(in sizes: StickerSizes) -> Float {
    var largest: UInt8 = 0
    for kind in kinds {
      let size = kind.scaled(sizes.range.upperBound)
      if size > largest { largest = size }
    }
    return Float(largest)
  }
}

/// One kind of sticker in a set.
public struct StickerKind: Equatable, Sendable {
  public let shape: StickerShape
  /// Size in percent of our own stickers', 50…200.
  public let sizePercent: UInt16
  /// Mass a 10 000 pt² in hundredths, 25…400.
  public let density: UInt16
  /// Coulomb friction in hundredths, 0…200; two that touch have √(a·b).
  public let friction: UInt16
  /// Bounciness in hundredths, 0…90; two that touch have the larger.
  public let elasticity: UInt16

  /// Half to twice our own: smaller is hard to touch, and larger hides the others.
  public static let sizes: ClosedRange<UInt16> = 50...200
  /// Density and size each make a sticker up to 16 times as heavy as another, so both 256 times;
  /// forms and chance add to that.
  public static let densities: ClosedRange<UInt16> = 25...400
  /// Beyond 2 nothing slides on anything.
  public static let frictions: ClosedRange<UInt16> = 0...200
  /// Below 1, at which a pit would never come to rest.
  public static let elasticities: ClosedRange<UInt16> = 0...90

  /// A kind; without numbers of our own stickers' size and material.
  public init(
    _ shape: StickerShape, sizePercent: UInt16 = 100, density: UInt16 = 100, friction: UInt16 = 20,
    elasticity: UInt16 = 60
  ) {
    self.shape = shape
    self.sizePercent = sizePercent
    self.density = density
    self.friction = friction
    self.elasticity = elasticity
  }

  /// Whether everything is in its range.
  var isValid: Bool {
    shape.flaw == nil && StickerKind.sizes.contains(sizePercent)
      && StickerKind.densities.contains(density) && StickerKind.frictions.contains(friction)
      && StickerKind.elasticities.contains(elasticity)
  }

  /// A size of our own in points as this kind has it.
  func scaled(_ size: UInt32) -> UInt8 {
    let scaled = (size * UInt32(sizePercent) + 50) / 100
    return scaled > 255 ? 255 : UInt8(scaled)
  }

  /// What the animator is told of its items.
  var material: ItemBehavior {
    ItemBehavior(
      elasticity: Float(elasticity) / 100, friction: Float(friction) / 100,
      density: Float(density) / 100, angularResistance: PitScene.angularResistance)
  }
}

extension Playground {
  /// A sticker of a kind that there is, in a size that chance chooses.
  mutating func sticker(ofKind kind: UInt8, _ sizes: StickerSizes) -> Sticker {
    let ours = Sticker(kind: kind, sizes, from: &chance)
    guard let known = stickers?[kind] else { return ours }
    return Sticker(kind: kind, size: known.scaled(UInt32(ours.size)))
  }

  /// A sticker that chance chooses.
  mutating func anySticker(_ sizes: StickerSizes) -> Sticker {
    guard let stickers else { return Sticker(sizes, from: &chance) }
    return sticker(ofKind: UInt8(chance.next(below: UInt32(stickers.kinds.count))), sizes)
  }

  /// Whether stickers of the kind may be dropped here.
  func hasKind(_ kind: UInt8) -> Bool {
    guard let stickers else { return UInt32(kind) < Sticker.pictures }
    return stickers[kind] != nil
  }

  /// The form of a sticker that there is.
  func itemShape(of sticker: Sticker) -> ItemShape {
    stickers?[sticker.kind]?.shape.itemShape(size: sticker.size) ?? sticker.itemShape
  }

  /// The form of a sticker with this tag; nil where there can be none.
  static func itemShape(ofTag tag: UInt32, _ stickers: StickerSet?) -> ItemShape? {
    let sticker = Sticker(tag: tag)
    guard sticker.tag == tag else { return nil }
    guard let stickers else { return sticker.itemShape }
    return stickers[sticker.kind]?.shape.itemShape(size: sticker.size)
  }
}
