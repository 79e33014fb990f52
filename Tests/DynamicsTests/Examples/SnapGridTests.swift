import Dynamics
import Testing

@Suite struct SnapGridTests {
  @Test func droppedTilesTradePlaces() throws {
    var grid = try SnapGrid(columns: 4, rows: 5)
    try grid.drop(0, at: Vector2(213, 190))
    #expect(grid.cells[0] == 10 && grid.cells[10] == 0)
    var ticks = 0
    while grid.animator.isRunning && ticks < 300 {
      grid.animator.step()
      ticks += 1
    }
    #expect(ticks < 120)
    #expect(grid.animator.center(of: grid.tiles[0]) == Vector2(200, 200))
    #expect(grid.animator.center(of: grid.tiles[10]) == Vector2(40, 40))
  }

  @Test func aThousandDropsLeaveEveryTileInACellOfItsOwn() throws {
    var grid = try SnapGrid(columns: 4, rows: 5)
    for drop in 0..<1000 {
      let place = Vector2(Float(drop * 37 % 320), Float(drop * 91 % 400))
      try grid.drop(drop * 7 % 20, at: place)
      grid.animator.step()
    }
    for _ in 0..<180 { grid.animator.step() }
    #expect(grid.animator.isPaused && grid.animator.behaviorIDs.count == 20)
    #expect(Set(grid.cells).count == 20)
    for (tile, cell) in zip(grid.tiles, grid.cells) {
      #expect((grid.animator.center(of: tile) - grid.center(of: cell)).length < 0.01)
      #expect(grid.animator.angle(of: tile) == 0)
    }
  }
}
