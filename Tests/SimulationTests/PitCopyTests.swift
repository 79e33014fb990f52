import CAllocationCount
import Physics
import Testing
import Wire

@testable import Simulation

/// A pit that becomes a copy of another, or is restored, in the memory that it has.
@Suite struct PitCopyTests {
  private func saved(_ pit: Pit) -> [UInt8] {
    var bytes: [UInt8] = []
    pit.save(into: &bytes)
    return bytes
  }

  /// Prediction: run ahead, go back to what is confirmed, and ahead again.
  @Test(arguments: Scene.allCases) func anAssignedPitGoesOnAlike(_ scene: Scene) throws {
    var pit = try Pit(
      PitConfiguration(scene: scene, bodies: scene == .pit ? 40 : nil, seed: 8))
    var chance = RandomGenerator(seed: 5)
    var ahead = try Pit(PitConfiguration(scene: .rain, seed: 3))
    for tick in 1...900 {
      pit.tick(PitSnapshotTests.inputs(tick, &chance))
      guard tick % 7 == 0 else { continue }
      ahead.assign(pit)
      let before = saved(pit)
      #expect(saved(ahead) == before)
      #expect(ahead.events == pit.events && ahead.stateHash() == pit.stateHash())
      var (confirmed, future) = (pit, chance)
      for later in (tick + 1)...(tick + 8) {
        let inputs = PitSnapshotTests.inputs(later, &future)
        #expect(ahead.tick(inputs) == confirmed.tick(inputs))
      }
      #expect(saved(ahead) == saved(confirmed), "\(scene) at \(tick)")
      #expect(saved(pit) == before)
    }
  }

  @Test(arguments: Scene.allCases) func aRestoreInPlaceGoesOnAlike(_ scene: Scene) throws {
    var pit = try Pit(
      PitConfiguration(scene: scene, bodies: scene == .pit ? 40 : nil, seed: 8))
    var chance = RandomGenerator(seed: 6)
    var ahead = try Pit(PitConfiguration(scene: .rain, seed: 3))
    for tick in 1...900 {
      pit.tick(PitSnapshotTests.inputs(tick, &chance))
      guard tick % 7 == 0 else { continue }
      let before = saved(pit)
      try ahead.restore(from: before)
      #expect(saved(ahead) == before)
      var (confirmed, future) = (pit, chance)
      for later in (tick + 1)...(tick + 8) {
        let inputs = PitSnapshotTests.inputs(later, &future)
        #expect(ahead.tick(inputs) == confirmed.tick(inputs))
      }
      #expect(saved(ahead) == saved(confirmed), "\(scene) at \(tick)")
    }
  }

  @Test func aBrokenSnapshotLeavesThePitAlone() throws {
    var stage = try Stage(.drag)
    stage.grab(0, at: stage.center(0))
    stage.tick(20)
    var pit = stage.pit
    let before = saved(pit)
    let other = saved(try Stage(.gallery).pit)
    for length in stride(from: 0, to: other.count, by: 5) {
      #expect(throws: PitError.malformedSnapshot) {
        try pit.restore(from: Array(other[..<length]))
      }
    }
    #expect(saved(pit) == before)
    try pit.restore(from: other)
    #expect(saved(pit) == other)
    try pit.restore(from: before)
    #expect(saved(pit) == before && pit.tick(TickInputs()) == stage.tick())
  }

  /// Copies share memory until one of them changes; nothing that happens to one is seen in another.
  @Test func copiesStayWhatTheyWere() throws {
    var stage = try Stage(.pit, bodies: 50)
    stage.tick(60)
    var pit = stage.pit
    let early = saved(pit)
    try pit.restore(from: early)
    stage.tick(30)
    let late = saved(stage.pit)
    let copy = pit
    var assigned = pit
    assigned.assign(stage.pit)
    #expect(saved(assigned) == late && saved(copy) == early && saved(pit) == early)
    var restored = copy
    try restored.restore(from: late)
    pit.tick(TickInputs())
    #expect(saved(restored) == late && saved(copy) == early && saved(stage.pit) == late)
    assigned.assign(assigned)
    #expect(saved(assigned) == late)
  }

  #if !DEBUG
    @inline(never) private func counted(_ action: () throws -> Void) rethrows -> Int {
      allocation_count_begin()
      try action()
      return Int(allocation_count_end())
    }

    /// A frame of prediction: back to the confirmed world, eight ticks ahead.
    @Test(arguments: Scene.allCases) func predictionAllocatesNothing(_ scene: Scene) throws {
      var stage = try Stage(scene, bodies: scene == .pit ? 300 : nil)
      if scene == .rain {
        stage.give(.say(keyword: Sticker.snow))
        // Until it ends: each new sticker needs room.
        stage.tick(Int(RainScene.rainTicks) + 100)
      }
      stage.tick()
      stage.grab(0, at: stage.center(0))
      stage.tick(600)
      #expect(stage.pit.playground.grips.count == 1)
      var ahead = stage.pit
      let nothing = TickInputs()
      var counts: [Int] = []
      for _ in 0..<60 {
        stage.tick()
        let count = counted {
          ahead.assign(stage.pit)
          for _ in 0..<8 { ahead.tick(nothing) }
        }
        counts.append(count)
      }
      // Where contacts are at their most so far, or something new comes, lists grow.
      #expect(counts.sorted()[counts.count * 3 / 4] == 0, "\(scene): \(counts)")
    }

    @Test func savingAndRestoringAllocatesNothing() throws {
      var stage = try Stage(.pit, bodies: 300)
      stage.tick(200)
      stage.grab(0, at: stage.center(0))
      stage.grab(1, at: stage.center(1), by: 2)
      stage.tick(5)
      #expect(stage.pit.playground.grips.count == 2)
      var bytes: [UInt8] = []
      var pit = stage.pit
      // Two memories take turns; both have to have grown.
      for _ in 0..<3 {
        pit.save(into: &bytes)
        try pit.restore(from: bytes)
      }
      for _ in 0..<3 {
        #expect(counted { stage.pit.save(into: &bytes) } == 0)
        #expect(try counted { try pit.restore(from: bytes) } == 0)
        pit.tick(TickInputs())
        #expect(counted { pit.save(into: &bytes) } == 0)
      }
      #expect(counted { pit.save(into: &bytes) } == 0)
      var hash: UInt64 = 0
      #expect(counted { hash = pit.stateHash() } == 0)
      #expect(hash != stage.pit.stateHash())
    }
  #endif
}
