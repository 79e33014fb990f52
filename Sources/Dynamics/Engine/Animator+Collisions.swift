/// A collision behaviour has a channel: one bit of the bodies for its items, one for its
/// boundaries.
extension Animator {
  /// Changes what the reference bounds of collision behaviours refer to. Throws `valueOutOfRange`
  /// for bounds without an area, or smaller than a behaviour's insets.
  public mutating func setReferenceBounds(_ bounds: Rect2) throws(DynamicsError) {
    try Self.validate(bounds)
    let old = referenceBounds
    referenceBounds = bounds
    do throws(DynamicsError) {
      for slot in order {
        guard case .collision(let value) = behaviorRecords[Int(slot)].value else { continue }
        try validate(insets: value.referenceInsets)
      }
    } catch {
      referenceBounds = old
      throw error
    }
    guard bounds != old else { return }
    for slot in order {
      guard case .collision(let value) = behaviorRecords[Int(slot)].value,
        let insets = value.referenceInsets
      else { continue }
      removeBoundary(Int(slot), nil)
      addBoundary(.inside(insets.applied(to: bounds)), Int(slot), nil)
    }
    touch()
  }

  /// Adds a boundary to a collision behaviour. Throws `unknownBehavior`, `duplicateBoundary`,
  /// `degenerateBoundary`, `emptyPath`, `tooManyBoundaryPieces`, `valueOutOfRange`.
  public mutating func addBoundary(
    _ path: BoundaryPath, id: BoundaryID, to handle: BehaviorHandle<CollisionBehavior>
  ) throws(DynamicsError) {
    var value = try behavior(handle)
    try value.addBoundary(path, id: id)
    let slot = Int(handle.id.slot)
    try validate(boundariesOf: value, at: slot)
    behaviorRecords[slot].value = .collision(value)
    addBoundary(path.physicsBoundary, slot, id)
    touch()
  }

  /// Adds a line between two points to a collision behaviour. Throws as `addBoundary(_:id:to:)`
  /// does.
  public mutating func addBoundary(
    from start: Vector2, to end: Vector2, id: BoundaryID,
    to handle: BehaviorHandle<CollisionBehavior>
  ) throws(DynamicsError) {
    try addBoundary(.segment(start, end), id: id, to: handle)
  }

  /// Removes a boundary from a collision behaviour; contacts with it end in the next step. Throws
  /// `unknownBehavior`, `unknownBoundary`.
  public mutating func removeBoundary(
    id: BoundaryID, from handle: BehaviorHandle<CollisionBehavior>
  ) throws(DynamicsError) {
    var value = try behavior(handle)
    try value.removeBoundary(id: id)
    let slot = Int(handle.id.slot)
    behaviorRecords[slot].value = .collision(value)
    removeBoundary(slot, id)
    touch()
  }

  func freeChannel(for value: Behavior) throws(DynamicsError) -> Int32 {
    guard case .collision = value else { return -1 }
    guard let free = channels.firstIndex(of: -1) else {
      throw .tooManyCollisionBehaviors(limit: Self.channelLimit)
    }
    return Int32(free)
  }

  private static func itemBit(_ channel: Int32) -> UInt32 {
    assert(channel >= 0 && channel < channelLimit)
    return 1 << UInt32(channel)
  }

  private static func boundaryBit(_ channel: Int32) -> UInt32 {
    assert(channel >= 0 && channel < channelLimit)
    return 1 << UInt32(channel + 16)
  }

  /// Lets an item collide as a behaviour says.
  mutating func join(_ itemSlot: Int, _ slot: Int, _ mode: CollisionBehavior.Mode) {
    assert(channels[Int(behaviorRecords[slot].channel)] == Int32(slot), "a channel has one owner")
    let bits = Self.bits(behaviorRecords[slot].channel, mode)
    clearBits(itemSlot, behaviorRecords[slot].channel)
    items[itemSlot].collisionGroup |= bits.group
    items[itemSlot].collisionMask |= bits.mask
    writeProperties(itemSlot)
  }

  /// The bits of an item that collides as a behaviour says.
  static func bits(
    _ channel: Int32, _ mode: CollisionBehavior.Mode
  ) -> (group: UInt32, mask: UInt32) {
    let items = mode != .boundaries ? itemBit(channel) : 0
    return (items, items | (mode != .items ? boundaryBit(channel) : 0))
  }

