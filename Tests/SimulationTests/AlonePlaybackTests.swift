import Testing
import Wire

@testable import Simulation

/// A world that a page has to itself.
@Suite struct AlonePlaybackTests {
  private static let picture = ServerClock.tickLength

  private func alone(
    scene: Scene = .pit, seed: UInt64 = 7
  ) throws -> AlonePlayback {
    AlonePlayback(try Pit(PitConfiguration(scene: scene, seed: seed)), person: 3, after: 0)
  }

  /// Runs so many pictures at 60 Hz from a moment on; tells what happened.
  @discardableResult
  private func run(_ playback: AlonePlayback, _ pictures: Int, from: Double = 0) -> [WireEvent] {
    var events: [WireEvent] = []
    for picture in 0...pictures {
      playback.run(to: from + Double(picture) * Self.picture) { event, _ in events.append(event) }
    }
    return events
  }

  @Test func aPictureIsATickAndTimeThatNobodySawIsNone() throws {
    let playback = try alone()
    let start = playback.pit.tick
    run(playback, 120)
    #expect(playback.pit.tick == start + 120)
    playback.run(to: 3_600_000) { _, _ in }
    #expect(playback.pit.tick == start + 124)
    playback.run(to: 0) { _, _ in }
    playback.run(to: .nan) { _, _ in }
    #expect(playback.pit.tick == start + 124)
  }

  @Test func theSameDeedsMakeTheSameWorld() throws {
    let hashes = try (0..<2).map { _ in
      let playback = try alone()
      run(playback, 30)
      playback.act(.drop(kind: 3, x: 2880, y: 320))
      playback.tilt(x: 16_384, y: 0)
      run(playback, 60, from: 1000)
      return playback.pit.stateHash()
    }
    #expect(hashes[0] == hashes[1])
    #expect(try alone(seed: 8).pit.stateHash() != alone().pit.stateHash())
  }

  @Test func whatOthersHeldIsFreeAndAFrozenWorldGoesOn() throws {
    var pit = try Pit(PitConfiguration(bodies: 5, seed: 1))
    var instances: [StreamBody] = []
    pit.bodies(into: &instances)
    let body = instances[2]
    let grab = Command.grab(
      slot: body.slot, generation: body.generation, x: Int16(body.x * 8), y: Int16(body.y * 8))
    var inputs = TickInputs(commands: [StampedCommand(person: 9, sequence: 1, command: grab)])
    pit.tick(inputs)
    #expect(pit.holders == [9])
    inputs = TickInputs()
    inputs.acts = [.freeze]
    pit.tick(inputs)
    let playback = AlonePlayback(pit, person: 3, after: 0)
    #expect(playback.pit.holders.isEmpty && !playback.pit.isFrozen)
    run(playback, 60)
    var shown: [StickerInstance] = []
    playback.sample(into: &shown)
    #expect(shown.count == 5)
    #expect(shown.allSatisfy { $0.holder == -1 && $0.age > 100 })
  }

  @Test func whatHappensIsTold() throws {
    let playback = try alone(scene: .gallery)
    let events = run(playback, 240)
    #expect(events.contains { if case .contactBegan = $0 { true } else { false } })
  }

  @Test func whatOneDoesAndWhatItStrikesIsAnEffectOnce() throws {
    let playback = try alone()
    run(playback, 600)
    var (effects, all): ([TickEffect], [TickEffect]) = ([], [])
    playback.takeEffects(into: &effects)
    playback.act(.drop(kind: 3, x: 2880, y: 320))
    for picture in 601...720 {
      playback.run(to: Double(picture) * Self.picture) { _, _ in }
      playback.takeEffects(into: &effects)
      all += effects
    }
    let drops = all.filter { $0.kind == Float(TickEffect.Kind.dropped.rawValue) }
    #expect(drops.count == 1)
    let drop = try #require(drops.first)
    #expect(drop.person == 3 && drop.picture == 3)
    let blows = all.filter { $0.slot == drop.slot || $0.other == drop.slot }
      .filter { $0.kind == Float(TickEffect.Kind.blow.rawValue) }
    // It falls through most of the pit's 960 pt, at 1000 pt/s².
    #expect(blows.contains { $0.speed > 500 })
    playback.takeEffects(into: &effects)
    #expect(effects.isEmpty)
  }

  @Test func aFloodOfCommandsIsCutShort() throws {
    let playback = try alone()
    for _ in 0..<5000 { playback.act(.drop(kind: 1, x: 2880, y: 320)) }
    run(playback, 1)
    #expect(playback.pit.bodyCount <= playback.pit.bodyCap)
    #expect(playback.pit.bodyCount <= 30 + 256)
  }
}
