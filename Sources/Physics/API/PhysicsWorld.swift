/// A world of bodies, boundaries and joints that steps by 1/60 s, or by 1/120 s if its
/// configuration says so, bit for bit the same everywhere.
///
/// A value: a copy is a snapshot that continues on its own. Points, seconds, radians; y grows down.
/// Forces in mass·pt/s², where mass 1 is a 100×100 item of density 1.
public struct PhysicsWorld: Sendable {
  /// Length of a tick in seconds, unless a world is configured for 120 a second (`stepLength`).
  public static let tickLength: Float = 1 / 60
  /// Sub-steps of a tick of this length.
  public static let subSteps = 6
  /// Fastest that a body may move, in pt/s: 56 pt a sub-step, which boundaries look out for.
  public static let speedLimit: Float = 20_000
  /// Fastest that a body may spin, in rad/s: a sixth of a turn a sub-step.
  public static let spinLimit: Float = 360

  private(set) var storage: WorldStorage

  /// An empty world. Throws `valueOutOfRange` for a configuration outside its documented ranges.
  public init(_ configuration: WorldConfiguration = .default) throws(PhysicsError) {
    if let refused = configuration.refused {
      throw .outside(.configuration, refused.value, refused.allowed)
    }
    storage = WorldStorage(configuration)
    storage.restIdleRow()
  }

  /// Memory to restore into: what is kept from last time, unless a copy of this value knows it too.
  mutating func spareStorage() -> WorldStorage {
    let kept = isKnownUniquelyReferenced(&storage) ? storage.spare : nil
    return kept ?? WorldStorage(storage.configuration)
  }

  /// Goes on in another memory, and keeps its own as the spare for the next restore if nobody else
  /// holds it.
  mutating func move(to other: WorldStorage) {
    assert(other !== storage, "a restore reads into other memory")
    other.spare = nil
    // Shared memory is not touched: somebody else may be reading it right now.
    if isKnownUniquelyReferenced(&storage) {
      storage.spare = nil
      other.spare = storage
    }
    storage = other
  }

  /// The storage to be filled anew: this value's own, or a new one if a copy knows it.
  mutating func overwritten() -> WorldStorage {
    if !isKnownUniquelyReferenced(&storage) { storage = WorldStorage(storage.configuration) }
    return storage
  }

  /// The storage for a change: this value's own from here on.
  @inline(__always)
  mutating func owned() -> WorldStorage {
    if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
    storage.state.isCanonical = false
    return storage
  }

  /// The numbers that the world was built with.
  public var configuration: WorldConfiguration { storage.configuration }

  /// How far a step of this world goes, in seconds: 1/60 or 1/120.
  public var stepLength: Float { storage.stepLength }

  /// Changes the configuration's `restitutionThreshold`, which must be in its range.
  package mutating func setRestitutionThreshold(_ speed: Float) {
    precondition(WorldConfiguration.speeds.contains(speed), "a speed up to the speed limit")
    guard speed != configuration.restitutionThreshold else { return }
    owned().configuration.restitutionThreshold = speed
  }

  /// Ticks stepped since the beginning.
  public var tick: UInt64 { storage.state.tick }

  /// Acceleration in pt/s², zero by default. A change wakes every body. What is longer than
  /// `PhysicsLimit.acceleration` is shortened to it; what is not finite is the caller's mistake and
  /// stops the program.
  public var gravity: Vector2 {
    get { storage.state.gravity }
    set {
      precondition(newValue.isFinite, "gravity must be finite")
      let newValue = newValue.shortened(to: PhysicsLimit.acceleration)
      guard newValue != storage.state.gravity else { return }
      let world = owned()
      world.state.gravity = newValue
      world.wakeAll()
    }
  }

  /// What began and ceased to touch in the last step. Not part of a snapshot: a restored world has
  /// none until its next step, which reports the same as the step of the world that was saved.
  public var contactEvents: ContactEvents { storage.events }

  /// Contacts that the last step solved: of bodies with each other and with boundaries.
  public var contactCount: Int {
    storage.contacts.onePoint.count + storage.contacts.twoPoint.count + storage.contacts.edges.count
  }

  /// Pairs of bodies that were near when neighbours were last looked up and are left out, as one of
  /// them has more than `PhysicsLimit.crowdOfBody` others about it; 0 but where many lie in each
  /// other. The nearest are kept, so that crowds come apart all the same. Not part of a snapshot,
  /// but of a copy.
  public var pairsLeftOut: Int { storage.state.pairsLeftOut }

  /// In how many parts the last step was solved: 1, 2 or 6, more when many were fast, or 4 when
  /// they became many within it; 0 when all were asleep. Not part of a snapshot, but of a copy.
  package var partsSolved: Int { storage.state.partsSolved }

  /// Bodies that exist. Their shapes together are at most the configuration's capacity.
  public var bodyCount: Int { storage.slots.bodyCount - storage.state.furtherShapes }

  /// Shapes of all bodies, of which each has one at least.
  package var shapeCount: Int { storage.slots.bodyCount }

  /// How many shapes the body of each slot has; 0 where there is none.
  package func shapesBySlot() -> [Int] {
    var counts = [Int](repeating: 0, count: slotCount)
    for slot in 0..<slotCount where storage.slots[slot].exists {
      counts[storage.owner(ofSlot: slot)] += 1
    }
    return counts
  }

  /// Bodies that are asleep.
  public var sleepingCount: Int { storage.sleepingBodies }

  /// Bodies whose numbers ran out (they became infinite or no numbers) since the world was made or
  /// restored; each was set to rest where it last was in order. Always 0 but for snapshots that
  /// somebody forged. A debug build stops where it happens otherwise, because it is our fault then.
  public var lostBodyCount: Int { storage.state.lostBodies }

  /// Every slot that was ever used is below this number.
  public var slotCount: Int { storage.slots.count }

  /// Steps the world by one tick, of `stepLength` seconds.
  public mutating func step() { owned().step(nil) }

  /// Steps the world by one tick and calls `observe` at the end of each part of the work, in the
  /// order of the work and as often as it comes up, so that a benchmark can read its clock there.
  package mutating func step(observing observe: (StepStage) -> Void) {
    let world = owned()
    withoutActuallyEscaping(observe) { world.step($0) }
  }
}

/// The parts of a step, as an observer sees them end.
package enum StepStage: Int, Sendable, CaseIterable {
  /// Neighbours looked up: sort, search, match.
  case pairs
  /// Contacts found and dealt out to batches.
  case contacts
  /// Impulses solved, all sub-steps, with bounce and memory.
  case solve
  /// Positions moved, velocities driven.
  case integrate
  /// Resting groups put to sleep.
  case sleep
}
