import Wire

/// Which of the numbers 1…65 535 people have, and which a newcomer gets.
///
/// As a rule newcomers get those from 1 up to a bound, the one that was given back last first. Not
/// in the first minute of a server that honours the tokens of the one before: it doesn't know who
/// may come back. So its newcomers get numbers from beyond the bound, which a server never gives at
/// other times. Where they begin follows from when the server was started, in steps of 50 ms
/// (`start`): two servers that are started within a minute of each other begin a 2300th of the
/// range apart at least, which is 25 numbers where 4096 connections are allowed, and a 30th of it
/// if it is within a second. Whoever's number was given away all the same becomes a new person, and
/// the numbers that follow are left alone from then on (`leaveRange`).
struct Numbers: Sendable {
  private static let last = 65_535

  /// The last number that is given as a rule, and how many there may be at a time. With blocks,
  /// only how many there may be.
  private var bound: Int
  /// The blocks whose numbers are given, where servers share a world; nil for a server on its own.
  private var blocks: Set<NumberBlock>?
  private var isTaken = [Bool](repeating: false, count: Numbers.last + 1)
  private var isListed = [Bool](repeating: false, count: Numbers.last + 1)
  /// Numbers up to the bound, the next one last; some may have been taken since.
  private var free: [UInt16]
  /// Where the next number from beyond the bound is looked for, counted from there.
  private var place: Int
  /// Where the numbers began that were given since the last jump.
  private var rangeStart: Int
  /// Numbers that people have.
  private(set) var count = 0

  /// - Parameters:
  ///   - bound: 1…64 000.
  ///   - began: when this server was started, in milliseconds since 1970.
  init(bound: Int, began: UInt64) {
    precondition((1...64_000).contains(bound))
    self.bound = bound
    free = (1...UInt16(bound)).reversed()
    for number in free { isListed[Int(number)] = true }
    let span = Self.last - bound
    place = Self.start(in: span, began: began)
    rangeStart = place
  }

  /// Numbers of blocks, none at first: where servers share a world each has its own.
  init() {
    (bound, blocks, free, place, rangeStart) = (0, [], [], 0, 0)
  }

  /// From now on a block's numbers are given. Some of them may be taken still.
  mutating func add(_ block: NumberBlock) {
    guard blocks?.insert(block).inserted == true else { return }
    bound += block.numbers.count
    for number in block.numbers.reversed() where !isTaken[Int(number)] && !isListed[Int(number)] {
      isListed[Int(number)] = true
      free.append(number)
    }
  }

  /// From now on nobody gets a block's numbers; whoever has one keeps it.
  mutating func remove(_ block: NumberBlock) {
    guard blocks?.remove(block) != nil else { return }
    bound -= block.numbers.count
    free.removeAll { block.numbers.contains($0) }
    for number in block.numbers { isListed[Int(number)] = false }
  }

  /// Whether another block is needed soon.
  var needsMore: Bool { blocks != nil && bound - count < Self.reserve }

  /// Numbers that are left when another block is asked for: a crowd that joins at once takes some
  /// hundred a second, and a block comes within a few milliseconds.
  private static let reserve = 64

  /// Whether a number is one of those that are given here.
  private func isOwn(_ number: UInt16) -> Bool {
    blocks.map { $0.contains(NumberBlock(of: number)) } ?? true
  }

  /// From one step to the next, in milliseconds. A server has to be joined and told to end, and
  /// another one to be started, before this matters: 150 ms at least, as tests see it. With steps
  /// of a quarter of a second both could be started within one, and begin with the same number.
  private static let step: UInt64 = 50

  /// Where the first number is looked for: each step a golden section of the range further than
  /// the one before, which keeps any few in a row as far apart as can be.
  /// - Parameters:
  ///   - span: how many numbers the range has.
  ///   - began: milliseconds since 1970.
  /// - Returns: 0..<span.
  static func start(in span: Int, began: UInt64) -> Int {
    let section = Double(began / step) * goldenSection
    return Int((section - section.rounded(.down)) * Double(span))
  }

  private static let goldenSection = 0.618_033_988_749_894_8

  /// Somebody's return has shown that a number was given to a newcomer that the server before had
  /// given. Those that follow are other people's who have yet to come: the next newcomers get
  /// numbers far from there. A number of a range that was left before says nothing new.
  mutating func leaveRange(of number: UInt16) {
    let span = Self.last - bound
    guard blocks == nil, Int(number) > bound else { return }
    let given = (place - rangeStart + span) % span
    guard (Int(number) - bound - 1 - rangeStart + span) % span < given else { return }
    place = (place + Int(Self.goldenSection * Double(span))) % span
    rangeStart = place
  }

  /// Whether nobody can have another one.
  var areGone: Bool { count >= bound }

  /// A number for a newcomer; nil when there is none.
  /// - Parameter isBeyond: whether it is to be one that no other server can have given.
  mutating func take(beyond isBeyond: Bool) -> UInt16? {
    guard !areGone else { return nil }
    // With very many connections few numbers are left beyond them.
    guard let number = (isBeyond && blocks == nil ? nextBeyond() : nil) ?? nextFree() else {
      return nil
    }
    set(number)
    return number
  }

  /// Takes a certain number; false if somebody has it.
  mutating func take(_ number: UInt16) -> Bool {
    guard number > 0, isOwn(number), !isTaken[Int(number)], !areGone else { return false }
    set(number)
    return true
  }

  func isTaken(_ number: UInt16) -> Bool { isTaken[Int(number)] }

  mutating func giveBack(_ number: UInt16) {
    assert(isTaken[Int(number)])
    isTaken[Int(number)] = false
    count -= 1
    let isUsual = blocks == nil ? Int(number) <= bound : isOwn(number)
    guard isUsual, !isListed[Int(number)] else { return }
    isListed[Int(number)] = true
    free.append(number)
  }

  private mutating func set(_ number: UInt16) {
    isTaken[Int(number)] = true
    count += 1
  }

  private mutating func nextFree() -> UInt16? {
    while let number = free.popLast() {
      isListed[Int(number)] = false
      if !isTaken[Int(number)] { return number }
    }
    return nil
  }

  private mutating func nextBeyond() -> UInt16? {
    let span = Self.last - bound
    for _ in 0..<span {
      let number = bound + 1 + place
      place = (place + 1) % span
      if !isTaken[number] { return UInt16(number) }
    }
    return nil
  }
}
