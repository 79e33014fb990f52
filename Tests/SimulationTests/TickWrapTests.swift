import Physics
import Testing
import Wire

@testable import Simulation

/// The ticks' numbers begin anew after 2³² of them, 828 days; nobody notices.
@Suite struct TickWrapTests {
  /// What happens in these scenes depends on how long ago things were, never on a tick's number:
  /// the same things happen to a pit whose ticks begin anew on the way.
  @Test(arguments: [Scene.pit, .rain, .drag, .toss])
  func aPitGoesOnWhereTicksBeginAnew(_ scene: Scene) throws {
    let configuration = try PitConfiguration(
      scene: scene, bodies: scene == .pit ? 20 : nil, seed: 3)
    var young = try Pit(configuration, tick: 1000)
    var old = try Pit(configuration, tick: .max - 49)
    var (a, b): ([StreamBody], [StreamBody]) = ([], [])
    var (first, second) = (RandomGenerator(seed: 12), RandomGenerator(seed: 12))
    var events = 0
    let say = StampedCommand(person: 1, sequence: 0, command: .say(keyword: Sticker.cake))
    for tick in 1...900 {
      var inputs = PitSnapshotTests.inputs(tick, &first)
      var same = PitSnapshotTests.inputs(tick, &second)
      if scene == .rain, tick == 1 { (inputs.commands, same.commands) = ([say], [say]) }
      let (one, other) = (young.tick(inputs), old.tick(same))
      #expect(one.carriedOut == other.carriedOut && one.events == other.events)
      #expect(old.tick == UInt32.max - 49 &+ UInt32(tick))
      young.bodies(into: &a)
      old.bodies(into: &b)
      #expect(a == b, "tick \(tick)")
      events += one.carriedOut.count
      if tick % 90 == 45 {
        var bytes: [UInt8] = []
        old.save(into: &bytes)
        try old.restore(from: bytes)
      }
    }
    #expect(old.tick == 850 && events > 100)
  }

  /// The gallery's pushes come by the tick's number; there is one that comes early.
  @Test func theGalleryGoesOn() throws {
    var pit = try Pit(PitConfiguration(scene: .gallery, seed: 3), tick: .max - 49)
    var chance = RandomGenerator(seed: 4)
    for tick in 1...400 { pit.tick(PitSnapshotTests.inputs(tick, &chance)) }
    #expect(pit.tick == 350 && pit.bodyCount == 4)
  }

  @Test func aLineOfTicksGoesOn() {
    var line = TickLine()
    let places = [UInt32.max - 1, .max, 0, 1, .max, 7].map { line.place(of: $0) }
    let end = 4_294_967_296.0
    #expect(places == [end - 2, end - 1, end, end + 1, end - 1, end + 7])
    #expect(UInt32.max.nextTick == 0)
    #expect(UInt32(3).ticks(since: .max) == 4 && UInt32.max.ticks(since: 3) == -4)
  }
}
