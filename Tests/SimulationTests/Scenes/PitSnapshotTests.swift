import Physics
import Testing
import Wire

@testable import Simulation

/// A pit is a value: copied, saved and restored in the middle of anything, it goes on alike.
@Suite struct PitSnapshotTests {
  /// The inputs of a tick by seeded chance: tilts and every command, many of them impossible.
  static func inputs(_ tick: Int, _ chance: inout RandomGenerator) -> TickInputs {
    var inputs = TickInputs()
    if tick % 20 == 0 {
      inputs.gravity = QuantizedGravity(
        x: Int16(truncatingIfNeeded: Int(chance.next(below: 32_768)) - 16_384),
        y: Int16(truncatingIfNeeded: Int(chance.next(below: 32_768)) - 16_384))
    }
    for person in UInt16(1)...3 where chance.next(below: 4) == 0 {
      inputs.commands.append(
        StampedCommand(person: person, sequence: UInt32(tick), command: command(&chance)))
    }
    return inputs
  }

  private static func command(_ chance: inout RandomGenerator) -> Command {
    let slot = UInt16(chance.next(below: 6))
    let x = Int16(chance.next(below: 3200))
    let y = Int16(chance.next(below: 5000))
    let speedX = Int16(Int(chance.next(below: 4000)) - 2000)
    let speedY = Int16(Int(chance.next(below: 4000)) - 2000)
    switch chance.next(below: 12) {
    case 0: return .drop(kind: 3, x: x, y: y)
    case 1: return .throwSticker(x: x, y: y, velocityX: speedX, velocityY: speedY)
    case 2...4: return .grab(slot: slot, generation: 0, x: x, y: y)
    case 5...7: return .move(slot: slot, x: x, y: y)
    case 8: return .release(slot: slot, velocityX: speedX, velocityY: speedY)
    case 9: return .snap(slot: slot, generation: 0, x: x, y: y)
    case 10: return .say(keyword: Sticker.cake)
    default: return .leave
    }
  }

  @Test(arguments: Scene.allCases) func aRestoredPitGoesOnAlike(_ scene: Scene) throws {
    var pit = try Pit(
      PitConfiguration(scene: scene, bodies: scene == .pit ? 40 : nil, seed: 8))
    var chance = RandomGenerator(seed: 5)
    var picks = RandomGenerator(seed: 77)
    var bytes: [UInt8] = []
    var twins: [(pit: Pit, until: Int)] = []
    var held = 0
    for tick in 1...1500 {
      if picks.next(below: 60) == 0 {
        pit.save(into: &bytes)
        let restored = try Pit.restore(from: bytes)
        #expect(restored.stateHash() == pit.stateHash())
        #expect(restored.tick == pit.tick && restored.gravity == pit.gravity)
        twins = [(restored, tick + 50), (pit, tick + 50)] + twins.suffix(4)
      }
      let inputs = Self.inputs(tick, &chance)
      let record = pit.tick(inputs)
      held += pit.playground.grips.count
      for index in twins.indices where twins[index].until >= tick {
        #expect(twins[index].pit.tick(inputs) == record)
        #expect(twins[index].pit.stateHash() == pit.stateHash(), "\(scene) at \(tick)")
      }
      twins.removeAll { $0.until < tick }
    }
    #expect(held > 50, "the script holds nothing")
  }

  @Test func theHashSeesHandsAndRules() throws {
    var a = try Stage(.drag)
    var b = a
    #expect(a.pit.stateHash() == b.pit.stateHash())
    a.grab(0, at: a.center(0), by: 1)
    b.grab(0, at: b.center(0), by: 2)
    a.tick()
    b.tick()
    #expect(a.center(0) == b.center(0))
    #expect(a.pit.stateHash() != b.pit.stateHash())
    var rain = try Stage(.rain)
    rain.give(.say(keyword: Sticker.cake))
    var snow = try Stage(.rain)
    snow.give(.say(keyword: Sticker.cake), by: 4)
    rain.tick()
    snow.tick(2)
    #expect(rain.pit.stateHash() != snow.pit.stateHash())
  }

  @Test(arguments: Scene.allCases) func damagedBytesAreRefused(_ scene: Scene) throws {
    var stage = try Stage(scene)
    stage.grab(0, at: scene == .rain ? .zero : stage.center(0))
    stage.tick(40)
    var bytes: [UInt8] = []
    stage.pit.save(into: &bytes)
    #expect(throws: Never.self) { try Pit.restore(from: bytes) }
    for count in stride(from: 0, to: bytes.count, by: 7) {
      #expect(throws: PitError.malformedSnapshot) {
        try Pit.restore(from: Array(bytes.prefix(count)))
      }
    }
    #expect(throws: PitError.malformedSnapshot) { try Pit.restore(from: bytes + [0]) }
  }

  /// Whatever the scene's own words say, a pit that is taken goes on without a trap.
  @Test(arguments: Scene.allCases) func flippedWordsAreRefusedOrHarmless(_ scene: Scene) throws {
    var stage = try Stage(scene)
    if scene == .rain {
      stage.give(.say(keyword: Sticker.cake))
      stage.tick(300)
    }
    stage.grab(0, at: stage.center(0))
    stage.tick(3)
    stage.snap(1, to: Vector2(100, 300))
    stage.tick(3)
    var bytes: [UInt8] = []
    stage.pit.save(into: &bytes)
    let animatorSize = Int(bytes[4]) | Int(bytes[5]) << 8 | Int(bytes[6]) << 16
    var refused = 0
    var taken = 0
    for bit in ((8 + animatorSize) * 8)..<(bytes.count * 8) {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      do throws(PitError) {
        var pit = try Pit.restore(from: flipped)
        let leave = StampedCommand(person: 1, sequence: 1, command: .leave)
        for _ in 0..<3 { pit.tick(TickInputs()) }
        pit.tick(TickInputs(commands: [leave]))
        taken += 1
      } catch {
        refused += 1
      }
    }
    #expect(refused > 50 && taken > 50)
  }
}
