import Wire

/// Any bodies at all, coded and decoded: both ends must agree on every tick, whatever the floats
/// are. An input is a profile, then for each tick a byte that says how many bodies change, and 12
/// bytes for each of them.
enum RoundTripFuzzing {
  private static let slots = 32
  private static let mostTicks = 60

  static func run(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 0 else { return }
    let profile: CodecProfile = bytes[0] & 1 == 0 ? .strict : .visual
    let encoder = StreamEncoder(
      StreamShape(profile: profile, width: 300, height: 200, slots: slots))
    let decoder = StreamDecoder()
    var bodies: [StreamBody?] = Array(repeating: nil, count: slots)
    var world = LatticeWorld()
    var input = Bytes(bytes: bytes, next: 1)
    for tick in 1...UInt32(mostTicks) where !input.isAtEnd {
      for _ in 0..<(input.byte() & 7) { change(&bodies, from: &input) }
      var frame: [UInt8] = []
      let gravity = QuantizedGravity(x: Int16(tick % 5) * 1000, y: 16_384)
      encoder.encode(bodies.compactMap { $0 }, tick: tick, gravity: gravity, into: &frame)
      do throws(WireError) { try decoder.decode(frame) } catch { fatalError("refused: \(error)") }
      encoder.copyWorld(into: &world)
      precondition(decoder.world == world, "the ends differ at tick \(tick)")
      StreamFuzzing.check(world)
    }
  }

  private static func change(_ bodies: inout [StreamBody?], from input: inout Bytes) {
    let slot = Int(input.byte()) % slots
    let looks = input.byte()
    if looks == 0 {
      bodies[slot] = nil
      return
    }
    let generation = bodies[slot]?.generation ?? UInt16(looks)
    bodies[slot] = StreamBody(
      slot: UInt16(slot), generation: looks > 250 ? generation &+ 1 : generation,
      kind: looks & 31, size: input.byte(), x: input.coordinate(), y: input.coordinate(),
      angle: input.coordinate() / 64)
  }

  static func seeds() -> [[UInt8]] {
    let body: [UInt8] = [3, 20, 40, 1, 80, 12, 1, 90, 44, 0, 7, 1]
    var row: [UInt8] = []
    for tick in UInt8(0)..<12 {
      row += [1, tick % 3, 20, 40, 1, 80 + tick, 12 * tick, 1, 90, tick, 0, 7, 9]
    }
    return [[0, 1] + body + [0, 0, 0], [1, 1] + body + [0, 0, 0], [0] + row, [1] + row]
  }
}

/// Reads an input; beyond its end everything is 0.
private struct Bytes {
  let bytes: UnsafeRawBufferPointer
  var next: Int

  var isAtEnd: Bool { next >= bytes.count }

  mutating func byte() -> UInt8 {
    guard next < bytes.count else { return 0 }
    next += 1
    return bytes[next - 1]
  }

  /// Mostly a place near the world in 1/64 pt; now and then any float there is.
  mutating func coordinate() -> Float {
    let form = byte()
    let whole = UInt32(byte()) << 8 | UInt32(byte())
    guard form < 240 else {
      return Float(bitPattern: whole << 16 | UInt32(byte()) << 8 | UInt32(byte()))
    }
    return Float(Int32(whole) - 8192) / 64 * Float(form % 3 + 1)
  }
}
