import Physics
import Wire

/// Makes one gravity of everybody's tilt: the mean of the tilt vectors, weighted by freshness, made
/// as lively as one person's (`SharedTilt`), then smoothed over 100 ms and quantized. Or of one
/// person's at a time (`Captaincy`).
///
/// A sample counts fully for 0.5 s, fades linearly and is gone at 2 s, so a page repeats an
/// unchanged tilt before that. Opposing people cancel; when nobody tilts, gravity points straight
/// down. The blend depends on tick-stamped samples only, never on a clock.
public struct TiltBlend: Sendable {
  private struct Sample {
    var person: UInt16
    var tick: UInt32
    var tilt: Vector2
  }

  /// The last sample of each person, in ascending order of people: the order of summation is part
  /// of the result's bits.
  private var samples: [Sample] = []
  private var smoothed: Vector2
  private var tick: UInt32?
  /// Whose turn it is; nil where everybody's tilt counts.
  private var captaincy: Captaincy?

  /// Ticks for which a sample counts fully: 0.5 s.
  private static let fullTicks = 30
  /// Ticks after which a sample is gone: 2 s.
  private static let goneTicks = 120
  /// Share of the way to the goal in a tick: 1 − e^(−(1/60)/0.1), a low-pass of 100 ms.
  static let share: Float = 0.153_518_3
  /// After that many ticks without a call the low-pass has arrived: e^(−10) of the way is left.
  private static let settledTicks: UInt32 = 60

  /// - Parameters:
  ///   - gravity: with what it starts.
  ///   - hasCaptain: whether one person's tilt counts at a time.
  public init(from gravity: QuantizedGravity = .down, hasCaptain: Bool = false) {
    smoothed = TiltBlend.vector(x: gravity.x, y: gravity.y)
    captaincy = hasCaptain ? Captaincy() : nil
  }

  /// Takes somebody's tilt in: a vector in 1/16 384, shortened to length 1, as of `tick`.
  public mutating func add(person: UInt16, x: Int16, y: Int16, tick: UInt32) {
    let sample = Sample(person: person, tick: tick, tilt: TiltBlend.vector(x: x, y: y))
    let index = position(of: person)
    if index < samples.count, samples[index].person == person {
      samples[index] = sample
    } else {
      samples.insert(sample, at: index)
      captaincy?.add(person)
    }
    assert(index == 0 || samples[index - 1].person < person)
    assert(index + 1 == samples.count || person < samples[index + 1].person)
  }

  /// Forgets somebody who left.
  public mutating func remove(person: UInt16) {
    let index = position(of: person)
    guard index < samples.count, samples[index].person == person else { return }
    samples.remove(at: index)
    captaincy?.remove(person)
  }

  /// How many people's tilts the last gravity was made of.
  public var count: Int {
    guard let captaincy else { return samples.count }
    return captaincy.captain == nil ? 0 : 1
  }

  /// Whose tilts the last gravity was made of.
  public var rule: TiltRule {
    captaincy.map { .captain($0.captain) } ?? .everybody
  }

  /// How people tilt whose samples count at `tick`: at most `WireLimits.shownTilts`, those with the
  /// lowest numbers, so that the same ones are shown as long as they tilt.
  /// - Parameters:
  ///   - tick: the tick that the last gravity was of.
  ///   - tilts: what it held is replaced; its memory is kept.
  public func tilts(at tick: UInt32, into tilts: inout [PersonTilt]) {
    tilts.removeAll(keepingCapacity: true)
    for sample in samples where TiltBlend.weight(of: sample, at: tick) > 0 {
      guard tilts.count < WireLimits.shownTilts else { return }
      let steps = sample.tilt * Float(PersonTilt.unit)
      tilts.append(
        PersonTilt(
          person: sample.person, x: Int8(Fixed.nearest(steps.x)), y: Int8(Fixed.nearest(steps.y))))
    }
  }

  /// The gravity for `tick`, which must not be earlier than in the call before.
  public mutating func gravity(at tick: UInt32) -> QuantizedGravity {
    assert(self.tick.map { tick.ticks(since: $0) >= 0 } ?? true, "time goes on")
    let goal = goal(at: tick)
    var steps = tick &- (self.tick ?? tick &- 1)
    if steps > TiltBlend.settledTicks { steps = TiltBlend.settledTicks }
    for _ in 0..<steps { smoothed += (goal - smoothed) * TiltBlend.share }
    self.tick = tick
    assert(smoothed.lengthSquared < 1.0001, "a mean of tilts is no longer than they are")
    return TiltBlend.quantized(smoothed)
  }

  /// Where the gravity goes to at `tick`; drops samples that are gone.
  private mutating func goal(at tick: UInt32) -> Vector2 {
    samples.removeAll { sample in
      guard TiltBlend.weight(of: sample, at: tick) == 0 else { return false }
      captaincy?.remove(sample.person)
      return true
    }
    captaincy?.advance(to: tick)
    guard let captaincy else { return everybodysGoal(at: tick) }
    guard let captain = captaincy.captain else { return Vector2(0, 1) }
    return samples[position(of: captain.person)].tilt
  }

  private func everybodysGoal(at tick: UInt32) -> Vector2 {
    var sum = Vector2.zero
    var weights: Float = 0
    for sample in samples {
      let weight = TiltBlend.weight(of: sample, at: tick)
      sum += sample.tilt * weight
      weights += weight
    }
    guard weights > 0 else { return Vector2(0, 1) }
    return SharedTilt.gravity(ofMean: sum / weights, people: weights)
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

  /// The index of the person's sample, or where it belongs.
  private func position(of person: UInt16) -> Int {
    var low = 0
    var high = samples.count
    while low < high {
      let middle = (low + high) / 2
      if samples[middle].person < person { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Whose pit it is where one person tilts at a time: ten seconds each, in the order in which people
/// began to tilt, and then to the end of the line.
///
/// It counts ticks of the simulation and knows nothing else of time. Who stops tilting or leaves
/// gives the pit up at once, and begins at the end of the line when they come back.
struct Captaincy: Sendable {
  /// How long the pit is one person's: 600 ticks, ten seconds.
  static let turnTicks: UInt32 = 600

  /// Whose pit it is, and from which tick on it is the next one's; nil while nobody tilts.
  private(set) var captain: Captain?
  /// Who tilts and waits, the next one first. No more than there are connections.
  private var line: [UInt16] = []

  /// Somebody begins to tilt, who did not: they wait for their turn.
  mutating func add(_ person: UInt16) {
    assert(captain?.person != person && !line.contains(person))
    line.append(person)
  }

  /// Somebody no longer tilts.
  mutating func remove(_ person: UInt16) {
    line.removeAll { $0 == person }
    if captain?.person == person { captain = nil }
  }

  /// Passes the pit on when it is time to. Who tilts alone keeps it.
  mutating func advance(to tick: UInt32) {
    if let captain {
      guard tick.ticks(since: captain.ends) >= 0 else { return }
      line.append(captain.person)
    }
    captain =
      line.isEmpty
      ? nil : Captain(person: line.removeFirst(), ends: tick &+ Captaincy.turnTicks)
  }
}
