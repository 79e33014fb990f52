/// Every adaptive probability of a stream, in one block of memory that starts from the trained
/// tables and goes back to them at every restart.
struct CodecModels {
  private let base: UnsafeMutablePointer<Probability>
  /// The trained start, expanded once.
  private let trained: UnsafeMutablePointer<Probability>

  // Where each group of probabilities begins, and how many there are. The order is the trained
  // table's order.
  private static let movedCount = 16 * 5 * 5 * 8
  private static let magnitudeStart = movedCount
  private static let magnitudeNodes = 8
  private static let magnitudeContexts = 40 + 2 * 140
  private static let signStart = magnitudeStart + magnitudeContexts * magnitudeNodes
  private static let signCount = 3 * 4 * 8
  private static let mantissaStart = signStart + signCount
  private static let mantissaCount = 3 * 2 * 12
  private static let tailStart = mantissaStart + mantissaCount
  private static let tailCount = 3 * 24
  private static let numberStart = tailStart + tailCount
  private static let numberNodes = 26
  private static let flagStart = numberStart + NumberModel.count * numberNodes
  static let count = flagStart + FlagModel.count

  init() {
    base = .allocate(capacity: CodecModels.count)
    trained = .allocate(capacity: CodecModels.count)
    assert(TrainedTables.data.utf8CodeUnitCount == CodecModels.count, "a table of these models")
    for index in 0..<CodecModels.count {
      (trained + index).initialize(to: Probability(TrainedTables.probability(at: index)))
    }
    base.initialize(from: trained, count: CodecModels.count)
  }

  func deallocate() {
    base.deallocate()
    trained.deallocate()
  }

  /// Forgets what the stream taught.
  func restart() {
    base.update(from: trained, count: CodecModels.count)
  }

  /// Where a probability stands in the trained table's order. For training.
  func index(of model: UnsafeMutablePointer<Probability>) -> Int {
    assert(model >= base && model < base + CodecModels.count, "a probability of another stream")
    return model - base
  }
}

extension CodecModels {
  /// Whether a body is where the blend expects it, by its noise, its neighbours, the frames since
  /// it last was not, and how near the blend is to the edge of its step.
  @inline(__always)
  func moved(noise: Int, neighbours: Int, calm: Int, edge: Int) -> UnsafeMutablePointer<Probability>
  {
    assert(noise >= 0 && noise < 16 && neighbours >= 0 && neighbours < 5)
    assert(calm >= 0 && calm < 5 && edge >= 0 && edge < 8)
    return base + (((noise &* 5 &+ neighbours) &* 5 &+ calm) &* 8 &+ edge)
  }

  /// The probabilities of one residual: is it zero, then one for each doubling.
  @inline(__always)
  func magnitude(axis: Int, context: Int) -> UnsafeMutablePointer<Probability> {
    assert(context >= 0 && context < (axis == 0 ? 40 : 140) && axis < 3)
    let first = axis == 0 ? 0 : axis == 1 ? 40 : 180
    return base + (CodecModels.magnitudeStart &+ (first &+ context) &* CodecModels.magnitudeNodes)
  }

  /// Doublings that `magnitude` holds; more of them go to `tail`.
  static let doublings = magnitudeNodes - 1

  /// The chance of another doubling of a large residual.
  @inline(__always)
  func tail(axis: Int, doubling: Int) -> UnsafeMutablePointer<Probability> {
    assert(axis >= 0 && axis < 3 && doubling >= 0)
    return base + (CodecModels.tailStart &+ axis &* 24 &+ (doubling > 23 ? 23 : doubling))
  }

  /// Whether a residual is negative, by its expected size and where in the step the blend is.
  @inline(__always)
  func sign(axis: Int, size: Int, fraction: Int) -> UnsafeMutablePointer<Probability> {
    assert(axis >= 0 && axis < 3 && size >= 0 && size < 4 && fraction >= 0 && fraction < 8)
    return base + (CodecModels.signStart &+ (axis &* 4 &+ size) &* 8 &+ fraction)
  }

