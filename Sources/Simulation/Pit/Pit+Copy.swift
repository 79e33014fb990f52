import Dynamics
import Wire

/// Going on from another pit's state in memory that is there, as prediction does in every frame.
extension Pit {
  /// Becomes a copy of another pit in the memory that is there, its events included: whatever
  /// happens to one of the two afterwards, the other doesn't notice. From the second time on
  /// nothing is allocated for a pit of the same size. A plain assignment shares the memory instead,
  /// and the next tick of either makes a whole copy.
  public mutating func assign(_ other: Pit) {
    gravity = other.gravity
    scene = other.scene
    host = other.host
    stickers = other.stickers
    playground.assign(other.playground)
    rules.assign(other.rules)
  }

  /// A pit to become another one.
  init() {
    scene = .pit
    playground = Playground()
    rules = .away
  }
}

extension Playground {
  /// A ground to become another one.
  init() {
    animator = Animator()
    size = .zero
    bodyCap = 0
    seed = 0
    chance = RandomGenerator(seed: 0)
  }

  mutating func assign(_ other: Playground) {
    animator.assign(other.animator)
    size = other.size
    bodyCap = other.bodyCap
    stickers = other.stickers
    seed = other.seed
    chance = other.chance
    tick = other.tick
    ages.assign(other.ages)
    grips.assign(other.grips)
    flights.assign(other.flights)
    events.assign(other.events)
  }

  /// Forgets what a snapshot says anew, but for the memory.
  mutating func clear() {
    grips.removeAll(keepingCapacity: true)
    flights.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
  }
}

/// Memory that a pit restores into, so that a snapshot that breaks off leaves it alone; the two
/// take turns. Unchecked, because it is only touched by the one value that knows it.
final class PitSpare: @unchecked Sendable {
  private var pit: Pit?

  /// The spare that a value keeps, or a new one if a copy of the value keeps it too.
  static func kept(_ spare: inout PitSpare?) -> PitSpare {
    let isOwn = isKnownUniquelyReferenced(&spare)
    defer { spare = nil }
    return isOwn ? spare! : PitSpare()
  }

  /// The pit, which is its taker's alone from here on.
  func take() -> Pit? {
    defer { pit = nil }
    return pit
  }

  func put(_ pit: consuming Pit) {
    var pit = pit
    pit.spare = nil
    self.pit = pit
  }
}
