import Dynamics
import Physics

extension Pit {
  /// Edge of the cells in which the first stickers start: the largest sticker and a gap.
  private static let cell: Float = 54
  /// Places that a waiting sticker tries in a tick before it waits for the next.
  private static let tries = 8

  /// Puts the first stickers into cells that chance chooses, spread over the whole pit as if they
  /// had been raining for a while, upright so that none touches another. What finds no cell rains
  /// in.
  mutating func placeFirstStickers(_ wanted: Int) {
    let count = wanted < bodyCap ? wanted : bodyCap
    let columns = Int32(worldSize.x / Pit.cell)
    let rows = Int32(worldSize.y / Pit.cell)
    var cells: [Int32] = Array(0..<(columns * rows))
    let placed = count < cells.count ? count : cells.count
    for index in 0..<placed {
      let chosen = index + Int(chance.next(below: UInt32(cells.count - index)))
      cells.swapAt(index, chosen)
      place(Sticker(from: &chance), column: cells[index] % columns, row: cells[index] / columns)
    }
    waiting = count - placed
  }

  private mutating func place(_ sticker: Sticker, column: Int32, row: Int32) {
    let play = (Pit.cell - Float(sticker.size)) * 0.5
    let middle = Vector2(Float(column) + 0.5, Float(row) + 0.5) * Pit.cell
    let shift = Vector2(chance.nextFloat(-play, play), chance.nextFloat(-play, play))
    let id = playground.add(sticker, at: middle + shift, angle: 0, velocity: .zero)
    if let id { ages.append(id) }
  }

  /// Drops waiting stickers from the top at random x, wherever there is room.
  mutating func rain() {
    guard waiting > 0 else { return }
    for _ in 0..<Pit.tries where waiting > 0 {
      let margin = Pit.cell * 0.5
      let place = Vector2(chance.nextFloat(margin, worldSize.x - margin), margin)
      guard playground.isFree(around: place, halfSize: margin) else { continue }
      if ages.count < bodyCap {
        _ = insert(Sticker(from: &chance), at: place, velocity: .zero)
      }
      waiting -= 1
    }
  }

  /// Puts stickers that left the box, by however strange a way, back to its nearest place, at rest.
  /// Whatever happens in the physics, nobody's sticker is lost.
  mutating func bringBackStrays() {
    for id in ages {
      let position = playground.animator.center(of: id)
      let isInside =
        position.x >= 0 && position.x <= worldSize.x && position.y >= 0
        && position.y <= worldSize.y
      if isInside { continue }
      let margin = playground.sticker(of: id).halfSize
      playground.setCenter(inside(position, margin: margin), of: id)
      playground.setVelocity(.zero, of: id)
    }
  }
}
