// What is squeezed out between a heavy body and a wall may be ten times as fast at the end of a
// part of a tick as anything was at its beginning, and then is past a boundary that nobody looked
// for.

extension WorldStorage {
  /// How far a body may move within a part of a tick, in points, before its way is looked at again:
  /// as far as boundaries were looked for.
  var watchedMove: Float {
    edges.count > 0 ? Lookup.speculation + state.edgeSweep : Self.farthestMove
  }

  /// Ends a move before the first boundary that its centre would cross. The speed stays: the next
  /// part of the tick, or the next tick, finds the contact and bounces the body off it.
  func stopBeforeBoundaries(_ row: Int, from origin: Vector2) {
    assert(row < bodies.rowCount && bodies.slots[row] >= 0)
    let properties = properties(ofSlot: Int(bodies.slots[row]))
    guard !properties.isSensor, properties.kind == .dynamic else { return }
    let mask = properties.collisionMask
    let move = position(ofRow: row) - origin
    var share: Float = 1
    for e in 0..<edges.count where edges[e].exists && mask & edges[e].collisionGroup != 0 {
      guard let part = shareBefore(e, row: row, origin, move) else { continue }
      share = part < share ? part : share
    }
    assert(share >= 0 && share <= 1)
    guard share < 1 else { return }
    bodies.poses[row].x = origin.x + move.x * share
    bodies.poses[row].y = origin.y + move.y * share
  }

  /// Which share of a move leaves the body touching an edge that its centre would cross; nil when
  /// it crosses none, or goes back to the side that it belongs to.
  private func shareBefore(
    _ e: Int, row: Int, _ origin: Vector2, _ move: Vector2
  ) -> Float? {
    let edge = edges[e]
    let side = edge.side(of: origin)
    let before = (origin - edge.a).dot(edge.normal) * side
    let after = before + move.dot(edge.normal) * side
    guard after < 0 else { return nil }
    if side < 0 && (edge.isHalfPlane || edge.isOneWay) { return nil }
    if !edge.isHalfPlane {
      let along = (origin + move * (before / (before - after)) - edge.a).dot(edge.tangent)
      guard along >= -Self.jointWidth, along <= edge.length + Self.jointWidth else { return nil }
      let pair = edgePairs.find(row: row, edge: Int32(e))
      guard pair < 0 || edgePairs[pair].side == side else { return nil }
    }
    let inner = innerRadius(ofRow: row)
    let room = inner > Self.leastRoom ? inner : Self.leastRoom
    return before > room ? (before - room) / (before - after) : 0
  }

  /// How far, in points, a centre stays before a boundary whatever the body's shape is: on the line
  /// itself it would belong to either side.
  private static let leastRoom: Float = 0.125

  /// How far an edge reaches past its ends here, in points, so that nothing slips through between
  /// two that meet.
  private static let jointWidth: Float = 0.01

  /// Radius of a disc about the centre that lies within the body, in points; 0 where none is known.
  func innerRadius(ofRow row: Int) -> Float {
    let form = bodies.forms[row]
    guard form.x >= 0 else {
      // One of several shapes may lie beside the centre.
      return state.furtherShapes > 0 && isCompound(Int(bodies.slots[row])) ? 0 : form.z
    }
    return (form.x < form.y ? form.x : form.y) + form.z
  }
}
