import Physics
import Wire

/// The predicted world as it is drawn: two ticks of it, one after the other.
struct PredictedFrames: Sendable {
  /// What there is to see of a tick.
  struct Frame: Sendable {
    var tick: UInt32 = 0
    /// In order of slots.
    var bodies: [StreamBody] = []
    var scenery = Scenery()

    /// Becomes another one in the memory that is there.
    mutating func keep(_ other: Frame) {
      tick = other.tick
      bodies.removeAll(keepingCapacity: true)
      bodies.append(contentsOf: other.bodies)
    }
  }

  private(set) var earlier = Frame()
  private(set) var latest = Frame()
  /// Stickers as they were predicted before a rollback, and those of the same tick after it.
  private(set) var replaced = Frame()
  private(set) var replacement = Frame()

  /// Keeps the latest frame, to be compared with what takes its place.
  mutating func rememberReplaced() { replaced.keep(latest) }

  /// The latest frame takes the place of the one that was remembered.
  mutating func rememberReplacement() { replacement.keep(latest) }

  /// Takes the next tick.
  mutating func take(_ pit: borrowing Pit) {
    swap(&earlier, &latest)
    latest.tick = pit.tick
    pit.bodies(into: &latest.bodies)
    pit.scenery(into: &latest.scenery)
    assert(latest.bodies.count == pit.bodyCount)
  }

  /// The share of the way from the earlier to the latest.
  /// - Parameter behind: how many ticks what is shown is behind the latest.
  func share(behind ticks: Double) -> Float {
    let span = latest.tick.ticks(since: earlier.tick)
    guard span > 0 else { return 1 }
    return Float(SteadyTick.bounded(1 - ticks / Double(span), 0, 1))
  }

  /// Appends the stickers at a share of the way, each moved by what is left of its correction. What
  /// is new appears at once, and what is gone is gone.
  func append(
    to instances: inout [StickerInstance], share: Float, corrections: Corrections,
    births: BirthTicks
  ) {
    var index = 0
    let behind = Double(1 - share) * Double(latest.tick.ticks(since: earlier.tick))
    for body in latest.bodies {
      while index < earlier.bodies.count, earlier.bodies[index].slot < body.slot { index += 1 }
      let isInBoth =
        index < earlier.bodies.count && earlier.bodies[index].slot == body.slot
        && earlier.bodies[index].generation == body.generation
      let from = isInBoth ? earlier.bodies[index] : body
      let offset = corrections.offset(of: body)
      let turned = Corrections.turn(body.angle - from.angle) * share
      let angle = Corrections.turn(from.angle + turned + offset.angle)
      let size = Float(body.size)
      instances.append(
        StickerInstance(
          x: from.x + (body.x - from.x) * share + offset.x,
          y: from.y + (body.y - from.y) * share + offset.y,
          cosine: DeterministicMath.cosine(angle),
          sine: DeterministicMath.sine(angle),
          width: size, height: StickerInstance.height(ofKind: body.kind, size: size),
          kind: Float(body.kind),
          age: births.age(ofSlot: body.slot, at: -behind, after: latest.tick),
          slot: Float(body.slot), holder: holder(of: body.slot)))
    }
  }

  private func holder(of slot: UInt16) -> Float {
    for holder in latest.scenery.holders where holder.slot == slot { return Float(holder.client) }
    return -1
  }
}