  mutating func leave(_ itemSlot: Int, _ slot: Int) {
    assert(items[itemSlot].exists && channels[Int(behaviorRecords[slot].channel)] == Int32(slot))
    clearBits(itemSlot, behaviorRecords[slot].channel)
    writeProperties(itemSlot)
  }

  private mutating func clearBits(_ itemSlot: Int, _ channel: Int32) {
    items[itemSlot].collisionGroup &= ~Self.itemBit(channel)
    items[itemSlot].collisionMask &= ~(Self.itemBit(channel) | Self.boundaryBit(channel))
  }

  /// The solver's mask of an item. An item that collides with everything of the only collision
  /// behaviour gets the solver's default, which spares it the filter.
  func solverMask(_ record: ItemRecord) -> UInt32 {
    let everything = Self.itemBit(0) | Self.boundaryBit(0)
    return hasOneChannel && record.collisionMask == everything ? .max : record.collisionMask
  }

  /// Takes or frees a channel. The second one ends the shortcut of the first, and back.
  mutating func setChannel(_ channel: Int32, _ slot: Int32) {
    assert(slot < 0 || channels[Int(channel)] < 0, "a channel has one owner")
    channels[Int(channel)] = slot
    var others = false
    for i in 1..<channels.count where channels[i] >= 0 { others = true }
    guard hasOneChannel == others else { return }
    hasOneChannel = !others
    for i in 0..<items.count where items[i].body != nil { writeProperties(i) }
  }

  mutating func enactBoundaries(of value: CollisionBehavior, _ slot: Int) {
    if let insets = value.referenceInsets {
      addBoundary(.inside(insets.applied(to: referenceBounds)), slot, nil)
    }
    for entry in value.entries { addBoundary(entry.path.physicsBoundary, slot, entry.id) }
  }

  mutating func removeBoundaries(of value: CollisionBehavior, _ slot: Int) {
    if value.referenceInsets != nil { removeBoundary(slot, nil) }
    for entry in value.entries { removeBoundary(slot, entry.id) }
  }

  mutating func amendBoundaries(
    _ slot: Int, from old: CollisionBehavior, to new: CollisionBehavior
  ) {
    if old.referenceInsets != new.referenceInsets {
      if old.referenceInsets != nil { removeBoundary(slot, nil) }
      if let insets = new.referenceInsets {
        addBoundary(.inside(insets.applied(to: referenceBounds)), slot, nil)
      }
    }
    guard old.entries != new.entries else { return }
    for entry in old.entries where new.boundary(id: entry.id) != entry.path {
      removeBoundary(slot, entry.id)
    }
    for entry in new.entries where old.boundary(id: entry.id) != entry.path {
      addBoundary(entry.path.physicsBoundary, slot, entry.id)
    }
  }

  private mutating func addBoundary(_ boundary: Boundary, _ slot: Int, _ id: BoundaryID?) {
    var number = 0
    while number < boundaryOwners.count && boundaryOwners[number].life != .free { number += 1 }
    assert(behaviorRecords[slot].channel >= 0, "boundaries belong to collision behaviours")
    let owner = BoundaryOwner(life: .alive, behavior: name(slot), id: id)
    if number == boundaryOwners.count {
      boundaryOwners.append(owner)
    } else {
      boundaryOwners[number] = owner
    }
    checked { () throws(PhysicsError) in
      try world.addBoundary(
        boundary, id: BoundaryID(Int32(number)),
        collisionGroup: Self.boundaryBit(behaviorRecords[slot].channel))
    }
  }

  /// The number stays taken until the next step has reported the contacts that ended.
  private mutating func removeBoundary(_ slot: Int, _ id: BoundaryID?) {
    let behavior = name(slot)
    for number in 0..<boundaryOwners.count {
      guard boundaryOwners[number].life == .alive,
        boundaryOwners[number].behavior == behavior, boundaryOwners[number].id == id
      else { continue }
      assert(world.containsBoundary(BoundaryID(Int32(number))), "whoever is alive is there")
      checked { () throws(PhysicsError) in
        try world.removeBoundary(id: BoundaryID(Int32(number)))
      }
      boundaryOwners[number].life = .retiring
    }
  }
}
