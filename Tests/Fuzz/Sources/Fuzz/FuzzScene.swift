import Wire

/// A few bodies that move in all the ways a stream knows, for openings and seeds.
final class FuzzScene {
  let encoder: StreamEncoder
  private var tick: UInt32 = 1

  init(_ profile: CodecProfile) {
    encoder = StreamEncoder(
      StreamShape(profile: profile, width: 400, height: 300, slots: 64))
  }

  /// The frames of the next `count` ticks.
  func frames(_ count: Int) -> [[UInt8]] {
    (0..<count).map { _ in
      var frame: [UInt8] = []
      let gravity = QuantizedGravity(x: tick % 16 < 8 ? 0 : 5000, y: 16_000)
      encoder.encode(bodies(), tick: tick, gravity: gravity, into: &frame)
      tick += 1
      return frame
    }
  }

  private func bodies() -> [StreamBody] {
    (0..<24).compactMap { index in
      let time = Float(tick) / 60
      let slot = UInt16(index * 2)
      // One of them is away now and then and comes back as another.
      if index == 5, tick % 12 < 3 { return nil }
      let generation = index == 5 ? UInt16(tick / 12) : 0
      let speed = Float(index % 5) * 60
      return StreamBody(
        slot: slot, generation: generation, kind: UInt8(index % 16), size: UInt8(30 + index),
        x: 20 + Float(index) * 15 + speed * time,
        y: 280 - Float(index % 7) * 40 + speed * time * time,
        angle: Float(index) + time * Float(index % 3))
    }
  }
}
