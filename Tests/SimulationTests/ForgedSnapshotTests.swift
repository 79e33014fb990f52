import Dynamics
import Physics
import Testing
import Wire

@testable import Simulation

/// Snapshots that somebody changed: they are refused, or the pit that they make can be played.
@Suite struct ForgedSnapshotTests {
  /// Debug builds take thirty times as long.
  #if DEBUG
    private static let (rounds, stride) = (3, UInt32(400))
  #else
    private static let (rounds, stride) = (60, UInt32(13))
  #endif

  /// A pit in the middle of things: somebody holds a sticker, one flies, it rains.
  static func busy(_ scene: Scene, seed: UInt64) throws -> Pit {
    var pit = try Pit(
      PitConfiguration(scene: scene, bodies: scene == .pit ? 12 : nil, seed: seed))
    var chance = RandomGenerator(seed: seed)
    if scene == .rain {
      let say = StampedCommand(person: 1, sequence: 0, command: .say(keyword: Sticker.cake))
      pit.tick(TickInputs(commands: [say]))
    }
    let ticks = 60 + Int(chance.next(below: 200))
    for tick in 1...ticks { pit.tick(PitSnapshotTests.inputs(tick, &chance)) }
    return pit
  }

  /// Words become what a forger would try, or what another word is; bytes and bits change.
  static func forge(_ bytes: [UInt8], _ chance: inout RandomGenerator) -> [UInt8] {
    var forged = bytes
    for _ in 0...chance.next(below: 3) {
      let words = UInt32(bytes.count / 4)
      let place = 4 * Int(chance.next(below: words))
      let other = 4 * Int(chance.next(below: words))
      switch chance.next(below: 8) {
      case 0: put(.max, at: place, &forged)
      case 1: put(1 << 31, at: place, &forged)
      case 2: put(0, at: place, &forged)
      case 3: put(UInt32(truncatingIfNeeded: chance.next()), at: place, &forged)
      case 4: put(chance.nextFloat(-2000, 2000).bitPattern, at: place, &forged)
      case 5: forged.replaceSubrange(place..<(place + 4), with: bytes[other..<(other + 4)])
      case 6: forged[place] = UInt8(truncatingIfNeeded: chance.next())
      default: forged[place + 1] ^= 1 << UInt8(chance.next(below: 8))
      }
    }
    return forged
  }

  private static func put(_ word: UInt32, at place: Int, _ bytes: inout [UInt8]) {
    for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: word >> UInt32(8 * byte)) }
  }

  @Test(arguments: Scene.allCases) func whatIsTakenCanBePlayed(_ scene: Scene) throws {
    var chance = RandomGenerator(seed: 100 + UInt64(scene.rawValue))
    var (taken, refused) = (0, 0)
    for seed in UInt64(1)...8 {
      var bytes: [UInt8] = []
      try Self.busy(scene, seed: seed).save(into: &bytes)
      for _ in 0..<Self.rounds {
        let forged = Self.forge(bytes, &chance)
        guard var pit = try? Pit.restore(from: forged) else {
          refused += 1
          continue
        }
        taken += 1
        var scenery = Scenery()
        for tick in 1...60 {
          pit.tick(PitSnapshotTests.inputs(tick, &chance))
          if tick % 20 == 0 { pit.scenery(into: &scenery) }
        }
        var again: [UInt8] = []
        pit.save(into: &again)
      }
    }
    let least = Self.rounds / 6
    #expect(taken > least && refused > least, "\(scene): \(taken) taken, \(refused) refused")
  }

  /// The hash sees every bit of a snapshot that says something: impulses that contacts remember,
  /// ticks at rest, the order of rows, boundaries. A flipped one is either refused, or means
  /// nothing and is not written again, or gives another hash.
  @Test(arguments: Scene.allCases) func theHashSeesEveryBit(_ scene: Scene) throws {
    let pit = try Self.busy(scene, seed: 4)
    let hash = pit.stateHash()
    var (bytes, again): ([UInt8], [UInt8]) = ([], [])
    pit.save(into: &bytes)
    var chance = RandomGenerator(seed: 9)
    var restored = pit
    var (seen, bit) = (0, 0)
    while bit < 8 * bytes.count {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      bit += 1 + Int(chance.next(below: Self.stride))
      // Nothing of the life before stays in the memory.
      try restored.restore(from: bytes)
      do throws(PitError) { try restored.restore(from: flipped) } catch { continue }
      restored.save(into: &again)
      #expect((restored.stateHash() == hash) == (again == bytes))
      seen += again == bytes ? 0 : 1
    }
    #expect(seen > 2600 / Int(Self.stride), "\(seen)")
    try restored.restore(from: bytes)
    #expect(restored.stateHash() == hash)
  }

  /// Memory that held the unchanged pit takes and refuses what new memory does, and becomes the
  /// same pit.
  @Test(arguments: Scene.allCases) func usedMemoryJudgesAlike(_ scene: Scene) throws {
    let pit = try Self.busy(scene, seed: 5)
    var bytes: [UInt8] = []
    pit.save(into: &bytes)
    var chance = RandomGenerator(seed: 200 + UInt64(scene.rawValue))
    var used = pit
    var taken = 0
    for _ in 0..<(8 * Self.rounds) {
      let forged = Self.forge(bytes, &chance)
      // Two memories take turns.
      for _ in 0..<2 { try used.restore(from: bytes) }
      let fresh = try? Pit.restore(from: forged)
      let isTaken = (try? used.restore(from: forged)) != nil
      taken += isTaken ? 1 : 0
      #expect(isTaken == (fresh != nil))
      #expect(used.stateHash() == (fresh ?? pit).stateHash())
    }
    #expect(taken > 0)
  }

  /// A shape that is equal but not the same, 0 and −0, does not stay in the memory.
  @Test func signsOfZeroDoNotStay() throws {
    let pit = try Pit(PitConfiguration(scene: .toss, bodies: 1, seed: 4))
    var bytes: [UInt8] = []
    pit.save(into: &bytes)
    var other = pit
    for place in Swift.stride(from: 0, to: bytes.count - 3, by: 4)
    where bytes[place..<(place + 4)] == [0, 0, 0, 0] {
      var forged = bytes
      forged[place + 3] = 0x80
      try? other.restore(from: forged)
      for _ in 0..<2 {
        try other.restore(from: bytes)
        #expect(other.stateHash() == pit.stateHash(), "at \(place)")
      }
    }
  }
}
