import Dynamics
import Physics
import Wire

/// The shared world: a box of stickers and the rules by which it changes.
///
/// A pit is a value; a copy is a snapshot. Everything that happens in it comes from its
/// configuration and from the inputs of its ticks.
///
///     var pit = try Pit(PitConfiguration(bodies: 30, seed: 7))
///     pit.tick(TickInputs(gravity: blend.gravity(at: pit.tick &+ 1)))
///     pit.bodies(into: &bodies)
public struct Pit: Sendable {
  /// The gravity of the last tick, in units of the scene's magnitude; straight down in a scene that
  /// doesn't tilt.
  public internal(set) var gravity = QuantizedGravity.down

  /// The scene.
  public internal(set) var scene: Scene
  /// What the pit's stickers are, if a set says so. Another scene only keeps it.
  public internal(set) var stickers: StickerSet?
  /// What the host has decided.
  var host = HostRules.none
  var playground: Playground
  var rules: PlayedScene
  /// Memory for the next restore.
  var spare: PitSpare?

  /// Ticks from one state hash in the records to the next. Once, where the ticks' numbers begin
  /// anew, it is 16 instead, because 2³² is no multiple of 30.
  static let hashInterval: UInt32 = 30

  /// A pit with its first stickers. Throws `PitError.dynamics` if the animator refuses the world.
  /// - Parameters:
  ///   - configuration: what makes it differ from another.
  ///   - tick: the ticks that it counts as done, the low 32 bits.
  public init(_ configuration: PitConfiguration, tick: UInt32 = 0) throws(PitError) {
    scene = configuration.scene
    stickers = configuration.stickers
    playground = try Playground(
      size: configuration.worldSize, bodyCap: configuration.bodyCap, seed: configuration.seed)
    playground.tick = tick
    playground.stickers = scene == .pit ? stickers : nil
    do throws(DynamicsError) {
      rules = try PlayedScene(configuration, &playground)
      try rules.take(.tilt(direction), &playground)
    } catch {
      throw .dynamics(error)
    }
  }

  /// Size in points; origin top left, y down.
  public var worldSize: Vector2 { playground.size }
  /// Most stickers at a time: the configuration's `maxBodies`, or fewer in a small world or if the
  /// host wants fewer. For one more, the oldest goes.
  public var bodyCap: Int { playground.bodyCap }
  /// Ticks so far, the low 32 bits.
  public var tick: UInt32 { playground.tick &+ host.frozenTicks }
  /// Stickers in the pit.
  public var bodyCount: Int { playground.count }
  /// Contacts of stickers with each other and with walls that the last tick solved.
  public var contactCount: Int { playground.contactCount }
  /// In how many sub-steps the last tick was solved: more where bodies are fast.
  public var partsSolved: Int { playground.partsSolved }
  /// Whether a person holds the sticker in a slot.
  public func isHeld(_ slot: UInt16, by person: UInt16) -> Bool {
    playground.grip(of: person, slot: slot) != nil
  }
  /// Who holds stickers, each once, in ascending order.
  public var holders: [UInt16] { playground.holders }
  /// The slots of the stickers that a person holds, in ascending order: three at most.
  public func slots(heldBy person: UInt16) -> [UInt16] {
    playground.grips.filter { $0.person == person }.map { $0.item.slot }
  }
  /// What happened in the last tick.
  public var events: [PitEvent] { playground.events }

  /// Carries out one tick of 1/60 s: what the host does, gravity, commands, the scene's rules, one
  /// step of the physics, the rules again. In a frozen world only hands open, and nothing moves.
  ///
  /// The commands must ascend by (person, sequence).
  @discardableResult
  public mutating func tick(_ inputs: TickInputs) -> TickOutcome {
    var outcome = TickOutcome(tick: tick)
    tick(inputs, into: &outcome)
    return outcome
  }

  /// The same; what was in `outcome` is replaced, and its memory serves again.
  public mutating func tick(_ inputs: TickInputs, into outcome: inout TickOutcome) {
    outcome.clear(for: tick.nextTick)
    for act in inputs.acts {
      guard carryOut(act) else { continue }
      outcome.actsCarriedOut &+= 1
      if case .begin = act { outcome.begins = true }
    }
    if host.isFrozen { host.frozenTicks &+= 1 } else { playground.tick &+= 1 }
    assert(tick == outcome.record.tick, "a world that begins anew counts on")
    if !playground.events.isEmpty { playground.events.removeAll(keepingCapacity: true) }
    outcome.record.acts.append(contentsOf: inputs.acts)
    outcome.record.commands.append(contentsOf: inputs.commands)
    outcome.record.dropsCaches = inputs.dropsCaches
    if scene.tilts, let wanted = inputs.gravity, wanted != gravity {
      gravity = wanted
      take(.tilt(direction))
      outcome.record.gravity = wanted
    }
    for index in inputs.commands.indices {
      let stamped = inputs.commands[index]
      assert(index == 0 || inputs.commands[index - 1].precedes(stamped))
      let newest = playground.ages.last
      guard carryOut(stamped) else { continue }
      outcome.carriedOut.append(stamped)
      if let id = playground.ages.last, id != newest {
        outcome.arrivals.append(
          TickOutcome.Arrival(
            person: stamped.person, sequence: stamped.sequence, slot: id.slot,
            generation: id.generation))
      }
    }
    if !host.isFrozen { step() }
    // Last: what is saved behind this tick is short.
    if inputs.dropsCaches { playground.animator.dropCaches() }
    if inputs.hashesState, tick % Pit.hashInterval == 0 { outcome.record.stateHash = stateHash() }
    assert(playground.ages.count == playground.animator.itemCount)
    assert(playground.ages.count <= bodyCap)
    assert(outcome.carriedOut.count <= inputs.commands.count)
    assert(outcome.arrivals.count <= outcome.carriedOut.count)
    outcome.events.append(contentsOf: playground.events)
  }

  private mutating func step() {
    take(.beforeStep)
    attempt { (pit) throws(DynamicsError) in try pit.playground.moveHands() }
    playground.animator.step()
    take(.afterStep)
    endFlights()
  }

  /// Gives the scene a turn; whether it did something.
  @discardableResult
  mutating func take(_ turn: SceneTurn) -> Bool {
    attempt { (pit) throws(DynamicsError) in try pit.rules.take(turn, &pit.playground) }
  }

  /// Does what can't fail, because everything that is handed over was checked: commands by whoever
  /// carries them out, a snapshot when it was read. An error is a bug, and half of a change is done
  /// by then: a world that went on would be another one than anybody meant, so it stops.
  @discardableResult
  mutating func attempt<Value>(
    _ change: (inout Pit) throws(DynamicsError) -> Value
  ) -> Value {
    do throws(DynamicsError) { return try change(&self) } catch {
      #if hasFeature(Embedded)
        preconditionFailure("the pit asked for something that can't be")
      #else
        preconditionFailure("the pit asked for something that can't be: \(error)")
      #endif
    }
  }

  /// The gravity as the animator takes it: 1 is 1000 pt/s².
  var direction: Vector2 {
    let full = scene.gravityMagnitude / QuantizedGravity.unit
    // Left alone, the world has the bits that it had before hosts could change this.
    let strength =
      host.gravityPercent == 100 ? full : full * (Float(host.gravityPercent) / 100)
    return Vector2(Float(gravity.x), Float(gravity.y)) * strength
  }
}
