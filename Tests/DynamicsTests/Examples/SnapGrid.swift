import Dynamics

/// Tiles on a grid: a tile that is dropped anywhere flies to the nearest cell, and the tile that
/// was there flies to the cell that has become free.
struct SnapGrid {
  var animator: Animator
  private(set) var tiles: [ItemID] = []
  let columns: Int
  let side: Float
  /// One snap a tile, whose point moves. A new one for each drop would leave the old ones pulling.
  private var snaps: [SnapBehavior.Handle] = []
  /// The cell of each tile.
  private(set) var cells: [Int] = []

  init(columns: Int, rows: Int, side: Float = 80) throws {
    self.columns = columns
    self.side = side
    animator = try Animator(
      referenceBounds: Rect2(
        x: 0, y: 0, width: Float(columns) * side, height: Float(rows) * side))
    for cell in 0..<columns * rows {
      let place = center(of: cell)
      let tile = try animator.addItem(
        Item(.rectangle(width: side - 8, height: side - 8), center: place))
      tiles.append(tile)
      snaps.append(try animator.add(SnapBehavior(item: tile, snapTo: place, damping: 0.7)))
      cells.append(cell)
    }
  }

  func center(of cell: Int) -> Vector2 {
    Vector2(
      (Float(cell % columns) + 0.5) * side, (Float(cell / columns) + 0.5) * side)
  }

  /// Drops the tile of a number at a point.
  mutating func drop(_ tile: Int, at point: Vector2) throws {
    try animator.setCenter(point, of: tiles[tile])
    let near = (0..<tiles.count).min {
      (center(of: $0) - point).lengthSquared < (center(of: $1) - point).lengthSquared
    }
    guard let near, let other = cells.firstIndex(of: near) else { return }
    try send(other, to: cells[tile])
    try send(tile, to: near)
  }

  private mutating func send(_ tile: Int, to cell: Int) throws {
    cells[tile] = cell
    let place = center(of: cell)
    try animator.update(snaps[tile]) { $0.snapPoint = place }
  }
}
