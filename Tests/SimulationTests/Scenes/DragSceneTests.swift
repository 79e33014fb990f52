import Dynamics
import Physics
import Testing
import Wire

@testable import Simulation

/// "Drag (320×568)" of the facts about the five scenes, number by number.
@Suite struct DragSceneTests {
  /// From the rod's end at the square to its anchor.
  private func rodLength(_ stage: Stage, _ slot: Int) throws -> Float {
    let rod = try #require(stage.scenery.rods.first { $0.slot == UInt16(slot) })
    let attach = Vector2(Float(rod.attachX), Float(rod.attachY)) / 8
    let state = stage.state(slot)
    return
      (Vector2(Float(rod.x), Float(rod.y)) / 8 - state.center
      - attach.rotated(by: state.rotation)).length
  }

  @Test func aSquareHangsAtItsCornerOnARodOfLength79() throws {
    let stage = try Stage(.drag, bodies: 1)
    #expect(stage.pit.worldSize == Vector2(320, 568))
    let sticker = stage.pit.playground.sticker(of: stage.item(0))
    #expect(sticker == Sticker.square)
    #expect(stage.animator.mass(of: stage.item(0)) == 1)
    let rod = try #require(stage.scenery.rods.first)
    #expect(rod.attachX == -25 * 8 && rod.attachY == -25 * 8)
    #expect(Float(rod.x) / 8 == stage.center(0).x)
    #expect(Float(rod.y) / 8 == stage.center(0).y - 100)
    #expect(abs(try rodLength(stage, 0) - 79.06) < 0.01)
    #expect(stage.boundaryIDs == [240, 241, 242, 243])
  }

  @Test func theRodKeepsItsLengthWithinOnePercentWhileItSwings() throws {
    var stage = try Stage(.drag, bodies: 1)
    var moved: Float = 0
    let start = stage.center(0)
    for _ in 0..<600 {
      stage.tick()
      #expect(abs(try rodLength(stage, 0) - 79.06) < 0.79)
      moved = max(moved, (stage.center(0) - start).length)
    }
    #expect(moved > 5)
  }

  @Test func theAnchorFollowsTheFingerAndTheSquareHangsOnIt() throws {
    var stage = try Stage(.drag, bodies: 1)
    stage.grab(0, at: stage.center(0))
    stage.tick()
    #expect(stage.scenery.holders == [SceneryHolder(slot: 0, client: 1)])
    // The finger goes from side to side, far from the bounds, with room for the rod.
    for step in 0..<400 {
      let finger = Vector2(100 + Float(abs(step % 160 - 80)), 230)
      stage.move(0, to: finger)
      stage.tick()
      let rod = try #require(stage.scenery.rods.first)
      guard step > 3 else { continue }
      #expect(Vector2(Float(rod.x), Float(rod.y)) / 8 == finger)
      if step > 80 { #expect(abs(try rodLength(stage, 0) - 79.06) < 0.79) }
    }
  }

  @Test func aReleaseRemovesTheRodAndTheSquareFalls() throws {
    var stage = try Stage(.drag, bodies: 1)
    stage.tick(30)
    stage.grab(0, at: stage.center(0))
    stage.tick()
    #expect(stage.scenery.rods.count == 1)
    stage.release(0)
    #expect(stage.tick().carriedOut.count == 1)
    #expect(stage.scenery.rods.isEmpty && stage.scenery.holders.isEmpty)
    stage.tick(300)
    #expect(abs(stage.center(0).y - (568 - 50)) < 21.5)
    #expect(abs(stage.velocity(0).y) < 5)
  }

  @Test func theNextGrabHangsItOnANewRod100AboveItsCentre() throws {
    var stage = try Stage(.drag, bodies: 1)
    stage.grab(0, at: stage.center(0))
    stage.tick()
    stage.release(0)
    stage.tick(300)
    let center = stage.center(0)
    stage.grab(0, at: center)
    stage.tick()
    let rod = try #require(stage.scenery.rods.first)
    #expect(abs(Float(rod.x) / 8 - center.x) < 0.2)
    #expect(abs(Float(rod.y) / 8 - (center.y - 100)) < 0.2)
    stage.tick(60)
    #expect(abs(try rodLength(stage, 0) - 79.06) < 0.79)
  }

  @Test func severalPeopleDragOneSquareEach() throws {
    var stage = try Stage(.drag)
    #expect(stage.pit.bodyCount == 4)
    for person in UInt16(1)...4 {
      stage.grab(Int(person) - 1, at: stage.center(Int(person) - 1), by: person)
    }
    let record = stage.tick()
    #expect(record.carriedOut.count == 4)
    #expect(stage.scenery.holders.map(\.client) == [1, 2, 3, 4])
    stage.grab(0, at: stage.center(0), by: 2)
    let refused = stage.tick()
    #expect(refused.carriedOut.isEmpty)
    #expect(refused.events == [.grabRefused(person: 2, slot: 0, holder: 1)])
  }
}
