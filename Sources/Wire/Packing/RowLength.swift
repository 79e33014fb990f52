/// How far apart alike bytes of a snapshot stand: it is columns of numbers, and rows of a few
/// words. The writer chooses, the reader is told.
enum RowLength {
  /// The lengths that a row may have, in bytes. A block names one by its place here.
  static let choices: [Int] = [1, 2, 4, 9, 12, 16, 36, 40]
  /// The longest of them.
  static let longest = 40
  /// Bits that name one.
  static let bits = 3
  /// Another length must foresee this many bytes of a block more than the one before: what the
  /// columns have learnt is about rows of that length.
  private static let margin = 12

  /// The place of the length that foresees most bytes of `start`..<`end` by the byte a row later;
  /// what lies behind the last byte must be readable up to `longest`.
  static func best(
    _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int, now: Int
  ) -> Int {
    assert(now >= 0 && now < choices.count && start <= end)
    var (best, most) = (now, same(bytes, start, end, choices[now]) &+ margin)
    for place in choices.indices where place != now {
      let count = same(bytes, start, end, choices[place])
      if count > most { (best, most) = (place, count) }
    }
    return best
  }

  /// How many bytes equal the one that stands `distance` later, eight at a time.
  private static func same(
    _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ distance: Int
  ) -> Int {
    assert(distance > 0 && distance <= longest, "the apron is that wide")
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    var (count, at) = (0, start)
    let raw = UnsafeRawPointer(bytes)
    while at &+ 8 <= end {
      let here = raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      let there = raw.loadUnaligned(fromByteOffset: at &+ distance, as: UInt64.self)
      let difference = here ^ there
      // The highest bit of each byte that is not 0.
      let other = ((difference & low) &+ low) | difference
      count &+= (~(other | low)).nonzeroBitCount
      at &+= 8
    }
    return count
  }
}
