import Dynamics
import Physics
import Wire

/// The shared world: a box of stickers and the rules by which it changes.
///
/// A pit is a value; a copy is a snapshot. Everything that happens in it comes from its
/// configuration and from the inputs of its ticks.
///
///     var pit = try Pit(PitConfiguration(bodies: 30, seed: 7))
///     pit.tick(TickInputs(gravity: blend.gravity(at: pit.tick + 1)))
///     pit.lattice(into: &world)
public struct Pit: Sendable {
  /// Size in points; origin top left, y down.
  public let worldSize: Vector2
  /// Most stickers at a time: the configuration's `maxBodies`, or fewer in a small world. For one
  /// more, the oldest goes.
  public let bodyCap: Int
  /// Ticks so far, the low 32 bits.
  public private(set) var tick: UInt32 = 0
  /// The gravity of the last tick, in units of the scene's magnitude.
  public private(set) var gravity = QuantizedGravity.down

  let scene: Scene
  var playground: Playground
  var chance: RandomGenerator
  /// The stickers by age, the oldest first.
  var ages: [ItemID] = []
  /// Stickers of the start that found no place yet and rain in.
  var waiting = 0

  /// Ticks from one state hash in the records to the next.
  static let hashInterval: UInt32 = 30

  /// A pit with its first stickers. Throws `PitError.dynamics` if the animator refuses the world.
  public init(_ configuration: PitConfiguration) throws(PitError) {
    scene = configuration.scene
    worldSize = configuration.worldSize
    bodyCap = configuration.bodyCap
    chance = RandomGenerator(seed: configuration.seed)
    playground = try Playground(size: worldSize, capacity: bodyCap)
    playground.setGravity(direction)
    placeFirstStickers(configuration.bodies)
  }

  /// Stickers in the pit.
  public var bodyCount: Int { playground.count }

  /// Carries out one tick of 1/60 s: gravity, commands, rain, one step of the physics, strays.
  ///
  /// The commands must ascend by (client, sequence).
  @discardableResult
  public mutating func tick(_ inputs: TickInputs) -> TickRecord {
    tick &+= 1
    var record = TickRecord(tick: tick)
    if let wanted = inputs.gravity, wanted != gravity {
      gravity = wanted
      playground.setGravity(direction)
      record.gravity = wanted
    }
    for index in inputs.commands.indices {
      let stamped = inputs.commands[index]
      assert(index == 0 || inputs.commands[index - 1].precedes(stamped))
      if carryOut(stamped.command) { record.commands.append(stamped) }
    }
    rain()
    playground.step()
    bringBackStrays()
    if tick % Pit.hashInterval == 0 { record.stateHash = stateHash() }
    return record
  }

  /// A hash of everything that the next tick depends on.
  public func stateHash() -> UInt64 {
    var hash = StateHash()
    hash.mix(playground.animator.world.stateHash())
    hash.mix(chance.state)
    hash.mix(UInt64(tick) << 32 | UInt64(UInt16(bitPattern: gravity.x)) << 16)
    hash.mix(UInt64(UInt16(bitPattern: gravity.y)) << 32 | UInt64(waiting))
    for id in ages { hash.mix(UInt64(id.slot) << 16 | UInt64(id.generation)) }
    return hash.value
  }

  /// The gravity as the animator takes it: 1 is 1000 pt/s².
  private var direction: Vector2 {
    Vector2(Float(gravity.x), Float(gravity.y)) * (scene.gravityMagnitude / QuantizedGravity.unit)
  }
}

/// FNV-1a over 64-bit words instead of bytes: order matters, every bit counts, four lines.
struct StateHash {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func mix(_ word: UInt64) {
    value = (value ^ word) &* 0x0000_0100_0000_01B3
    value ^= value >> 32
  }
}
