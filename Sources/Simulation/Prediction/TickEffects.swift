import Dynamics
import Physics
import Wire

/// Something in a tick that is certain which a page lets people see and hear: eleven floats, as
/// JavaScript reads them.
@frozen
public struct TickEffect: Equatable, Sendable, BitwiseCopyable {
  /// One of `TickEffect.Kind`.
  public var kind: Float
  /// The person whose command it was; −1 for a blow.
  public var person: Float
  /// The sticker's slot; −1 for a throw of one that was there before: its command names none.
  public var slot: Float
  /// Of a blow the other sticker's slot; −1 for a boundary, and for everything else.
  public var other: Float
  /// How fast the two of a blow came at each other along its direction, in pt/s, as the solver
  /// tells it (`CollisionEvent.speed`); how fast something was thrown.
  public var speed: Float
  /// From the sticker towards what it struck, of length 1; zero for everything else.
  public var normalX: Float
  public var normalY: Float
  /// The sticker's picture and size in points; −1 and 0 where the slot isn't known.
  public var picture: Float
  public var size: Float
  /// Where it was, in points.
  public var x: Float
  public var y: Float

  /// Floats of an effect.
  public static let floats = 11
  /// Effects that wait at most.
  public static let most = TickEffects.mostTicks * TickEffects.mostInTick

  /// What an effect is of.
  public enum Kind: UInt8, Sendable {
    /// Two that did not touch met.
    case blow = 0
    /// A command brought a sticker.
    case dropped = 1
    /// A command gave a sticker a velocity.
    case thrown = 2
    /// A hand took a sticker.
    case taken = 3
  }
}

/// Notes the effects of ticks as they become certain. Each tick of the log is carried out once in
/// the confirmed world, so whatever is run again for a prediction is never noted twice.
struct TickEffects: Sendable {
  /// Those that nobody has taken yet, in order of their ticks.
  private(set) var noted: [TickEffect] = []
  /// How many of them are of which tick, in the same order.
  private var ticks: [(tick: UInt32, count: Int)] = []
  /// The blows of a tick, the hardest first.
  private var hardest: [TickEffect] = []

  /// What comes together slower than this, in pt/s, makes no sound that anybody would miss: what
  /// falls by 2 pt at the pit's gravity of 1000 pt/s² comes at 63.
  static let slowestBlow: Float = 60
  /// A sticker let go slower than this, in pt/s, was put down and not thrown.
  static let slowestThrow: Float = 300
  /// Blows that are noted of a tick. A page plays twelve sounds a second.
  static let mostBlows = 12
  /// Effects that are noted of a tick: its blows, and as many commands as a server carries out.
  static let mostInTick = mostBlows + 16
  /// Ticks that are kept for a page that doesn't ask, and for as long as what others did may wait
  /// to be seen: two thirds of a second. A sound that comes later belongs to nothing that is still
  /// seen.
  static let mostTicks = 40

  /// Notes what happened in the last tick of a world.
  mutating func note(_ outcome: TickOutcome, in pit: borrowing Pit) {
    let before = noted.count
    noteBlows(pit)
    noteCommands(outcome, pit)
    let surplus = noted.count - before - Self.mostInTick
    if surplus > 0 { noted.removeLast(surplus) }
    if noted.count > before { ticks.append((pit.tick, noted.count - before)) }
    while let first = ticks.first, pit.tick.ticks(since: first.tick) >= Self.mostTicks {
      noted.removeFirst(first.count)
      ticks.removeFirst()
    }
    assert(ticks.count <= Self.mostTicks)
  }

  /// What is not seen yet: commands of others than `person` in the ticks after one.
  struct Unseen {
    var person: UInt16
    var after: UInt32

    func contains(_ effect: TickEffect, in tick: UInt32) -> Bool {
      effect.kind != Float(TickEffect.Kind.blow.rawValue) && effect.person != Float(person)
        && tick.ticks(since: after) > 0
    }
  }

