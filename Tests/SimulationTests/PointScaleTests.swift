import Physics
import Testing
import Wire

@testable import Simulation

/// Every place of every world can be named in a command.
@Suite struct PointScaleTests {
  @Test func worldsUpTo4095PointsAreMeasuredInEighths() {
    for (width, height, steps) in [
      (Int32(720), Int32(960), Int32(8)), (3069, 4092, 8), (4095, 10, 8), (10, 4095, 8),
      (3072, 4096, 4), (4096, 10, 4), (5850, 7800, 4),
    ] {
      #expect(
        PointScale(worldWidth: width, worldHeight: height).stepsPerPoint == steps,
        "\(width)×\(height)")
    }
  }

  @Test func theLargestWorldIsReachedToItsLastCorner() throws {
    let most = PitConfiguration.bodyLimit
    let size = try PitConfiguration(bodies: most, maxBodies: most).worldSize
    let scale = PointScale(worldWidth: Int32(size.x), worldHeight: Int32(size.y))
    #expect(size.y > 4095)
    #expect(Int32(size.y) * scale.stepsPerPoint <= Int32(Int16.max))
  }

  /// 4600 stickers have 4132 pt from top to bottom.
  @Test func aStickerIsDroppedHeldAndThrownAtTheBottomOfATallWorld() throws {
    var stage = try Stage(.pit, bodies: 4600, maxBodies: 5000)
    let size = stage.pit.worldSize
    #expect(size.y > 4095 && stage.pit.pointScale.stepsPerPoint == 4)
    let corner = Vector2(size.x - 60, size.y - 40)
    let x = Int16(corner.x * 4)
    let y = Int16(corner.y * 4)
    stage.give(.drop(kind: 2, x: x, y: y))
    stage.tick()
    let slot = Int(try #require(stage.pit.playground.ages.last).slot)
    #expect((stage.center(slot) - corner).length < 30)
    let item = stage.item(slot)
    stage.give(.grab(slot: item.slot, generation: item.generation, x: x, y: y))
    #expect(stage.tick().carriedOut.count == 1)
    stage.give(.move(slot: item.slot, x: x, y: y - 400))
    for _ in 0..<10 { stage.tick() }
    #expect(abs(stage.pit.playground.grips[0].hand.y - (corner.y - 100)) < 1)
  }
}
