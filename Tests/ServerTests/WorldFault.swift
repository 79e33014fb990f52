@testable import Physics
@testable import Simulation

/// What can be wrong in a follower's world: all but a sticker's place without anybody seeing it at
/// first.
enum WorldFault: CaseIterable {
  case velocity, impulses, chance, rules, place

  /// Those that nobody sees at first, and that only a hash tells.
  static let hidden: [WorldFault] = [.velocity, .impulses, .chance, .rules]

  /// Why a world can't have the fault.
  struct Unfit: Error {
    let reason: String
  }

  /// Makes a pit another one than it was. Throws `Unfit`, or what restoring throws, where the pit
  /// has nothing of the kind: nothing moves, nothing presses, or the scene has no such rule.
  func spoil(_ pit: inout Pit) throws {
    switch self {
    case .velocity: try Self.flip(12, of: Self.fastest(in: pit), in: &pit)
    case .impulses: try Self.flip(12, of: Self.strongest(in: pit), in: &pit)
    case .chance:
      let state = pit.playground.chance.state
      let words = [UInt32(truncatingIfNeeded: state), UInt32(truncatingIfNeeded: state >> 32)]
      try Self.flip(0, of: words, in: &pit)
    case .rules:
      let words = try Self.wordsFromEnd(in: pit.scene)
      try Self.change(&pit) { bytes in bytes[bytes.count - 4 * words] ^= 1 }
    case .place: try Self.moveOldest(in: &pit)
    }
  }

  /// Where a word of the scene's rules is, counted from the end of a saved pit, that may well be
  /// another one: in the pit how many stickers have yet to rain in, in the rain how many fell since
  /// the floor was last open, in the gallery whether the swing's square returns some time, and
  /// where the last card set off for home. The rules of the drag scene are names of items only.
  private static func wordsFromEnd(in scene: Scene) throws -> Int {
    switch scene {
    case .pit, .gallery, .toss: return 2
    // Behind it are the tick in which the floor closes, in two words, and six for each ledge.
    case .rain: return 1 + 2 + 6 * Ledge.all.count
    case .drag: throw Unfit(reason: "the scene has no rule that can be another one")
    }
  }

  /// Moves the oldest sticker towards the middle by more than its width.
  private static func moveOldest(in pit: inout Pit) throws {
    let oldest = pit.playground.ages[0]
    var center = pit.playground.animator.center(of: oldest)
    center.x += center.x < pit.worldSize.x / 2 ? 60 : -60
    try pit.playground.animator.setCenter(center, of: oldest)
  }

  /// The velocity of the body that is fastest along x.
  private static func fastest(in pit: Pit) -> [UInt32] {
    let storage = pit.playground.animator.world.storage
    var fastest = SIMD2<Float>.zero
    for row in 0..<storage.bodies.rowCount {
      let motion = storage.bodies.motions.base[2 * row]
      if abs(motion.x) > abs(fastest.x) { fastest = motion.lowHalf }
    }
    return [fastest.x.bitPattern, fastest.y.bitPattern]
  }

  /// What the two bodies remember that press on each other the most: the impulses of their first
  /// point, with which the next step begins.
  private static func strongest(in pit: Pit) -> [UInt32] {
    let storage = pit.playground.animator.world.storage
    var strongest = SIMD2<Float>.zero
    for pair in 0..<storage.neighbours.count {
      let impulse = storage.neighbours.impulses.base[pair]
      if impulse.x > strongest.x { strongest = impulse.lowHalf }
    }
    return [strongest.x.bitPattern, strongest.y.bitPattern]
  }

  /// Flips one bit of a value in the bytes of a pit, and lets the pit be what they say then.
  private static func flip(_ bit: Int, of words: [UInt32], in pit: inout Pit) throws {
    let value = words.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) }
    }
    try change(&pit) { bytes in
      let places = bytes.indices.filter { bytes[$0...].starts(with: value) }
      guard places.count == 1 else {
        throw Unfit(reason: "\(places.count) places have \(words)")
      }
      bytes[places[0] + bit / 8] ^= 1 << UInt8(bit % 8)
    }
  }

  private static func change(_ pit: inout Pit, _ change: (inout [UInt8]) throws -> Void) throws {
    var bytes: [UInt8] = []
    pit.save(into: &bytes)
    let hash = pit.stateHash()
    try change(&bytes)
    try pit.restore(from: bytes)
    guard pit.stateHash() != hash else { throw Unfit(reason: "the hash says nothing of it") }
  }
}
