extension StreamState {
  /// Codes what is drawn besides the bodies: one bit while it stays as it is, else each of the
  /// three lists that changed, whole. `target` is only the encoder's.
  func codeScenery<Coder: BinaryCoder>(
    to target: Scenery?, with coder: inout Coder
  ) throws(WireError) {
    let stays = target.map { $0 == scenery } ?? false
    guard coder.code(stays ? 1 : 0, with: models.flag(.sceneryStays)) == 0 else { return }
    try codeBoundaries(to: target, with: &coder)
    try codeHolders(to: target, with: &coder)
    try codeRods(to: target, with: &coder)
    assert(scenery.boundaries.count <= Scenery.mostBoundaries)
    assert(scenery.holders.count <= Scenery.mostHolders && scenery.rods.count <= Scenery.mostRods)
  }

  private func codeBoundaries<Coder: BinaryCoder>(
    to target: Scenery?, with coder: inout Coder
  ) throws(WireError) {
    let stays = target.map { $0.boundaries == scenery.boundaries } ?? false
    guard coder.code(stays ? 1 : 0, with: models.flag(.boundariesStay)) == 0 else { return }
    let count = coder.codeBits(target?.boundaries.count ?? 0, count: 6)
    scenery.boundaries.removeAll(keepingCapacity: true)
    for index in 0..<count {
      let wanted = target?.boundaries[index]
      let id = UInt8(truncatingIfNeeded: coder.codeBits(Int(wanted?.id ?? 0), count: 8))
      let boundary = SceneryBoundary(
        id: id, ax: coder.codeInt16(wanted?.ax), ay: coder.codeInt16(wanted?.ay),
        bx: coder.codeInt16(wanted?.bx), by: coder.codeInt16(wanted?.by))
      guard scenery.append(boundary) else { throw .outOfRange(.scenery) }
    }
  }

  private func codeHolders<Coder: BinaryCoder>(
    to target: Scenery?, with coder: inout Coder
  ) throws(WireError) {
    let stays = target.map { $0.holders == scenery.holders } ?? false
    guard coder.code(stays ? 1 : 0, with: models.flag(.holdersStay)) == 0 else { return }
    let count = coder.codeBits(target?.holders.count ?? 0, count: 9)
    scenery.holders.removeAll(keepingCapacity: true)
    for index in 0..<count {
      let wanted = target?.holders[index]
      let holder = SceneryHolder(
        slot: coder.codeUInt16(wanted?.slot), client: coder.codeUInt16(wanted?.client))
      guard scenery.append(holder) else { throw .outOfRange(.scenery) }
    }
  }

  private func codeRods<Coder: BinaryCoder>(
    to target: Scenery?, with coder: inout Coder
  ) throws(WireError) {
    let stays = target.map { $0.rods == scenery.rods } ?? false
    guard coder.code(stays ? 1 : 0, with: models.flag(.rodsStay)) == 0 else { return }
    let count = coder.codeBits(target?.rods.count ?? 0, count: 7)
    scenery.rods.removeAll(keepingCapacity: true)
    for index in 0..<count {
      let wanted = target?.rods[index]
      let rod = SceneryRod(
        slot: coder.codeUInt16(wanted?.slot), x: coder.codeInt16(wanted?.x),
        y: coder.codeInt16(wanted?.y), attachX: coder.codeInt16(wanted?.attachX),
        attachY: coder.codeInt16(wanted?.attachY))
      guard scenery.append(rod) else { throw .outOfRange(.scenery) }
    }
  }
}

extension BinaryCoder {
  fileprivate mutating func codeInt16(_ value: Int16?) -> Int16 {
    Int16(truncatingIfNeeded: codeBits(Int(value ?? 0), count: 16))
  }

  fileprivate mutating func codeUInt16(_ value: UInt16?) -> UInt16 {
    UInt16(truncatingIfNeeded: codeBits(Int(value ?? 0), count: 16))
  }
}
