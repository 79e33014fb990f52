extension StreamState {
  /// Codes which bodies come, after the others moved: how each looks, then where each is. Their
  /// velocity is 0 for prediction.
  ///
  /// Among all the bodies of a world, as a keyframe has them, places are told by where is space.
  func codeAdded<Coder: BinaryCoder>(
    targets: UnsafePointer<StreamTarget>?, targetEnd: Int, isKeyframe: Bool,
    with coder: inout Coder
  ) throws(WireError) {
    let count = try codeAddedLooks(targets: targets, targetEnd: targetEnd, with: &coder)
    assert(count <= shape.slots && slotEnd <= shape.slots)
    let smallest = smallestAdded(count)
    if isKeyframe { free.clear() }
    for index in 0..<count {
      let slot = Int(added[index])
      let target = targets?[slot].place ?? SIMD4(repeating: 0)
      let size = Int(looks[slot].size)
      // Two sizes in points are twice the distance of two that touch.
      let distance = (size &+ smallest) &* Int(shape.profile.stepsPerPoint) / 2
      let place =
        isKeyframe
        ? try codeFreePlace(target, distance: distance, with: &coder)
        : codePlace(target, with: &coder)
      for axis in 0..<3 {
        axes[slot &* 3 &+ axis] = AxisPredictor(
          position: place[axis], velocity: 0, isCalm: false)
      }
      recent[slot] = RecentResiduals()
    }
  }

  /// Codes slots and looks, lists the slots in `added`, and returns how many there are.
  private func codeAddedLooks<Coder: BinaryCoder>(
    targets: UnsafePointer<StreamTarget>?, targetEnd: Int, with coder: inout Coder
  ) throws(WireError) -> Int {
    var next = 0
    var size: UInt8 = 40
    let count = models.code(
      Coder.isDecoder ? 0 : addedCount(targets, targetEnd), as: .addedCount, with: &coder)
    for index in 0..<count {
      var slot = next
      if let targets { while !isAdded(slot, targets) { slot &+= 1 } }
      slot = next &+ models.code(slot &- next, as: .addedSlot, with: &coder)
      guard slot < shape.slots, slot >= slotEnd || !looks[slot].isPresent else {
        throw .outOfRange(.slot)
      }
      let target = targets?[slot].looks ?? StreamLooks()
      let looks = try codeLooks(target, size: &size, with: &coder)
      take(slot, looks)
      assert(index < shape.slots && slot >= next, "slots ascend")
      added[index] = UInt16(truncatingIfNeeded: slot)
      next = slot &+ 1
    }
    return count
  }

  private func take(_ slot: Int, _ body: StreamLooks) {
    assert(slot >= 0 && slot < shape.slots && body.isPresent)
    while slotEnd <= slot {
      looks[slotEnd] = StreamLooks()
      slotEnd &+= 1
    }
    looks[slot] = body
  }

  private func smallestAdded(_ count: Int) -> Int {
    var smallest = Int(UInt8.max)
    for index in 0..<count {
      let size = Int(looks[Int(added[index])].size)
      if size < smallest { smallest = size }
    }
    return smallest
  }

  private func isAdded(_ slot: Int, _ targets: UnsafePointer<StreamTarget>) -> Bool {
    targets[slot].looks.isPresent && (slot >= slotEnd || !looks[slot].isPresent)
  }

  func addedCount(_ targets: UnsafePointer<StreamTarget>?, _ targetEnd: Int) -> Int {
    guard let targets else { return 0 }
    var count = 0
    for slot in 0..<targetEnd where isAdded(slot, targets) { count &+= 1 }
    return count
  }
}

extension StreamState {
  /// Codes generation, kind, and a size if it is not the size of the body added before.
  private func codeLooks<Coder: BinaryCoder>(
    _ target: StreamLooks, size: inout UInt8, with coder: inout Coder
  ) throws(WireError) -> StreamLooks {
    let generation = models.code(Int(target.generation), as: .generation, with: &coder)
    guard generation <= Int(UInt16.max) else { throw .outOfRange(.generation) }
    let kind = models.codeTree(Int(target.kind), bits: 5, as: .kind, with: &coder)
    if coder.code(target.size == size ? 0 : 1, with: models.flag(.otherSize)) != 0 {
      size = UInt8(models.codeTree(Int(target.size), bits: 8, as: .size, with: &coder))
      guard size > 0 else { throw .outOfRange(.size) }
    }
    return StreamLooks(
      generation: UInt16(generation), kind: UInt8(kind), size: size)
  }

