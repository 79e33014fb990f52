/// The changes from one frame to the next.
///
///     bits  field
///        8  0x83
///       32  tick
///        8  base: how many ticks before `tick` the frame was that this one builds on, 1…255
///        8  flags: bit 0 gravity follows; the others are 0
///       32  gravity x, y, if it changed
///       15  number of removed bodies, then their slots
///       15  number of added bodies, then for each:
///       1+    slot, 1+ generation, 4 kind, 8 size
///    20+20    x, y (signed)
///       10    angle
///       15  number of changed bodies, then for each:
///       1+    slot
///        2    width of the move: 0 none, 1 five bits, 2 eight, 3 twenty-one
///        …    x − x before, y − y before, signed, both of that width
///        2    width of the turn: 0 none, 1 four bits, 2 seven, 3 ten
///        …    angle − angle before, signed, the short way round
///
/// Slots ascend in each of the three lists and are written as small numbers: the distance to the
/// slot before, less one.
enum DeltaFormat {
  static let gravityFlag: UInt32 = 1
  /// Bits of an added body whose slot and generation are as short as they can be.
  static let minimumAddedBits =
    1 + 1 + 4 + 8 + 2 * WireLimits.coordinateBits + FrameFields.angleBits
  /// Bits of the shortest changed body.
  static let minimumChangedBits = 1 + 2 + 2

  static func write(added body: LatticeBody, to writer: inout BitWriter) {
    FrameFields.write(looksOf: body, to: &writer)
    writer.write(signed: body.x, bits: WireLimits.coordinateBits)
    writer.write(signed: body.y, bits: WireLimits.coordinateBits)
    writer.write(UInt32(body.angle), bits: FrameFields.angleBits)
  }

  static func readAdded(
    slot: UInt16, from reader: inout BitReader
  ) throws(WireError) -> LatticeBody {
    var body = try FrameFields.readLooks(slot: slot, from: &reader)
    body.x = try reader.read(signedBits: WireLimits.coordinateBits)
    body.y = try reader.read(signedBits: WireLimits.coordinateBits)
    guard body.x == LatticeBody.clamp(body.x), body.y == LatticeBody.clamp(body.y) else {
      throw .outOfRange(.coordinate)
    }
    body.angle = UInt16(try reader.read(bits: FrameFields.angleBits))
    return body
  }
}

/// How one body moved and turned since the frame before.
struct BodyChange {
  let slot: UInt16
  let x: Int32
  let y: Int32
  let turn: Int32

  init(from before: LatticeBody, to after: LatticeBody) {
    slot = after.slot
    x = after.x - before.x
    y = after.y - before.y
    let forward = Int32(after.angle &- before.angle & 1023)
    turn = forward > 511 ? forward - 1024 : forward
  }

  func write(to writer: inout BitWriter) {
    let move = BodyChange.width(of: x, y, among: BodyChange.moveBits)
    writer.write(UInt32(move), bits: 2)
    if move > 0 {
      writer.write(signed: x, bits: BodyChange.moveBits[move])
      writer.write(signed: y, bits: BodyChange.moveBits[move])
    }
    let turnWidth = BodyChange.width(of: turn, 0, among: BodyChange.turnBits)
    writer.write(UInt32(turnWidth), bits: 2)
    if turnWidth > 0 { writer.write(signed: turn, bits: BodyChange.turnBits[turnWidth]) }
  }

  /// Reads a change and applies it to `body`.
  static func read(
    applyingTo body: inout LatticeBody, from reader: inout BitReader
  ) throws(WireError) {
    let move = moveBits[Int(try reader.read(bits: 2))]
    if move > 0 {
      body.x += try reader.read(signedBits: move)
      body.y += try reader.read(signedBits: move)
    }
    guard body.x == LatticeBody.clamp(body.x), body.y == LatticeBody.clamp(body.y) else {
      throw .outOfRange(.coordinate)
    }
    let turn = turnBits[Int(try reader.read(bits: 2))]
    if turn > 0 {
      let angle = UInt32(body.angle) &+ UInt32(bitPattern: try reader.read(signedBits: turn))
      body.angle = UInt16(angle & UInt32(LatticeBody.anglesPerTurn - 1))
    }
  }

  /// Widths by the two bits that name them. 21 bits hold any way across the lattice.
  private static var moveBits: InlineArray<4, Int> { [0, 5, 8, 21] }
  /// The short way round is within −512…511.
  private static var turnBits: InlineArray<4, Int> { [0, 4, 7, 10] }

  /// The first width that holds both numbers.
  private static func width(
    of first: Int32, _ second: Int32, among widths: InlineArray<4, Int>
  ) -> Int {
    for index in 0..<3 where fits(first, widths[index]) && fits(second, widths[index]) {
      return index
    }
    return 3
  }

  private static func fits(_ value: Int32, _ bits: Int) -> Bool {
    let half = (Int32(1) << Int32(bits)) >> 1
    return value == 0 || (value >= -half && value < half)
  }
}
