import Determinism

/// A set in a snapshot: one number a word, because whoever packs the words sees equal ones.
extension StickerSet {
  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(UInt32(kinds.count))
    for kind in kinds {
      sink.put(UInt32(kind.sizePercent))
      sink.put(UInt32(kind.density))
      sink.put(UInt32(kind.friction))
      sink.put(UInt32(kind.elasticity))
      kind.shape.write(&sink)
    }
  }

  /// What `write` described. Throws `malformedSnapshot` for what is no set.
  init(from reader: inout PitReader) throws(PitError) {
    var kinds: [StickerKind] = []
    for _ in 0..<(try reader.word(upTo: UInt32(StickerSet.mostKinds))) {
      let size = try reader.half()
      let density = try reader.half()
      let friction = try reader.half()
      let elasticity = try reader.half()
      kinds.append(
        StickerKind(
          try StickerShape(from: &reader), sizePercent: size, density: density,
          friction: friction, elasticity: elasticity))
    }
    do throws(PitError) { try self.init(kinds) } catch { throw .malformedSnapshot }
  }
}

extension StickerShape {
  private static let discWord: UInt32 = 0
  private static let boxWord: UInt32 = 1
  /// And the number of corners besides.
  private static let outlineWord: UInt32 = 2

  fileprivate func write<Sink: WordSink>(_ sink: inout Sink) {
    switch self {
    case .disc(let diameter):
      sink.put(StickerShape.discWord)
      sink.put(UInt32(diameter))
    case .box(let width, let height, let corner):
      sink.put(StickerShape.boxWord)
      sink.put(UInt32(width))
      sink.put(UInt32(height))
      sink.put(UInt32(corner))
    case .outline(let corners, let growth):
      sink.put(StickerShape.outlineWord + UInt32(corners.count))
      sink.put(UInt32(growth))
      for corner in corners {
        let (x, y) = (UInt16(bitPattern: corner.x), UInt16(bitPattern: corner.y))
        sink.put(UInt32(x) << 16 | UInt32(y))
      }
    }
  }

  fileprivate init(from reader: inout PitReader) throws(PitError) {
    let most = StickerShape.outlineWord + UInt32(StickerShape.cornerCounts.upperBound)
    let word = try reader.word(upTo: most)
    if word == StickerShape.discWord {
      self = .disc(diameter: try reader.half())
      return
    }
    if word == StickerShape.boxWord {
      let width = try reader.half()
      let height = try reader.half()
      self = .box(width: width, height: height, corner: try reader.half())
      return
    }
    let growth = try reader.half()
    var corners: [Corner] = []
    for _ in 0..<(word - StickerShape.outlineWord) {
      let both = try reader.word()
      corners.append(
        Corner(
          x: Int16(bitPattern: UInt16(both >> 16)),
          y: Int16(bitPattern: UInt16(truncatingIfNeeded: both))))
    }
    self = .outline(corners, growth: growth)
  }
}

extension PitReader {
  /// A number of 16 bits.
  fileprivate mutating func half() throws(PitError) -> UInt16 {
    UInt16(try word(upTo: UInt32(UInt16.max)))
  }
}
