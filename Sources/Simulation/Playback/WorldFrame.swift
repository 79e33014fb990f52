import Physics
import Wire

/// What there is to see of the world after a tick.
struct WorldFrame: Sendable {
  var tick: UInt32 = 0
  var gravity = QuantizedGravity.down
  /// The world's scene, and its size in points.
  var scene = Scene.pit
  var size = Vector2.zero
  private var seed: UInt64 = 0
  /// In order of slots.
  var bodies: [StreamBody] = []
  var scenery = Scenery()

  /// Becomes what there is to see of a world, in the memory that is there.
  mutating func take(_ pit: borrowing Pit) {
    tick = pit.tick
    gravity = pit.gravity
    (scene, size, seed) = (pit.scene, pit.worldSize, pit.playground.seed)
    pit.bodies(into: &bodies)
    pit.scenery(into: &scenery)
    assert(bodies.count == pit.bodyCount)
  }

  /// Whether two frames may be of one world: the host may have begun another between them, by a
  /// seed of its own.
  func isOfWorld(of other: WorldFrame) -> Bool {
    scene == other.scene && size == other.size && seed == other.seed
  }

  /// Takes the stickers of another one, in the memory that is there.
  mutating func keepBodies(of other: WorldFrame) {
    tick = other.tick
    bodies.removeAll(keepingCapacity: true)
    bodies.append(contentsOf: other.bodies)
  }

  /// Appends the stickers at a share of the way from an earlier frame to this one, each moved by
  /// what is left of its correction. What is new appears at once, and what is gone is gone.
  func append(
    to instances: inout [StickerInstance], after earlier: WorldFrame, share: Float,
    corrections: Corrections, births: BirthTicks
  ) {
    assert(share >= 0 && share <= 1)
    var index = 0
    let behind = Double(1 - share) * Double(tick.ticks(since: earlier.tick))
    for body in bodies {
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
          age: births.age(ofSlot: body.slot, at: -behind, after: tick),
          slot: Float(body.slot), holder: holder(of: body.slot)))
    }
  }

  private func holder(of slot: UInt16) -> Float {
    for holder in scenery.holders where holder.slot == slot { return Float(holder.client) }
    return -1
  }
}

/// The predicted world as it is drawn: two ticks of it, one after the other.
struct PredictedFrames: Sendable {
  private(set) var earlier = WorldFrame()
  private(set) var latest = WorldFrame()
  /// Stickers as they were predicted before a rollback, and those of the same tick after it.
  private(set) var replaced = WorldFrame()
  private(set) var replacement = WorldFrame()

  /// Keeps the latest frame, to be compared with what takes its place.
  mutating func rememberReplaced() { replaced.keepBodies(of: latest) }

  /// The latest frame takes the place of the one that was remembered.
  mutating func rememberReplacement() { replacement.keepBodies(of: latest) }

  /// Takes the next tick.
  mutating func take(_ pit: borrowing Pit) {
    swap(&earlier, &latest)
    latest.take(pit)
  }

  /// The share of the way from the earlier to the latest.
  /// - Parameter behind: how many ticks what is shown is behind the latest.
  func share(behind ticks: Double) -> Float {
    let span = latest.tick.ticks(since: earlier.tick)
    guard span > 0 else { return 1 }
    return Float(SteadyTick.bounded(1 - ticks / Double(span), 0, 1))
  }
}
