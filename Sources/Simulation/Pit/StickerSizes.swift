import Physics

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