  /// The first or second bit below the highest one of a residual with `doublings` bits below it.
  @inline(__always)
  func mantissa(axis: Int, bit: Int, doublings: Int) -> UnsafeMutablePointer<Probability> {
    assert(axis >= 0 && axis < 3 && (bit == 0 || bit == 1) && doublings >= 0)
    let last = doublings > 11 ? 11 : doublings
    return base + (CodecModels.mantissaStart &+ (axis &* 2 &+ bit) &* 12 &+ last)
  }

  @inline(__always)
  func flag(_ flag: FlagModel) -> UnsafeMutablePointer<Probability> {
    base + (CodecModels.flagStart &+ flag.rawValue)
  }

  /// Codes a number 0…2²⁴ − 2: doublings of it plus 1 as adaptive ones and a zero, then the bits
  /// below the highest, of which the first is adaptive.
  func code<Coder: BinaryCoder>(
    _ value: Int, as model: NumberModel, variant: Int = 0, with coder: inout Coder
  ) -> Int {
    assert(variant >= 0 && model.rawValue + variant < NumberModel.count)
    assert(Coder.isDecoder || value >= 0)
    let first = (model.rawValue &+ variant) &* CodecModels.numberNodes
    let nodes = base + (CodecModels.numberStart &+ first)
    let source = value &+ 1
    let wanted = Coder.isDecoder ? 0 : Int.bitWidth &- 1 &- source.leadingZeroBitCount
    assert(wanted <= CodecModels.numberBits, "what is written can be read")
    var doublings = 0
    while doublings < CodecModels.numberBits {
      let node = nodes + (doublings < 15 ? doublings : 15)
      if coder.code(doublings < wanted ? 1 : 0, with: node) == 0 { break }
      doublings &+= 1
    }
    guard doublings > 0 else { return 0 }
    let rest = doublings &- 1
    let node = nodes + (doublings < 10 ? 15 &+ doublings : 25)
    let result = 2 | coder.code((source &>> rest) & 1, with: node)
    return (result &<< rest | coder.codeBits(source, count: rest)) &- 1
  }

  /// Codes a number of `bits` bits, the highest first, each in the context of those before it.
  func codeTree<Coder: BinaryCoder>(
    _ value: Int, bits: Int, as tree: FlagModel, with coder: inout Coder
  ) -> Int {
    assert(bits > 0 && bits <= 8)
    assert(Coder.isDecoder || (value >= 0 && value < 1 &<< bits), "what is written can be read")
    var node = 1
    var left = bits
    while left > 0 {
      left &-= 1
      node = node &* 2 &+ coder.code((value &>> left) & 1, with: flag(tree) + node)
    }
    return node &- 1 &<< bits
  }

  /// Codes a number within ±2²² as 2·|n|, less one if it is above 0.
  func codeSigned<Coder: BinaryCoder>(
    _ value: Int, as model: NumberModel, variant: Int = 0, with coder: inout Coder
  ) -> Int {
    let folded = value > 0 ? 2 &* value &- 1 : -2 &* value
    let coded = code(folded, as: model, variant: variant, with: &coder)
    return coded & 1 != 0 ? (coded &+ 1) / 2 : -(coded / 2)
  }

  /// Doublings of a number at most, whatever the bytes say.
  private static let numberBits = 23
}

/// Numbers that are coded with doublings of their own.
enum NumberModel: Int {
  case gravity = 0
  case removedCount, removedSlot
  case addedCount, addedSlot, generation
  /// Velocities after a keyframe or a catch-up frame: 2 kinds of axis × 2 sources × 4 sizes.
  case velocity

  static let count = 6 + 16
}

/// Yes or no. A 1 is what leaves things as they are: a frame of nothing but ones has no bytes.
enum FlagModel: Int {
  case gravityStays = 0
  case bodiesStay, beyondWorld, otherSize
  /// Scenery as a whole, then its three lists.
  case sceneryStays, boundariesStay, holdersStay, rodsStay
  /// The tree that codes a kind: node n of 1…31 is the n-th from here.
  case kind
  /// The tree that codes a size, likewise: node n of 1…255.
  case size = 40
  /// A body of a keyframe is where no other should be so near.
  case crowded = 296
  /// The tree that codes a block of the world: node n of 1…63.
  case block = 297

  static let count = 8 + 32 + 256 + 1 + 64
}
