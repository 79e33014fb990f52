import Simulation
import Wire

/// Snapshots of whole pits: around the animator there are the host's decisions, a set of stickers,
/// chance, hands, flights and the scene's rules. What is restored must go on without a trap,
/// whatever people and the host do in it, a copy of it must go the same way, and what it is saved
/// as must be the same pit again, also to somebody who joins.
enum PitFuzzing {
  /// Stickers that people touch at most, and ticks between what they do.
  private static let most = 6
  private static let ticks = 3

  /// A pit and the copy that a prediction would make of it.
  private struct Twins {
    var pit: Pit
    var copy: Pit
    /// The number of the last command.
    var sequence: UInt32 = 0

    init(_ pit: Pit) {
      self.pit = pit
      copy = pit
      copy.assign(pit)
    }

    mutating func tick(_ commands: [(UInt16, Command)] = [], acts: [HostAct] = []) {
      var inputs = TickInputs(gravity: QuantizedGravity(x: 9000, y: Int16(sequence % 3) * 5000))
      inputs.acts = acts
      for (person, command) in commands {
        sequence += 1
        inputs.commands.append(
          StampedCommand(person: person, sequence: sequence, command: command))
      }
      precondition(pit.tick(inputs) == copy.tick(inputs), "a copy goes another way")
      for _ in 0..<PitFuzzing.ticks {
        pit.tick(TickInputs())
        copy.tick(TickInputs())
      }
    }
  }

  static func run(_ bytes: UnsafeRawBufferPointer) {
    guard let pit = try? Pit.restore(from: Array(bytes)) else { return }
    checkSaving(pit)
    var twins = Twins(pit)
    var bodies: [StreamBody] = []
    pit.bodies(into: &bodies)
    twins.tick()
    for body in bodies.prefix(most) { touch(body, in: &twins) }
    twins.tick([(1, .say(keyword: 19)), (1, .leave), (2, .leave)])
    checkSaving(twins.pit)
    twins.tick([(1, .drop(kind: 2, x: 500, y: 500))], acts: [.gravity(percent: 30), .freeze])
    checkSaving(twins.pit)
    twins.tick(acts: [.unfreeze, .mostBodies(3)])
    twins.tick(acts: [.clear])
    checkSaving(twins.pit)
    let scene = pit.scene.rawValue
    twins.tick(acts: [.begin(scene: scene, bodies: 3, maxBodies: 20, seed: 4)])
    checkSaving(twins.pit)
    var scenery = Scenery()
    twins.pit.scenery(into: &scenery)
    precondition(twins.pit.stateHash() == twins.copy.stateHash(), "a copy is another world")
  }

  /// Two people want the same sticker, and whoever has it does all that can be done with it.
  private static func touch(_ body: StreamBody, in twins: inout Twins) {
    let (slot, generation) = (body.slot, body.generation)
    let x = Int16(exactly: (8 * body.x).rounded()) ?? 0
    let y = Int16(exactly: (8 * body.y).rounded()) ?? .max
    let grab = Command.grab(slot: slot, generation: generation, x: x, y: y)
    let move = Command.move(slot: slot, x: y, y: x)
    twins.tick([(1, grab), (1, move), (2, grab), (2, move)])
    checkSaving(twins.pit)
    let release = Command.release(slot: slot, velocityX: 900, velocityY: .min)
    let snap = Command.snap(slot: slot, generation: generation, x: 800, y: 900)
    twins.tick([(1, slot % 2 == 0 ? release : snap), (2, snap)])
    let flick = Command.throwSticker(x: x, y: y, velocityX: .max, velocityY: -300)
    twins.tick([(1, .drop(kind: 3, x: x, y: y)), (2, flick)])
  }

  private static func checkSaving(_ pit: Pit) {
    var bytes: [UInt8] = []
    pit.save(into: &bytes)
    let again = try? Pit.restore(from: bytes)
    precondition(again?.stateHash() == pit.stateHash(), "a pit was saved that can't be restored")
    let coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
    let joined = try? Replica(snapshot: SavedWorld(pit, coder).packed())
    precondition(joined?.pit.stateHash() == pit.stateHash(), "nobody can join this pit")
  }

  /// Small pits of all scenes and one with a set, new, and in the middle of things.
  static func seeds() throws -> [[UInt8]] {
    var configurations = try Scene.allCases.map { scene in
      try PitConfiguration(
        scene: scene, bodies: scene.mostBodies.map { min($0, 3) } ?? 5, maxBodies: 12, seed: 8)
    }
    configurations.append(
      try PitConfiguration(bodies: 4, maxBodies: 12, seed: 9, stickers: try stickers()))
    return try configurations.flatMap { try seeds(of: Pit($0)) }
  }

  private static func seeds(of pit: Pit) throws -> [[UInt8]] {
    var twins = Twins(pit)
    var seeds = [saved(pit)]
    twins.tick([(1, .say(keyword: 19))])
    for _ in 0..<12 { twins.tick() }
    var bodies: [StreamBody] = []
    twins.pit.bodies(into: &bodies)
    var commands: [(UInt16, Command)] = []
    for (place, body) in bodies.prefix(2).enumerated() {
      let (x, y) = (Int16(8 * body.x), Int16(8 * body.y))
      let (slot, generation) = (body.slot, body.generation)
      let grab = Command.grab(slot: slot, generation: generation, x: x, y: y)
      let snap = Command.snap(slot: slot, generation: generation, x: 800, y: 900)
      commands.append((1, place == 0 ? grab : snap))
    }
    twins.tick(commands)
    seeds.append(saved(twins.pit))
    twins.tick(acts: [.gravity(percent: 60), .mostBodies(8), .freeze])
    seeds.append(saved(twins.pit))
    return seeds
  }

  private static func saved(_ pit: Pit) -> [UInt8] {
    var bytes: [UInt8] = []
    pit.save(into: &bytes)
    return bytes
  }

  private static func stickers() throws -> StickerSet {
    let places: [(Int16, Int16)] = [(0, -400), (400, 300), (-400, 300)]
    let corners = places.map { StickerShape.Corner(x: $0.0, y: $0.1) }
    return try StickerSet([
      StickerKind(.disc(diameter: 900)),
      StickerKind(.box(width: 900, height: 600, corner: 90), density: 200),
      StickerKind(.outline(corners, growth: 50), sizePercent: 120, friction: 90),
    ])
  }
}