  /// Codes a place on the lattice: within the world in as few bits as its size needs, elsewhere in
  /// 20 signed bits a coordinate; then the angle.
  private func codePlace<Coder: BinaryCoder>(
    _ target: SIMD4<Double>, with coder: inout Coder
  ) -> SIMD4<Double> {
    var place = LatticePoint(target)
    if !codeBeyondWorld(&place, with: &coder) { codeAnywhere(&place, with: &coder) }
    return withAngle(place, target[2], with: &coder)
  }

  /// As `codePlace`, but within the world by one of the cells that are free, unless it is none;
  /// what is nearer than `distance` is free no more.
  private func codeFreePlace<Coder: BinaryCoder>(
    _ target: SIMD4<Double>, distance: Int, with coder: inout Coder
  ) throws(WireError) -> SIMD4<Double> {
    var place = LatticePoint(target)
    if !codeBeyondWorld(&place, with: &coder) {
      let isCrowded = Coder.isDecoder || free.isFree(x: place.x, y: place.y) ? 0 : 1
      if coder.code(isCrowded, with: models.flag(.crowded)) != 0 {
        codeAnywhere(&place, with: &coder)
      } else {
        try codeCell(&place, with: &coder)
      }
    }
    assert(distance > 0, "who is there has a size")
    free.occupy(x: place.x, y: place.y, distance: distance)
    return withAngle(place, target[2], with: &coder)
  }

  /// Codes whether a place is beyond the world, and if it is, the place.
  private func codeBeyondWorld<Coder: BinaryCoder>(
    _ place: inout LatticePoint, with coder: inout Coder
  ) -> Bool {
    let isBeyond =
      place.x < 0 || place.x >= shape.latticeWidth || place.y < 0
      || place.y >= shape.latticeHeight
    guard coder.code(isBeyond ? 1 : 0, with: models.flag(.beyondWorld)) != 0 else { return false }
    let offset = 1 << 19
    assert(Coder.isDecoder || (place.x >= -offset && place.x < offset), "20 bits hold it")
    assert(Coder.isDecoder || (place.y >= -offset && place.y < offset), "20 bits hold it")
    place.x = coder.codeBits(place.x &+ offset, count: 20) &- offset
    place.y = coder.codeBits(place.y &+ offset, count: 20) &- offset
    return true
  }

  /// Codes a place of the world, all as likely.
  private func codeAnywhere<Coder: BinaryCoder>(
    _ place: inout LatticePoint, with coder: inout Coder
  ) {
    place.x = coder.codeUniform(place.x, below: shape.latticeWidth)
    place.y = coder.codeUniform(place.y, below: shape.latticeHeight)
  }

  /// Codes a place in a free cell: the block, the cell among the block's free ones, the place in
  /// the cell.
  private func codeCell<Coder: BinaryCoder>(
    _ place: inout LatticePoint, with coder: inout Coder
  ) throws(WireError) {
    let isDecoder = Coder.isDecoder
    let block = models.codeTree(
      isDecoder ? 0 : free.block(x: place.x, y: place.y), bits: FreePlaces.blockBits * 2,
      as: .block, with: &coder)
    guard free.count(inBlock: block) > 0 else { throw .outOfRange(.coordinate) }
    let index = coder.codeUniform(
      isDecoder ? 0 : free.index(x: place.x, y: place.y), below: free.count(inBlock: block))
    let cell = free.cell(index, inBlock: block)
    place.x = cell.x &+ coder.codeUniform(place.x &- cell.x, below: free.edge)
    place.y = cell.y &+ coder.codeUniform(place.y &- cell.y, below: free.edge)
  }

  private func withAngle<Coder: BinaryCoder>(
    _ place: LatticePoint, _ target: Double, with coder: inout Coder
  ) -> SIMD4<Double> {
    let angle = Int(floorInt(target + 0.5)) & (CodecProfile.anglesPerTurn &- 1)
    return SIMD4(Double(place.x), Double(place.y), Double(coder.codeBits(angle, count: 10)), 0)
  }
}

/// A place in lattice steps.
private struct LatticePoint {
  var x: Int
  var y: Int

  /// The one nearest to a target.
  init(_ target: SIMD4<Double>) {
    x = Int(floorInt(target[0] + 0.5))
    y = Int(floorInt(target[1] + 0.5))
  }
}
