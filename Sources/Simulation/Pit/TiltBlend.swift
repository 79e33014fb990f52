import Physics
import Wire

/// Makes one gravity of everybody's tilt: the mean of the tilt vectors, weighted by freshness, then
/// smoothed over 100 ms and quantized.
///
/// A sample counts fully for 0.5 s, fades linearly and is gone at 2 s, so a client repeats an
/// unchanged tilt before that. Opposing people cancel; when nobody tilts, gravity points straight
/// down. The blend depends on tick-stamped samples only, never on a clock.
public struct TiltBlend: Sendable {
  private struct Sample {
    var client: UInt16
    var tick: UInt32
    var tilt: Vector2
  }

  /// The last sample of each client, in ascending order of clients: the order of summation is part
  /// of the result's bits.
  private var samples: [Sample] = []
  private var smoothed: Vector2
  private var tick: UInt32?

  /// Ticks for which a sample counts fully: 0.5 s.
  private static let fullTicks = 30
  /// Ticks after which a sample is gone: 2 s.
  private static let goneTicks = 120
  /// Share of the way to the goal in a tick: 1 − e^(−(1/60)/0.1), a low-pass of 100 ms.
  static let share: Float = 0.153_518_3
  /// After that many ticks without a call the low-pass has arrived: e^(−10) of the way is left.
  private static let settledTicks: UInt32 = 60

  /// - Parameter gravity: with what it starts.
  public init(from gravity: QuantizedGravity = .down) {
    smoothed = TiltBlend.vector(x: gravity.x, y: gravity.y)
  }

  /// Takes a client's tilt in: a vector in 1/16 384, shortened to length 1, as of `tick`.
  public mutating func add(client: UInt16, x: Int16, y: Int16, tick: UInt32) {
    let sample = Sample(client: client, tick: tick, tilt: TiltBlend.vector(x: x, y: y))
    let index = position(of: client)
    if index < samples.count, samples[index].client == client {
      samples[index] = sample
    } else {
      samples.insert(sample, at: index)
    }
    assert(index == 0 || samples[index - 1].client < client)
    assert(index + 1 == samples.count || client < samples[index + 1].client)
  }

  /// Forgets a client that left.
  public mutating func remove(client: UInt16) {
    let index = position(of: client)
    guard index < samples.count, samples[index].client == client else { return }
    samples.remove(at: index)
  }

  /// How many clients' tilts the last gravity was made of.
  public var count: Int { samples.count }

  /// The gravity for `tick`, which must not be earlier than in the call before.
  public mutating func gravity(at tick: UInt32) -> QuantizedGravity {
    assert(self.tick.map { tick.ticks(since: $0) >= 0 } ?? true, "time goes on")
    let goal = mean(at: tick)
    var steps = tick &- (self.tick ?? tick &- 1)
    if steps > TiltBlend.settledTicks { steps = TiltBlend.settledTicks }
    for _ in 0..<steps { smoothed += (goal - smoothed) * TiltBlend.share }
    self.tick = tick
    assert(smoothed.lengthSquared < 1.0001, "a mean of tilts is no longer than they are")
    return TiltBlend.quantized(smoothed)
  }

  /// The weighted mean at `tick`; drops samples that are gone.
  private mutating func mean(at tick: UInt32) -> Vector2 {
    samples.removeAll { TiltBlend.weight(of: $0, at: tick) == 0 }
    var sum = Vector2.zero
    var weights: Float = 0
    for sample in samples {
      let weight = TiltBlend.weight(of: sample, at: tick)
      sum += sample.tilt * weight
      weights += weight
    }
    return weights > 0 ? sum / weights : Vector2(0, 1)
  }

  private static func weight(of sample: Sample, at tick: UInt32) -> Float {
    weight(age: tick.ticks(since: sample.tick))
  }

  /// What a sample counts, so many ticks after it came: 0…1.
  static func weight(age: Int) -> Float {
    if age <= fullTicks { return 1 }
    if age >= goneTicks { return 0 }
    return Float(goneTicks - age) / Float(goneTicks - fullTicks)
  }

  /// A tilt as the blend takes it: no longer than 1.
  static func vector(x: Int16, y: Int16) -> Vector2 {
    let tilt = Vector2(Float(x), Float(y)) / QuantizedGravity.unit
    let length = tilt.length
    assert(length.isFinite)
    return length > 1 ? tilt / length : tilt
  }

  static func quantized(_ vector: Vector2) -> QuantizedGravity {
    QuantizedGravity(
      x: Int16(clamping: Fixed.nearest(vector.x * QuantizedGravity.unit)),
      y: Int16(clamping: Fixed.nearest(vector.y * QuantizedGravity.unit)))
  }

  /// The index of the client's sample, or where it belongs.
  private func position(of client: UInt16) -> Int {
    var low = 0
    var high = samples.count
    while low < high {
      let middle = (low + high) / 2
      if samples[middle].client < client { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
