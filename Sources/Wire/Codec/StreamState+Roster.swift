extension StreamState {
  /// Codes gravity's change.
  func codeGravity<Coder: BinaryCoder>(to target: QuantizedGravity, with coder: inout Coder) {
    guard coder.code(target == gravity ? 1 : 0, with: models.flag(.gravityStays)) == 0 else {
      return
    }
    let x = models.codeSigned(Int(target.x) &- Int(gravity.x), as: .gravity, with: &coder)
    let y = models.codeSigned(Int(target.y) &- Int(gravity.y), as: .gravity, with: &coder)
    gravity = QuantizedGravity(
      x: Int16(truncatingIfNeeded: Int(gravity.x) &+ x),
      y: Int16(truncatingIfNeeded: Int(gravity.y) &+ y))
  }

  /// Codes which bodies go, before the others move. `changed` is whether any go or come; returns
  /// it.
  func codeRemoved<Coder: BinaryCoder>(
    targets: UnsafePointer<StreamTarget>?, changed: Bool, with coder: inout Coder
  ) throws(WireError) -> Bool {
    guard coder.code(changed ? 0 : 1, with: models.flag(.bodiesStay)) == 0 else { return false }
    var next = 0
    var left = models.code(
      Coder.isDecoder ? 0 : removedCount(targets), as: .removedCount, with: &coder)
    while left > 0 {
      var slot = next
      if let targets { while !isRemoved(slot, targets) { slot &+= 1 } }
      slot = next &+ models.code(slot &- next, as: .removedSlot, with: &coder)
      guard slot < slotEnd, looks[slot].isPresent else { throw .outOfRange(.slot) }
      assert(slot >= next, "slots ascend")
      looks[slot] = StreamLooks()
      next = slot &+ 1
      left &-= 1
    }
    return true
  }

  private func isRemoved(_ slot: Int, _ targets: UnsafePointer<StreamTarget>) -> Bool {
    looks[slot].isPresent && !looks[slot].isSame(as: targets[slot].looks)
  }

  func removedCount(_ targets: UnsafePointer<StreamTarget>?) -> Int {
    guard let targets else { return 0 }
    var count = 0
    for slot in 0..<slotEnd where isRemoved(slot, targets) { count &+= 1 }
    return count
  }
}

extension StreamState {
  /// Codes coarsely how every body moved in the frame before, for frames that don't show it. A body
  /// that was there at the base is expected to have moved evenly over the `frames` since, a new one
  /// like its neighbours. `velocities` are by slot and only the encoder's.
  func codeVelocities<Coder: BinaryCoder>(
    frames: Double, velocities: UnsafePointer<SIMD4<Double>>?, with coder: inout Coder
  ) {
    assert(frames >= 1)
    grid.sort(
      slotEnd: slotEnd, looks: looks, axes: axes, stepsPerPoint: shape.profile.stepsPerPoint)
    for place in 0..<grid.count {
      let slot = Int(grid.slots[place])
      assert(slot < slotEnd && looks[slot].isPresent, "the grid holds who is there")
      let axis = axes + slot &* 3
      let moved = SIMD4(axis[0].velocity, axis[1].velocity, axis[2].velocity, 0)
      let isNew = moved == SIMD4(repeating: 0)
      let neighbours = grid.neighbours(of: place)
      let even = isNew ? neighbours.motion * neighbours.share : moved / frames
      let surprise = neighbours.surprise
      var sizes = SIMD4<Int32>(repeating: 0)
      var velocity = SIMD4<Double>(repeating: 0)
      for lane in 0..<3 {
        let expected = CoarseVelocity.code(floorInt(even[lane] + 0.5))
        var off = 0
        if !Coder.isDecoder, let velocities {
          off = Int(CoarseVelocity.code(floorInt(velocities[slot][lane])) &- expected)
        }
        let variant = (lane == 2 ? 8 : 0) &+ (isNew ? 4 : 0) &+ (surprise > 3 ? 3 : surprise)
        off = models.codeSigned(off, as: .velocity, variant: variant, with: &coder)
        let code = Int32(truncatingIfNeeded: Int(expected) &+ off)
        sizes[lane] = Int32(truncatingIfNeeded: abs(off))
        velocity[lane] = Double(CoarseVelocity.value(code))
        axis[lane].setVelocity(velocity[lane])
      }
      grid.note(place, sizes: sizes, motion: velocity)
    }
  }
}
