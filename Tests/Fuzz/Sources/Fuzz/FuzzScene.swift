import Wire

/// A few bodies that move in all the ways a stream knows, for openings and seeds.
final class FuzzScene {
  let encoder: StreamEncoder
  private var tick: UInt32 = 1

  init(_ profile: CodecProfile) {
    encoder = StreamEncoder(
      StreamShape(profile: profile, width: 400, height: 300, slots: 64), holdsCalm: true)
  }

  /// The frames of the next `count` ticks, but for those that are held back.
  func frames(_ count: Int) -> [[UInt8]] {
    (0..<count).compactMap { _ in
      var frame: [UInt8] = []
      let gravity = QuantizedGravity(x: tick % 16 < 8 ? 0 : 5000, y: 16_000)
      encoder.encode(
        bodies(), scenery: scenery(), tick: tick, gravity: gravity, into: &frame)
      tick += 1
      return frame.isEmpty ? nil : frame
    }
  }

  /// Ledges that come and go, hands, and a rod that moves.
  private func scenery() -> Scenery {
    var scenery = Scenery()
    for id in 1...UInt8(3) where tick % 20 < 10 || id == 2 {
      let y = Int16(id) * 400
      scenery.boundaries.append(SceneryBoundary(id: id, ax: 80, ay: y, bx: 1600, by: y + 40))
    }
    guard tick % 9 < 6 else { return scenery }
    scenery.holders = [SceneryHolder(slot: 4, client: 7), SceneryHolder(slot: 6, client: 300)]
    scenery.rods = [
      SceneryRod(slot: 4, x: Int16(tick) * 8, y: 900, attachX: -40, attachY: 12)
    ]
    return scenery
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
        slot: slot, generation: generation, kind: UInt8(index % 32), size: UInt8(30 + index),
        x: 20 + Float(index) * 15 + speed * time,
        y: 280 - Float(index % 7) * 40 + speed * time * time,
        angle: Float(index) + time * Float(index % 3))
    }
  }
}
