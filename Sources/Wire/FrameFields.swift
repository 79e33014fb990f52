/// Fields that keyframes and deltas share.
enum FrameFields {
  /// Bits of a number of bodies: 0…16 384.
  static let countBits = 15
  /// Bits of an angle: 1024 a turn.
  static let angleBits = 10

  static func write(_ gravity: QuantizedGravity, to writer: inout BitWriter) {
    writer.write(gravity.x)
    writer.write(gravity.y)
  }

  static func readGravity(from reader: inout BitReader) throws(WireError) -> QuantizedGravity {
    QuantizedGravity(x: try reader.readInt16(), y: try reader.readInt16())
  }

  /// Reads a number of bodies. A count whose bodies can't be in the bytes that are left, with
  /// `minimumBits` for each, is refused before anything is allocated for it.
  static func readCount(
    minimumBits: Int, from reader: inout BitReader
  ) throws(WireError) -> Int {
    let count = Int(try reader.read(bits: countBits))
    guard count <= WireLimits.bodies else { throw .outOfRange(.count) }
    guard count * minimumBits <= reader.remainingBits else { throw .truncated }
    return count
  }

  /// What a body is, without where it is.
  static func write(looksOf body: LatticeBody, to writer: inout BitWriter) {
    writer.write(small: UInt32(body.generation))
    writer.write(UInt32(body.kind), bits: 4)
    writer.write(byte: body.size)
  }

  static func readLooks(
    slot: UInt16, from reader: inout BitReader
  ) throws(WireError) -> LatticeBody {
    guard let generation = UInt16(exactly: try reader.readSmall()) else {
      throw .outOfRange(.generation)
    }
    let kind = UInt8(truncatingIfNeeded: try reader.read(bits: 4))
    let size = try reader.readByte()
    guard size > 0 else { throw .outOfRange(.size) }
    return LatticeBody(
      slot: slot, generation: generation, kind: kind, size: size, x: 0, y: 0, angle: 0)
  }
}

/// Ascending slots, each written as its distance to the one before: 1 bit for neighbours.
struct SlotGaps {
  private var next: UInt32 = 0

  mutating func write(_ slot: UInt16, to writer: inout BitWriter) {
    assert(UInt32(slot) >= next, "slots must ascend")
    writer.write(small: UInt32(slot) &- next)
    next = UInt32(slot) + 1
  }

  mutating func read(from reader: inout BitReader) throws(WireError) -> UInt16 {
    let slot = next + (try reader.readSmall())
    guard slot <= UInt32(UInt16.max) else { throw .outOfRange(.slot) }
    next = slot + 1
    return UInt16(slot)
  }
}
