/// Where in the world a body may still be, given those whose places are known: bodies hardly
/// overlap, and where some are, more are likely.
///
/// The world in square cells, and those in 8 × 8 blocks. A keyframe names the block, then one of
/// its free cells, then the place in the cell. Bodies of 40 pt in a pile cost 2 bits less so.
struct FreePlaces {
  /// Edge of a cell in lattice steps.
  let edge: Int
  private let columns: Int
  private let rows: Int
  /// By row and column: 1 while no body is near.
  private let isFree: UnsafeMutablePointer<UInt8>
  /// Free cells by row and column of blocks.
  private let freeInRow: UnsafeMutablePointer<Int32>
  /// Free cells by block.
  private let freeInBlock: UnsafeMutablePointer<Int32>

  /// Edge of a cell in points; twice, four times… that in worlds that would have too many.
  private static let leastEdge = 8
  /// Cells a side at most: a quarter of a megabyte in all.
  private static let mostCells = 512
  /// Bits of a block's row, and of its column.
  static let blockBits = 3
  private static let blocks = 1 << blockBits

  init(_ shape: StreamShape) {
    let width = shape.latticeWidth
    let height = shape.latticeHeight
    let longest = width > height ? width : height
    var edge = FreePlaces.leastEdge * Int(shape.profile.stepsPerPoint)
    while (longest - 1) / edge >= FreePlaces.mostCells { edge *= 2 }
    self.edge = edge
    columns = (width - 1) / edge + 1
    rows = (height - 1) / edge + 1
    assert(columns > 0 && columns <= FreePlaces.mostCells)
    assert(rows > 0 && rows <= FreePlaces.mostCells)
    isFree = .allocate(capacity: columns * rows)
    freeInRow = .allocate(capacity: rows * FreePlaces.blocks)
    freeInBlock = .allocate(capacity: FreePlaces.blocks * FreePlaces.blocks)
    clear()
  }

  func deallocate() {
    isFree.deallocate()
    freeInRow.deallocate()
    freeInBlock.deallocate()
  }

  /// Makes all cells free.
  func clear() {
    isFree.initialize(repeating: 1, count: columns &* rows)
    freeInRow.initialize(repeating: 0, count: rows &* FreePlaces.blocks)
    freeInBlock.initialize(repeating: 0, count: FreePlaces.blocks &* FreePlaces.blocks)
    for row in 0..<rows {
      for column in 0..<columns { count(1, row: row, column: column) }
    }
  }

  private func count(_ change: Int32, row: Int, column: Int) {
    let block = FreePlaces.block(row, of: rows) &* FreePlaces.blocks
    let side = FreePlaces.block(column, of: columns)
    freeInRow[row &* FreePlaces.blocks &+ side] &+= change
    freeInBlock[block &+ side] &+= change
    assert(freeInBlock[block &+ side] >= 0, "a cell is occupied once")
  }

  /// The row or column of blocks that a row or column of cells belongs to.
  private static func block(_ index: Int, of count: Int) -> Int { index &* blocks / count }

  /// The first row or column of cells in a row or column of blocks.
  private static func first(_ block: Int, of count: Int) -> Int {
    (block &* count &+ blocks &- 1) / blocks
  }
}

extension FreePlaces {
  /// Whether a place of the world is in a free cell.
  func isFree(x: Int, y: Int) -> Bool {
    assert(x >= 0 && y >= 0 && x / edge < columns && y / edge < rows, "cells lie in the world")
    return isFree[y / edge &* columns &+ x / edge] != 0
  }

  /// The block of a place, its row above its column.
  func block(x: Int, y: Int) -> Int {
    FreePlaces.block(y / edge, of: rows) &* FreePlaces.blocks
      &+ FreePlaces.block(x / edge, of: columns)
  }

  /// Free cells of a block.
  func count(inBlock block: Int) -> Int {
    assert(block >= 0 && block < FreePlaces.blocks * FreePlaces.blocks)
    return Int(freeInBlock[block])
  }

  /// Free cells of its block before the one of a place, row by row.
  func index(x: Int, y: Int) -> Int {
    assert(isFree(x: x, y: y), "only free cells are counted")
    let row = y / edge
    let column = x / edge
    let side = FreePlaces.block(column, of: columns)
    var index = 0
    for above in FreePlaces.first(FreePlaces.block(row, of: rows), of: rows)..<row {
      index &+= Int(freeInRow[above &* FreePlaces.blocks &+ side])
    }
    for left in FreePlaces.first(side, of: columns)..<column {
      index &+= Int(isFree[row &* columns &+ left])
    }
    return index
  }

  /// The first place of the block's free cell number `index`, which must be there.
  func cell(_ index: Int, inBlock block: Int) -> (x: Int, y: Int) {
    assert(index >= 0 && index < count(inBlock: block), "the block has that many")
    let side = block & (FreePlaces.blocks &- 1)
    var left = index
    var row = FreePlaces.first(block / FreePlaces.blocks, of: rows)
    while left >= Int(freeInRow[row &* FreePlaces.blocks &+ side]) {
      left &-= Int(freeInRow[row &* FreePlaces.blocks &+ side])
      row &+= 1
      assert(row < rows)
    }
    var column = FreePlaces.first(side, of: columns)
    while left > 0 || isFree[row &* columns &+ column] == 0 {
      left &-= Int(isFree[row &* columns &+ column])
      column &+= 1
      assert(column < columns)
    }
    return (column &* edge, row &* edge)
  }

  /// No other body is expected nearer than `distance` from here, but for 3/4 of a cell: bodies
  /// overlap a little, and cells are coarse.
  func occupy(x: Int, y: Int, distance: Int) {
    let reach = distance &- 3 &* edge / 4
    guard reach > 0 else { return }
    let top = y > reach ? (y &- reach) / edge : 0
    let left = x > reach ? (x &- reach) / edge : 0
    let bottom = (y &+ reach) / edge
    let right = (x &+ reach) / edge
    var row = top
    while row <= bottom, row < rows {
      var column = left
      while column <= right, column < columns {
        let dx = column &* edge &+ edge / 2 &- x
        let dy = row &* edge &+ edge / 2 &- y
        let cell = isFree + (row &* columns &+ column)
        if cell.pointee != 0, dx &* dx &+ dy &* dy < reach &* reach {
          cell.pointee = 0
          count(-1, row: row, column: column)
        }
        column &+= 1
      }
      row &+= 1
    }
  }
}