  /// Moves what was noted to `effects`, in place of what was there, but for what is not seen yet: a
  /// sticker's ring would be drawn before the sticker. Blows don't wait, or all sounds would where
  /// many play, so one of what was thrown may be heard before the throw is seen.
  mutating func take(into effects: inout [TickEffect], unseen: Unseen? = nil) {
    // At 20 pictures a second, three ticks each, what waits is not too old when it is seen.
    assert(Self.mostTicks > Prediction.mostWait + 3 * Prediction.mostSlices)
    effects.removeAll(keepingCapacity: true)
    var (place, kept, keptTicks) = (0, 0, 0)
    for index in ticks.indices {
      let (tick, count) = ticks[index]
      let keptBefore = kept
      for effect in place..<place + count {
        if let unseen, unseen.contains(noted[effect], in: tick) {
          noted[kept] = noted[effect]
          kept += 1
        } else {
          effects.append(noted[effect])
        }
      }
      place += count
      if kept > keptBefore {
        ticks[keptTicks] = (tick, kept - keptBefore)
        keptTicks += 1
      }
    }
    assert(place == noted.count && kept <= place && keptTicks <= ticks.count)
    noted.removeLast(noted.count - kept)
    ticks.removeLast(ticks.count - keptTicks)
  }

  // MARK: Commands

  private mutating func noteCommands(_ outcome: TickOutcome, _ pit: borrowing Pit) {
    for stamped in outcome.carriedOut {
      let person = stamped.person
      switch stamped.command {
      case .drop:
        guard let slot = arrival(of: stamped, outcome) else { continue }
        note(.dropped, person, slot: slot, pit)
      case .throwSticker(let x, let y, let velocityX, let velocityY):
        let speed = Vector2(Float(velocityX), Float(velocityY)).length
        if let slot = arrival(of: stamped, outcome) {
          note(.thrown, person, slot: slot, speed: speed, pit)
        } else {
          let scale = Float(pit.pointScale.stepsPerPoint)
          noted.append(
            TickEffect(
              kind: Float(TickEffect.Kind.thrown.rawValue), person: Float(person), slot: -1,
              other: -1, speed: speed, normalX: 0, normalY: 0, picture: -1, size: 0,
              x: Float(x) / scale, y: Float(y) / scale))
        }
      case .grab(let slot, _, _, _): note(.taken, person, slot: slot, pit)
      case .release(let slot, let velocityX, let velocityY):
        let speed = Vector2(Float(velocityX), Float(velocityY)).length
        if speed >= Self.slowestThrow { note(.thrown, person, slot: slot, speed: speed, pit) }
      case .move, .snap, .say, .leave: break
      }
    }
  }

  private func arrival(of stamped: StampedCommand, _ outcome: TickOutcome) -> UInt16? {
    outcome.arrivals.first { $0.person == stamped.person && $0.sequence == stamped.sequence }?.slot
  }

  /// A later command of the same tick may have taken the sticker out: then there is nothing to see.
  private mutating func note(
    _ kind: TickEffect.Kind, _ person: UInt16, slot: UInt16, speed: Float = 0,
    _ pit: borrowing Pit
  ) {
    guard let id = pit.playground.animator.itemID(atSlot: Int(slot)) else { return }
    noted.append(
      effect(kind, Float(person), id, other: -1, speed: speed, normal: .zero, pit))
  }

  // MARK: Blows

  private mutating func noteBlows(_ pit: borrowing Pit) {
    // While the world stands still its animator has the events of its last step.
    if pit.isFrozen { return }
    hardest.removeAll(keepingCapacity: true)
    for event in pit.playground.animator.events.began {
      let speed = event.speed
      guard speed >= Self.slowestBlow, pit.playground.animator.contains(event.item) else {
        continue
      }
      let isFull = hardest.count == Self.mostBlows
      if isFull, hardest[hardest.count - 1].speed >= speed { continue }
      if isFull { hardest.removeLast() }
      let place = hardest.firstIndex { $0.speed < speed } ?? hardest.count
      let other = partner(of: event).map { Float($0.slot) } ?? -1
      hardest.insert(
        effect(
          .blow, -1, event.item, other: other, speed: speed, normal: event.normal, pit),
        at: place)
    }
    assert(hardest.count <= Self.mostBlows)
    noted.append(contentsOf: hardest)
  }

  private func partner(of event: CollisionEvent) -> ItemID? {
    if case .item(let item) = event.other { return item }
    return nil
  }

  private func effect(
    _ kind: TickEffect.Kind, _ person: Float, _ id: ItemID, other: Float, speed: Float,
    normal: Vector2, _ pit: borrowing Pit
  ) -> TickEffect {
    let sticker = pit.playground.sticker(of: id)
    let center = pit.playground.animator.center(of: id)
    return TickEffect(
      kind: Float(kind.rawValue), person: person, slot: Float(id.slot), other: other,
      speed: speed, normalX: normal.x, normalY: normal.y, picture: Float(sticker.kind),
      size: Float(sticker.size), x: center.x, y: center.y)
  }
}
