import Wire

/// A world that a page has to itself while it reaches no server: runs it, lets one person tilt it
/// and do things in it, and shows it between its last two ticks.
///
///     let alone = AlonePlayback(pit, person: 1, after: 0)
///     alone.act(.drop(kind: 3, x: 800, y: 160))
///     alone.run(to: now) { event, tick in … }                // as often as the screen wants
///     alone.sample(into: &instances)
///     alone.takeEffects(into: &effects)
///
/// Times are milliseconds of a steady local clock.
public final class AlonePlayback {
  /// The world after its last tick.
  public private(set) var pit: Pit
  /// What there was to draw besides the stickers at the last `sample`.
  public private(set) var scenery = PictureScenery()

  private let person: UInt16
  private var blend: TiltBlend
  /// What is done in the next tick, and the number of the last of it.
  private var commands: [StampedCommand] = []
  private var sequence: UInt32
  private var frames = PredictedFrames()
  private var births = BirthTicks()
  private let corrections = Corrections()
  private var effects = TickEffects()
  private var time = LocalTime()
  /// The moment that was run to last; nil before the first.
  private var ranTo: Double?
  /// Ticks that were due by then and not run, less than one.
  private var due = 0.0

  /// Most ticks in a run. A screen of 15 Hz keeps up so; a page that was hidden for an hour goes on
  /// where it was, and on a device that is too slow time goes more slowly.
  private static let mostTicks = 4.0
  /// Most commands of a tick, further ones are lost: in a whole second a page gives 180.
  private static let mostCommands = 256

  /// Begins with a world, in which nobody holds anything from now on.
  /// - Parameters:
  ///   - pit: the world.
  ///   - person: the person's number.
  ///   - commands: the number of that person's last command in this world, 0 if there was none.
  public init(_ pit: Pit, person: UInt16, after commands: UInt32) {
    self.pit = pit
    self.person = person
    sequence = commands
    blend = TiltBlend(from: pit.gravity)
    frames.take(pit)
    var inputs = TickInputs()
    // Whoever is not here can't end what they began.
    if pit.isFrozen { inputs.acts = [.unfreeze] }
    for holder in pit.holders {
      inputs.commands.append(StampedCommand(person: holder, sequence: 0, command: .leave))
    }
    self.pit.tick(inputs)
    frames.take(self.pit)
    noteBirths(isFirst: true)
    assert(self.pit.holders.isEmpty && !self.pit.isFrozen)
  }

  /// Carries a command out in the next tick.
  public func act(_ command: Command) {
    guard commands.count < Self.mostCommands else { return }
    sequence = sequence.nextCommand
    commands.append(StampedCommand(person: person, sequence: sequence, command: command))
  }

  /// Tilts the world, in 1/16 384.
  public func tilt(x: Int16, y: Int16) {
    blend.add(person: person, x: x, y: y, tick: pit.tick)
  }

  /// The generation of the sticker in a slot; nil without one.
  public func generation(ofSlot slot: UInt16) -> UInt16? {
    frames.latest.bodies.first { $0.slot == slot }?.generation
  }

  /// Runs the world to a moment.
  /// - Parameters:
  ///   - now: the local time in milliseconds.
  ///   - onEvent: is told what happened and in which tick.
  public func run(to now: Double, onEvent: (WireEvent, UInt32) -> Void) {
    let now = time.plausible(now)
    let elapsed = now - (ranTo ?? now)
    ranTo = now
    due = SteadyTick.bounded(due + elapsed / ServerClock.tickLength, 0, Self.mostTicks)
    while due >= 1 {
      tick(onEvent)
      due -= 1
    }
    assert(due >= 0 && due < 1)
  }

  /// Fills `instances` with the stickers as they are to be shown at the moment of the last run, in
  /// order of slots.
  public func sample(into instances: inout [StickerInstance]) {
    instances.removeAll(keepingCapacity: true)
    frames.latest.append(
      to: &instances, after: frames.earlier, share: Float(due), corrections: corrections,
      births: births)
    scenery.update(
      from: frames.earlier.scenery, to: frames.latest.scenery, share: Float(due),
      instances: instances)
  }

  /// Moves the effects of the latest ticks to `effects`, in place of what was there: each once, and
  /// none that is older than two thirds of a second.
  public func takeEffects(into effects: inout [TickEffect]) {
    self.effects.take(into: &effects)
  }

  private func tick(_ onEvent: (WireEvent, UInt32) -> Void) {
    let next = pit.tick.nextTick
    var inputs = TickInputs(gravity: blend.gravity(at: next), commands: commands)
    inputs.hashesState = false
    commands.removeAll(keepingCapacity: true)
    let outcome = pit.tick(inputs)
    effects.note(outcome, in: pit)
    frames.take(pit)
    noteBirths(isFirst: false)
    for event in outcome.events where event.onlyPerson == nil || event.onlyPerson == person {
      onEvent(event.told, next)
    }
  }

  private func noteBirths(isFirst: Bool) {
    for body in frames.latest.bodies {
      births.note(body.slot, body.generation, at: frames.latest.tick, isOld: isFirst)
    }
  }
}
