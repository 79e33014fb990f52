import Determinism

/// What both ends of a packing know of its bytes so far.
///
/// They are coded from the last to the first, so that the high byte of a number, which tells most,
/// comes before the low ones. For each byte there are three guesses: what stands a row later, what
/// goes on like the two rows later, and what stood before the same four bytes when they were last
/// seen. Each has the chance that it is right, learnt as it goes on, and the likeliest is asked.
/// Where it is wrong, the byte follows bit by bit, with chances of its place in the row.
///
/// PROTOCOL.md says the same for whoever writes another one.
struct PackingModel {
  /// Bytes that are coded with one row length.
  private static let block = 256
  /// Readable zeros behind the last byte: two rows, and a word more.
  private static let apron = 2 * RowLength.longest + 8
  private static let columns = RowLength.longest
  /// The chances of a byte's bits, by the bits before: 1…255, the first is left out.
  private static let nodes = 256
  private static let placeBits = 13
  private static let mostMatched = 15

  private let bytes: UnsafeMutablePointer<UInt8>
  private let count: Int
  /// By a hash of four bytes, where the byte before them stands; −1 for nowhere.
  private let places: UnsafeMutablePointer<Int32>
  private let chances: UnsafeMutablePointer<Probability>
  private var changesRow = Probability()
  /// The place of the row length among `RowLength.choices`: at first words.
  private var row = 2
  /// Where the third guess stands, −1 if there is none, and how many times it was right in a run.
  private var match = -1
  private var matched = 0

  // Where each group of chances begins: that the row is right, and that its course is, both by
  // column and whether the last guess was right; that the match is, by how long it has been; bits.
  private static let courseStart = 2 * columns
  private static let matchStart = courseStart + 2 * columns
  private static let bitStart = matchStart + mostMatched + 1
  private static let chanceCount = bitStart + columns * nodes

  /// A model of `count` zeros, which are to be filled or decoded.
  init(count: Int) {
    self.count = count
    bytes = .allocate(capacity: count + Self.apron)
    bytes.initialize(repeating: 0, count: count + Self.apron)
    places = .allocate(capacity: 1 << Self.placeBits)
    places.initialize(repeating: -1, count: 1 << Self.placeBits)
    chances = .allocate(capacity: Self.chanceCount)
    chances.initialize(repeating: Probability(), count: Self.chanceCount)
  }

  func deallocate() {
    bytes.deallocate()
    places.deallocate()
    chances.deallocate()
  }

  /// The bytes to be packed, as many as the model has.
  func fill(_ source: UnsafeRawBufferPointer) {
    assert(source.count == count)
    guard let start = source.baseAddress else { return }
    UnsafeMutableRawPointer(bytes).copyMemory(from: start, byteCount: count)
  }

  /// FNV-1a of the bytes, which tells damaged ones: most of them would be unpacked to others.
  var check: UInt32 { FNVHash.short(of: UnsafeBufferPointer(start: bytes, count: count)) }

  /// The bytes that were decoded.
  var unpacked: [UInt8] { [UInt8](UnsafeBufferPointer(start: bytes, count: count)) }

  /// Codes all bytes. A decoder's are read before they are there; what it reads is ignored.
  mutating func code<Coder: BinaryCoder>(with coder: inout Coder) {
    var end = count
    while end > 0 {
      let start = end > Self.block ? end &- Self.block : 0
      assert(start < end && end <= count)
      codeRow(start, end, with: &coder)
      codeBlock(start, end, with: &coder)
      end = start
    }
  }

  private mutating func codeRow<Coder: BinaryCoder>(
    _ start: Int, _ end: Int, with coder: inout Coder
  ) {
    let best = Coder.isDecoder ? 0 : RowLength.best(bytes, start, end, now: row)
    let changes = coder.code(best == row ? 0 : 1, with: &changesRow)
    if changes != 0 { row = coder.codeBits(best, count: RowLength.bits) }
    assert(row >= 0 && row < RowLength.choices.count)
  }

  private mutating func codeBlock<Coder: BinaryCoder>(
    _ start: Int, _ end: Int, with coder: inout Coder
  ) {
    let length = RowLength.choices[row]
    var column = (end &- 1) % length
    var wasRight = 0
    var at = end &- 1
    while at >= start {
      assert(column >= 0 && column < length && matched >= 0 && matched <= Self.mostMatched)
      let next = bytes[at &+ length]
      let course = next &+ next &- bytes[at &+ 2 &* length]
      let nextChance = chances + (2 &* column &+ wasRight)
      let courseChance = nextChance + Self.courseStart
      let matchChance = chances + (Self.matchStart &+ matched)
      var (guess, chance) = (next, nextChance.pointee.ofOne)
      if courseChance.pointee.ofOne > chance {
        (guess, chance) = (course, courseChance.pointee.ofOne)
      }
      let seen = match >= 0 ? bytes[match] : 0
      if match >= 0, matchChance.pointee.ofOne > chance {
        (guess, chance) = (seen, matchChance.pointee.ofOne)
      }
      wasRight = coder.code(bytes[at] == guess ? 1 : 0, probability: chance)
      let byte = wasRight != 0 ? guess : codeByte(bytes[at], column, with: &coder)
      bytes[at] = byte
      nextChance.pointee.learn(byte == next ? 1 : 0)
      courseChance.pointee.learn(byte == course ? 1 : 0)
      if match >= 0 { matchChance.pointee.learn(byte == seen ? 1 : 0) }
      follow(at, isMatch: match >= 0 && byte == seen)
      column = column == 0 ? length &- 1 : column &- 1
      at &-= 1
    }
  }

  @inline(__always)
  private func codeByte<Coder: BinaryCoder>(
    _ byte: UInt8, _ column: Int, with coder: inout Coder
  ) -> UInt8 {
    let tree = chances + (Self.bitStart &+ column &* Self.nodes)
    var node = 1
    var bit = 7
    while bit >= 0 {
      node = node &<< 1 | coder.code((Int(byte) &>> bit) & 1, with: tree + node)
      bit &-= 1
    }
    return UInt8(truncatingIfNeeded: node)
  }

  /// Goes on with the match, or looks where the four bytes from `at` on were seen last; and notes
  /// that they are here.
  @inline(__always)
  private mutating func follow(_ at: Int, isMatch: Bool) {
    let memory = UnsafeRawPointer(bytes)
    let word = memory.loadUnaligned(fromByteOffset: at, as: UInt32.self)
    let hash = Int(truncatingIfNeeded: (word &* 0x9E37_79B1) &>> UInt32(32 &- Self.placeBits))
    if isMatch {
      match &-= 1
      matched = matched < Self.mostMatched ? matched &+ 1 : matched
    } else {
      match = Int(places[hash])
      matched = 0
      if match >= 0, memory.loadUnaligned(fromByteOffset: match &+ 1, as: UInt32.self) != word {
        match = -1
      }
    }
    assert(match < 0 || match >= at, "only what is known already is looked at")
    places[hash] = Int32(truncatingIfNeeded: at &- 1)
  }
}

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
