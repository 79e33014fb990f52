import Physics
import Testing
import Wire

@testable import Simulation

@Suite struct WorldShapeTests {
  @Test(arguments: [
    (WorldShape.upright, Float(720), Float(960)), (.wide, 1120, 630), (.square, 832, 832),
  ]) func theSmallestPitHasAsMuchRoomInEachShape(shape: WorldShape, width: Float, height: Float)
    throws
  {
    let pit = try Pit(PitConfiguration(bodies: 40, shape: shape))
    #expect(pit.worldSize == Vector2(width, height))
    #expect(pit.worldSize.x * pit.worldSize.y >= 691_200)
    #expect(pit.bodyCount == 40)
  }

  @Test(arguments: WorldShape.allCases) func itGrowsAtItsShape(shape: WorldShape) throws {
    let size = try Pit(PitConfiguration(bodies: 1000, shape: shape)).worldSize
    let (width, height) = shape.sides
    #expect(size.x * Float(height) == size.y * Float(width))
    let mean = StickerSizes.small.meanArea(share: StickerSizes.ourAreaShare)
    let fill = 1000 * mean / (size.x * size.y)
    #expect(fill <= 0.6 && fill > 0.58)
    #expect(WorldShape(width: Int(size.x), height: Int(size.y)) == shape)
    #expect(WorldShape(name: shape.name) == shape)
  }

  @Test func otherScenesAndOtherNamesAreRefused() throws {
    for scene in Scene.allCases where scene != .pit {
      #expect(throws: PitError.shapeOfAnotherScene(scene, .wide)) {
        try PitConfiguration(scene: scene, shape: .wide)
      }
      _ = try PitConfiguration(scene: scene)
    }
    for name in ["", "4:3", "16:10", "wide"] { #expect(WorldShape(name: name) == nil) }
    #expect(WorldShape(width: 440, height: 736) == nil && WorldShape(width: 0, height: 0) == nil)
  }

  /// Every point of a world can be named by a command.
  @Test(arguments: WorldShape.allCases) func noWorldIsTooLarge(shape: WorldShape) throws {
    var (low, high) = (1, PitConfiguration.bodyLimit)
    while low < high {
      let middle = (low + high + 1) / 2
      let isPossible =
        (try? PitConfiguration(bodies: middle, maxBodies: high, shape: shape)) != nil
      (low, high) = isPossible ? (middle, high) : (low, middle - 1)
    }
    let most = try PitConfiguration(
      bodies: low, maxBodies: PitConfiguration.bodyLimit, shape: shape)
    #expect(most.worldSize.x <= 8191 && most.worldSize.y <= 8191)
    #expect(shape == .wide ? (13_000..<14_000).contains(low) : low == 16_384)
  }

  @Test func aSnapshotKeepsTheShapeAndTheHostMayBeginOne() throws {
    var pit = try Pit(PitConfiguration(bodies: 20, shape: .wide))
    func isDone(_ act: HostAct, in pit: inout Pit) -> Bool {
      var inputs = TickInputs()
      inputs.acts = [act]
      return pit.tick(inputs).actsCarriedOut == 1
    }
    var bytes: [UInt8] = []
    pit.save(into: &bytes)
    #expect(try Pit.restore(from: bytes).worldSize == Vector2(1120, 630))
    let begin = HostAct.begin(scene: 0, bodies: 9, maxBodies: 90, shape: 2, seed: 4)
    let begins = isDone(begin, in: &pit)
    #expect(begins)
    #expect(pit.worldSize == Vector2(832, 832) && pit.bodyCount == 9)
    for (scene, shape) in [(UInt8(0), UInt8(3)), (1, 1)] {
      let wrong = HostAct.begin(scene: scene, bodies: 0, maxBodies: 90, shape: shape, seed: 4)
      let isWrongDone = isDone(wrong, in: &pit)
      #expect(!isWrongDone)
    }
  }
}
