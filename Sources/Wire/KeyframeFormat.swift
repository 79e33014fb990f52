/// The whole world in one frame.
///
///     bits  field
///        8  0x82
///       32  tick
///        8  interval: ticks from frame to frame in this stream (1, 2, 3, 6)
///       32  gravity x, y
///    20+20  least x, least y of all bodies (signed, 1/16 pt)
///      5+5  bits of x, bits of y (0…20)
///       15  number of bodies, then for each, in ascending order of slots:
///       1+    slot − (last slot + 1), as a small number
///       1+    generation, as a small number
///        4    kind
///        8    size in points
///        …    x − least x, y − least y
///       10    angle
enum KeyframeFormat {
  /// Bits of a body whose every variable field is as short as it can be.
  static let minimumBodyBits = 1 + 1 + 4 + 8 + FrameFields.angleBits

  static func write(_ world: LatticeWorld, rate: FrameRate, to writer: inout BitWriter) {
    let x = CoordinateRange(of: world.bodies) { $0.x }
    let y = CoordinateRange(of: world.bodies) { $0.y }
    writer.write(byte: ServerMessageType.keyframe.rawValue)
    writer.write(world.tick, bits: 32)
    writer.write(rate.interval, bits: 8)
    FrameFields.write(world.gravity, to: &writer)
    writer.write(signed: x.least, bits: WireLimits.coordinateBits)
    writer.write(signed: y.least, bits: WireLimits.coordinateBits)
    writer.write(UInt32(x.bits), bits: 5)
    writer.write(UInt32(y.bits), bits: 5)
    writer.write(UInt32(world.bodies.count), bits: FrameFields.countBits)
    var slots = SlotGaps()
    for body in world.bodies {
      slots.write(body.slot, to: &writer)
      FrameFields.write(looksOf: body, to: &writer)
      x.write(body.x, to: &writer)
      y.write(body.y, to: &writer)
      writer.write(UInt32(body.angle), bits: FrameFields.angleBits)
    }
  }

  /// Reads what follows the type byte into `world`, and returns the interval.
  static func read(
    into world: inout LatticeWorld, from reader: inout BitReader
  ) throws(WireError) -> UInt32 {
    world.tick = try reader.read(bits: 32)
    let interval = try reader.read(bits: 8)
    guard interval > 0 else { throw .outOfRange(.rate) }
    world.gravity = try FrameFields.readGravity(from: &reader)
    let leastX = try reader.read(signedBits: WireLimits.coordinateBits)
    let leastY = try reader.read(signedBits: WireLimits.coordinateBits)
    let x = try CoordinateRange(least: leastX, bits: try reader.read(bits: 5))
    let y = try CoordinateRange(least: leastY, bits: try reader.read(bits: 5))
    let minimumBits = minimumBodyBits + x.bits + y.bits
    let count = try FrameFields.readCount(minimumBits: minimumBits, from: &reader)
    world.bodies.removeAll(keepingCapacity: true)
    var slots = SlotGaps()
    for _ in 0..<count {
      var body = try FrameFields.readLooks(slot: try slots.read(from: &reader), from: &reader)
      body.x = try x.read(from: &reader)
      body.y = try y.read(from: &reader)
      body.angle = UInt16(try reader.read(bits: FrameFields.angleBits))
      world.bodies.append(body)
    }
    return interval
  }
}

/// The range of one coordinate in a keyframe: values go over the wire as distances to the least.
struct CoordinateRange {
  let least: Int32
  let bits: Int

  init(of bodies: [LatticeBody], _ coordinate: (LatticeBody) -> Int32) {
    guard let first = bodies.first else {
      least = 0
      bits = 0
      return
    }
    var least = coordinate(first)
    var greatest = least
    for body in bodies {
      let value = coordinate(body)
      least = value < least ? value : least
      greatest = value > greatest ? value : greatest
    }
    self.least = least
    bits = 32 - UInt32(greatest - least).leadingZeroBitCount
  }

  init(least: Int32, bits: UInt32) throws(WireError) {
    guard bits <= WireLimits.coordinateBits else { throw .outOfRange(.coordinate) }
    self.least = least
    self.bits = Int(bits)
  }

  func write(_ value: Int32, to writer: inout BitWriter) {
    writer.write(UInt32(value - least), bits: bits)
  }

  func read(from reader: inout BitReader) throws(WireError) -> Int32 {
    let value = least + Int32(try reader.read(bits: bits))
    guard value == LatticeBody.clamp(value) else { throw .outOfRange(.coordinate) }
    return value
  }
}
