import CAllocationCount
import Physics
import Testing
import Wire

@testable import Simulation

@Suite struct AllocationTests {
  /// A scene at work, with a hand that moves, its drawing and its bodies taken each tick. Debug
  /// builds box closures and temporaries; the promise is about release builds.
  @Test(arguments: Scene.allCases) func aTickAllocatesNothing(_ scene: Scene) throws {
    #if !DEBUG
      var stage = try Stage(scene, bodies: scene == .pit ? 100 : nil)
      if scene == .rain { stage.give(.say(keyword: Sticker.snow)) }
      stage.tick()
      stage.grab(0, at: stage.center(0))
      stage.tick(900)
      #expect(stage.scenery.holders.count == 1)
      var scenery = Scenery()
      var bodies: [StreamBody] = []
      var inputs = TickInputs(commands: [
        StampedCommand(person: 1, sequence: 0, command: .move(slot: 0, x: 0, y: 0))
      ])
      var counts: [Int] = []
      var outcome = TickOutcome(tick: 0)
      for step in 0..<105 {
        let x = Int16(1000 + 8 * (step % 20))
        inputs.commands[0].command = .move(slot: 0, x: x, y: 1600)
        allocation_count_begin()
        Self.tick(&stage.pit, inputs, &outcome)
        stage.pit.scenery(into: &scenery)
        stage.pit.bodies(into: &bodies)
        counts.append(Int(allocation_count_end()))
      }
      // A new sticker in the rain, which comes every fifteenth tick, a ledge, or the first contacts
      // of a pile may grow lists: in one tick of six.
      #expect(counts.sorted()[counts.count * 5 / 6] == 0, "\(scene): \(counts)")
    #endif
  }

  /// A page that runs ahead: a record comes, another one than was foretold, the world is made anew
  /// and run again, and a picture is taken.
  ///
  /// With `isBusy` somebody else's hand moves in each tick. One picture of twenty may allocate: a
  /// list of contacts may have more in it than ever.
  ///
  /// That is the pit, natively; other scenes are counted tick by tick, above.
  @Test(arguments: [false, true])
  func aPictureWithARollbackAllocatesNothing(isBusy: Bool) throws {
    #if !DEBUG
      var pit = try Pit(PitConfiguration(bodies: 100, seed: 5))
      for _ in 0..<600 { pit.tick(TickInputs()) }
      let place = try Self.grabFirst(in: &pit)
      var coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
      let playback = PredictedPlayback(person: 1)
      try playback.begin(SavedWorld(pit, coder).packed(), after: 0, now: 0)
      var (record, counts): ([UInt8], [Int]) = ([], [])
      var instances: [StickerInstance] = []
      let message = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
      defer { message.deallocate() }
      for step in 1...400 {
        let now = Double(step) * ServerClock.tickLength
        let sway = DeterministicMath.sine(Float(step) / 9)
        record.removeAll(keepingCapacity: true)
        var inputs = TickInputs(gravity: QuantizedGravity(x: Int16(6000 * sway), y: 15_000))
        if isBusy {
          let move = Command.move(slot: 0, x: place.x + Int16(160 * sway), y: place.y)
          inputs.commands = [
            StampedCommand(person: 2, sequence: UInt32(step) + 1, command: move)
          ]
        }
        coder.encode(pit.tick(inputs).record, into: &record)
        playback.receive(
          ClockEcho(stamp: 0, tick: pit.tick, microseconds: 0), sent: now - 60, now: now)
        message.copyBytes(from: record)
        let replayed = playback.prediction?.statistics.replayed
        allocation_count_begin()
        try playback.receive(
          UnsafeRawBufferPointer(rebasing: message[..<record.count]), now: now
        ) { _, _ in }
        playback.sample(now: now, into: &instances)
        let count = Int(allocation_count_end())
        if playback.prediction?.statistics.replayed != replayed { counts.append(count) }
      }
      #expect(counts.count > (isBusy ? 300 : 50) && instances.count == 100)
      // Nearly all lists have grown by then.
      let settled = counts.dropFirst(20).sorted()
      #expect(settled[settled.count * 19 / 20] == 0, "\(counts)")
    #endif
  }

  /// Somebody takes hold of the sticker in slot 0.
  /// - Returns: where it is, as commands say it.
  private static func grabFirst(in pit: inout Pit) throws -> (x: Int16, y: Int16) {
    var bodies: [StreamBody] = []
    pit.bodies(into: &bodies)
    let body = try #require(bodies.first { $0.slot == 0 })
    let steps = Float(pit.pointScale.stepsPerPoint)
    let (x, y) = (Int16(body.x * steps), Int16(body.y * steps))
    let grab = Command.grab(slot: 0, generation: body.generation, x: x, y: y)
    let outcome = pit.tick(
      TickInputs(commands: [StampedCommand(person: 2, sequence: 1, command: grab)]))
    #expect(outcome.carriedOut.count == 1)
    return (x, y)
  }

  @inline(never) private static func tick(
    _ pit: inout Pit, _ inputs: TickInputs, _ outcome: inout TickOutcome
  ) {
    pit.tick(inputs, into: &outcome)
  }
}
