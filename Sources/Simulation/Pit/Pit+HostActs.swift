import Dynamics
import Physics
import Wire

extension Pit {
  /// Whether the host has the world stand still.
  public var isFrozen: Bool { host.isFrozen }

  /// The strength of gravity in percent of the scene's.
  public var gravityPercent: UInt16 { host.gravityPercent }

  /// The most stickers at a time that the world was made for; `bodyCap` may be less.
  public var capacity: Int { playground.capacity }

  /// Whether the host may take all stickers out, and say how many there may be: where people bring
  /// them. The other scenes are made of theirs.
  public static func lendsStickers(_ scene: Scene) -> Bool { scene == .pit || scene == .rain }

  /// Does what the host wants, or returns false if it asks for what can't be.
  mutating func carryOut(_ act: HostAct) -> Bool {
    switch act {
    case .begin(let scene, let bodies, let maxBodies, let shape, let seed):
      return begin(scene, Int(bodies), Int(maxBodies), shape, seed)
    case .clear: return clear()
    case .freeze: return freeze(true)
    case .unfreeze: return freeze(false)
    case .gravity(let percent): return setGravity(percent)
    case .mostBodies(let count): return limitBodies(Int(count))
    }
  }

  /// Becomes a new world, which counts its ticks on from the old one.
  private mutating func begin(
    _ number: UInt8, _ bodies: Int, _ maxBodies: Int, _ shape: UInt8, _ seed: UInt64
  ) -> Bool {
    guard let scene = Scene(rawValue: number), let shape = WorldShape(rawValue: shape) else {
      return false
    }
    do throws(PitError) {
      let configuration = try PitConfiguration(
        scene: scene, bodies: bodies, maxBodies: maxBodies, shape: shape, seed: seed,
        stickers: stickers)
      let kept = spare
      self = try Pit(configuration, tick: tick)
      spare = kept
      return true
    } catch {
      return false
    }
  }

  private mutating func clear() -> Bool {
    guard Pit.lendsStickers(scene) else { return false }
    take(.clear)
    assert(bodyCount == 0 && holders.isEmpty)
    return true
  }

  private mutating func freeze(_ wanted: Bool) -> Bool {
    guard host.isFrozen != wanted else { return false }
    host.isFrozen = wanted
    return true
  }

  private mutating func setGravity(_ percent: UInt16) -> Bool {
    guard scene.tilts, percent <= HostAct.mostPercent else { return false }
    host.gravityPercent = percent
    take(.tilt(direction))
    return true
  }

  /// Where there are more, those go that nobody holds, and then the others, the oldest first.
  private mutating func limitBodies(_ count: Int) -> Bool {
    guard Pit.lendsStickers(scene), count > 0, count <= capacity else { return false }
    host.mostBodies = count < capacity ? UInt16(count) : nil
    playground.bodyCap = count
    attempt { (pit) throws(DynamicsError) in try pit.playground.removeBeyondCap() }
    assert(bodyCount <= bodyCap)
    return true
  }
}

extension Playground {
  /// The most stickers that the animator takes.
  var capacity: Int { animator.world.configuration.capacity }

  /// Takes every sticker out.
  mutating func removeAll() throws(DynamicsError) {
    while let last = ages.last { try remove(last) }
    assert(grips.isEmpty && flights.isEmpty)
  }

  fileprivate mutating func removeBeyondCap() throws(DynamicsError) {
    while ages.count > bodyCap {
      let free = ages.first { holder(of: $0) == nil }
      try remove(free ?? ages[0])
    }
  }
}

/// What the host has decided about a world, as part of the world: the log brings it (`HostAct`),
/// and snapshots hold it.
struct HostRules: Equatable, Sendable {
  /// Whether the world stands still.
  var isFrozen = false
  /// Ticks in which it stood still. The log counts them, and the scene's own time doesn't, so that
  /// a ledge that vanishes after a second does so after a second that people saw.
  var frozenTicks: UInt32 = 0
  /// The strength of gravity in percent of the scene's.
  var gravityPercent: UInt16 = 100
  /// The most bodies at a time, if they are fewer than the world was made for.
  var mostBodies: UInt16?

  /// A world that the host left alone.
  static let none = HostRules()

  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(isFrozen)
    sink.put(frozenTicks)
    sink.put(UInt32(gravityPercent))
    sink.put(mostBodies.map { UInt32($0) })
  }

  init() {}

  /// What `write` described. Throws `malformedSnapshot` for what no host can have decided.
  init(from reader: inout PitReader) throws(PitError) {
    isFrozen = try reader.word(upTo: 1) == 1
    frozenTicks = try reader.word()
    gravityPercent = UInt16(try reader.word(upTo: UInt32(HostAct.mostPercent)))
    mostBodies = try reader.optionalWord().map { UInt16(truncatingIfNeeded: $0) }
    // A world that was left alone is written without any of this.
    guard self != .none else { throw .malformedSnapshot }
  }
}
