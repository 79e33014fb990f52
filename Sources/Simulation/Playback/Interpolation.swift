import Physics
import Wire

/// The world between two frames.
///
/// Stickers in both go straight from one place to the other, and turn the short way. One that left
/// stays to the end of the pair, one that came appears at its start in the next pair.
struct Interpolation {
  private let from: LatticeWorld
  private let to: LatticeWorld
  /// Ticks since an earlier one, with their fraction.
  private let position: Double
  private let earlier: UInt32
  private let births: BirthTicks
  /// Share of the way, 0…1.
  let share: Float
  private let stepsPerPoint: Float

  /// Frames further apart than this are not joined: a second of motion is unknown between them.
  private static let longestTicks: UInt32 = 60

  /// The world `position` ticks after an earlier one, which lies between the two worlds' ticks.
  init(
    from: LatticeWorld, to: LatticeWorld, at position: Double, after earlier: UInt32,
    births: BirthTicks
  ) {
    self.from = from
    self.to = to
    self.position = position
    self.earlier = earlier
    self.births = births
    stepsPerPoint = Float(from.profile.stepsPerPoint)
    assert(to.tick.ticks(since: from.tick) >= 0)
    let span = to.tick &- from.tick
    let done = position - Double(from.tick.ticks(since: earlier))
    if span == 0 {
      share = 0
    } else if span > Interpolation.longestTicks {
      share = done < Double(span) ? 0 : 1
    } else {
      share = Float(SteadyTick.bounded(done / Double(span), 0, 1))
    }
  }

  func append(to instances: inout [StickerInstance]) {
    assert(share >= 0 && share <= 1)
    if share >= 1 {
      for body in to.bodies { instances.append(instance(body, body)) }
      return
    }
    var next = 0
    for body in from.bodies {
      while next < to.bodies.count, to.bodies[next].slot < body.slot { next += 1 }
      let isInBoth = next < to.bodies.count && to.bodies[next].isSameSticker(as: body)
      instances.append(instance(body, isInBoth ? to.bodies[next] : body))
    }
  }

  private func instance(_ a: LatticeBody, _ b: LatticeBody) -> StickerInstance {
    let turn = ((Int32(b.angle) - Int32(a.angle) + 512) & 1023) - 512
    let steps = Float(a.angle) + Float(turn) * share
    let angle = (steps - (steps >= 512 ? 1024 : 0)) * Interpolation.radiansPerStep
    let size = Float(a.size)
    return StickerInstance(
      x: (Float(a.x) + Float(b.x - a.x) * share) / stepsPerPoint,
      y: (Float(a.y) + Float(b.y - a.y) * share) / stepsPerPoint,
      cosine: DeterministicMath.cosine(angle), sine: DeterministicMath.sine(angle),
      width: size, height: StickerInstance.height(ofKind: a.kind, size: size),
      kind: Float(a.kind), age: births.age(of: a, at: position, after: earlier),
      slot: Float(a.slot),
      holder: holder(of: a.slot))
  }

  private func holder(of slot: UInt16) -> Float {
    let holders = share >= 1 ? to.scenery.holders : from.scenery.holders
    for holder in holders where holder.slot == slot { return Float(holder.client) }
    return -1
  }

  private static let radiansPerStep: Float = 2 * DeterministicMath.pi / 1024
}
