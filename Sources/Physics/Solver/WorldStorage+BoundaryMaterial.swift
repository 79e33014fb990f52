extension WorldStorage {
  /// Mixes the materials of boundaries that have one of their own into those of four bodies which
  /// they touch: friction √(a·b), and the larger restitution. `pairs` are places in the list of
  /// pairs with boundaries, negative for lanes that stand for none. Worlds without such boundaries
  /// don't get here.
  func mixBoundaries(_ pairs: IntLanes, _ friction: inout Lanes, _ restitution: inout Lanes) {
    assert(state.edgesWithMaterial > 0)
    for lane in 0..<4 where pairs[lane] >= 0 {
      let edge = edges[Int(edgePairs[Int(pairs[lane])].edge)]
      assert(edge.exists, "pairs go with their boundaries")
      if edge.friction >= 0 { friction[lane] = (friction[lane] * edge.friction).squareRoot() }
      if edge.restitution > restitution[lane] { restitution[lane] = edge.restitution }
    }
  }

  /// Whether a one-way piece lets a body through: until all of the body has got to the side that is
  /// solid, which is noted in the pair.
  @inline(__always)
  func passesOneWay(_ edge: EdgeRecord, row: Int, pair: Int) -> Bool {
    guard edge.isOneWay && !edge.isHalfPlane && edgePairs[pair].side < 0 else { return false }
    guard isBeyond(edge, row: row) else { return true }
    edgePairs[pair].side = 1
    return false
  }

  /// Whether a body is on the side that the normal points to, with all of it that is before or
  /// behind the segment, but for what resting contacts overlap.
  func isBeyond(_ edge: EdgeRecord, row: Int) -> Bool {
    let center = position(ofRow: row)
    guard edge.side(of: center) > 0 else { return false }
    let manifold = EdgeManifold.between(
      edge, side: 1, core: placedCore(row: row), radius: bodies.forms[row].z, center: center,
      reach: 0)
    if manifold.count > 0 && manifold.first.separation < -Touch.release { return false }
    return manifold.count < 2 || manifold.second.separation >= -Touch.release
  }
}
