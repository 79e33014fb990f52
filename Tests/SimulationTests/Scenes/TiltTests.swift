import Dynamics
import Physics
import Testing
import Wire

@testable import Simulation

/// Tilt acts in the pit, the rain and the gallery, and nowhere else.
@Suite struct TiltTests {
  @Test(arguments: Scene.allCases) func tiltTurnsTheGravityOfItsScenesOnly(_ scene: Scene) throws {
    let tilted = QuantizedGravity(x: -8192, y: 4096)
    let magnitude: [Scene: Float] = [.pit: 1000, .rain: 3000, .gallery: 500, .drag: 1000, .toss: 0]
    let length = try #require(magnitude[scene])
    var pit = try Pit(PitConfiguration(scene: scene))
    pit.tick(TickInputs())
    #expect(pit.playground.animator.world.gravity == Vector2(0, length))

    let tilts = [Scene.pit, .rain, .gallery].contains(scene)
    #expect(scene.tilts == tilts)
    let outcome = pit.tick(TickInputs(gravity: tilted))
    let expected = tilts ? Vector2(-0.5 * length, 0.25 * length) : Vector2(0, length)
    #expect(pit.playground.animator.world.gravity == expected)
    #expect(outcome.record.gravity == (tilts ? tilted : nil))
    #expect(pit.gravity == (tilts ? tilted : .down))
  }

  @Test func squaresOnRodsHangStraightDownHoweverPeopleTilt() throws {
    func run(_ gravity: QuantizedGravity?) throws -> UInt64 {
      var pit = try Pit(PitConfiguration(scene: .drag))
      for _ in 0..<300 { pit.tick(TickInputs(gravity: gravity)) }
      return pit.stateHash()
    }
    #expect(try run(nil) == run(QuantizedGravity(x: 16_384, y: 0)))
  }
}
