extension Animator {
  /// Puts a new behaviour into effect for all its items.
  mutating func enact(_ slot: Int) {
    switch behaviorRecords[slot].value {
    case .gravity(let value):
      world.gravity = value.direction * GravityBehavior.unit
      for item in value.items { setFalls(true, Int(item.slot)) }
    case .collision(let value):
      enactBoundaries(of: value, slot)
      for item in value.items { join(Int(item.slot), slot, value.mode) }
    case .item(let value):
      refreshProperties(of: value.items)
      applyKicks(slot)
    case .attachment(let value):
      enact(value, slot)
    case .push, .snap, .field, .composite:
      break
    }
  }

  /// Undoes a behaviour for all its items, which it lists no more.
  mutating func withdraw(_ slot: Int) {
    assert(
      behaviorRecords[slot].value.items.allSatisfy {
        contains($0) && items[Int($0.slot)].uses > 0
      })
    for item in behaviorRecords[slot].value.items { items[Int(item.slot)].uses -= 1 }
    switch behaviorRecords[slot].value {
    case .gravity(let value):
      world.gravity = .zero
      for item in value.items { setFalls(false, Int(item.slot)) }
    case .collision(let value):
      for item in value.items { leave(Int(item.slot), slot) }
      removeBoundaries(of: value, slot)
      setChannel(behaviorRecords[slot].channel, -1)
    case .attachment(let value):
      withdraw(value)
    case .item, .push, .snap, .field, .composite:
      break
    }
  }

  /// Puts a behaviour's new values into effect; its items are the same.
  mutating func amend(_ slot: Int, from old: Behavior, to new: Behavior) {
    assert(old.kindNumber == new.kindNumber && behaviorRecords[slot].exists)
    behaviorRecords[slot].value = new
    switch (old, new) {
    case (.gravity, .gravity(let value)):
      world.gravity = value.direction * GravityBehavior.unit
    case (.collision(let before), .collision(let after)):
      amendBoundaries(slot, from: before, to: after)
      if before.mode != after.mode {
        for item in after.items { join(Int(item.slot), slot, after.mode) }
      }
    case (.item(let before), .item(let after)):
      if before.values != after.values || before.stated != after.stated {
        refreshProperties(of: after.items)
      }
      applyKicks(slot)
    case (.attachment(let before), .attachment(let after)):
      amend(slot, from: before, to: after)
    default:
      break
    }
  }

  /// Puts a behaviour into effect for one more item.
  mutating func associate(_ itemSlot: Int, with slot: Int) {
    assert(behaviorRecords[slot].exists && behaviorRecords[slot].value.hasItemList)
    countUse(itemSlot)
    switch behaviorRecords[slot].value {
    case .gravity: setFalls(true, itemSlot)
    case .collision(let value): join(itemSlot, slot, value.mode)
    case .item: refreshProperties(of: [itemID(itemSlot)])
    case .push, .attachment, .snap, .field, .composite: break
    }
  }

  /// Undoes a behaviour for an item that it lists no more.
  mutating func dissociate(_ itemSlot: Int, from slot: Int) {
    switch behaviorRecords[slot].value {
    case .gravity: setFalls(false, itemSlot)
    case .collision: leave(itemSlot, slot)
    case .item: refreshProperties(of: [itemID(itemSlot)])
    case .push, .attachment, .snap, .field, .composite: break
    }
  }

  func itemID(_ slot: Int) -> ItemID {
    assert(items[slot].exists, "a name of nobody")
    return ItemID(slot: UInt16(slot), generation: items[slot].generation)
  }

  private mutating func setFalls(_ falls: Bool, _ itemSlot: Int) {
    assert(items[itemSlot].exists && items[itemSlot].falls != falls, "one gravity pulls")
    items[itemSlot].falls = falls
    writeProperties(itemSlot)
  }

  /// Adds the velocities that waited for their items.
  private mutating func applyKicks(_ slot: Int) {
    guard case .item(var value) = behaviorRecords[slot].value, !value.kicks.isEmpty else { return }
    for kick in value.kicks {
      guard let body = items[Int(kick.item.slot)].body else { continue }
      let state = world.body(body)!
      checked { () throws(PhysicsError) in
        try world.setVelocity(state.velocity + kick.velocity, of: body)
        try world.setAngularVelocity(state.angularVelocity + kick.spin, of: body)
      }
    }
    value.kicks = []
    behaviorRecords[slot].value = .item(value)
  }
}
