/// What a snapshot leaves out because it follows from the rest, and the checks that the parts of a
/// snapshot fit each other, so that no later call can trap on a forged one.
extension Animator {
  mutating func relink() throws(DynamicsError) {
    guard itemCount <= world.configuration.capacity else { throw .malformedSnapshot }
    try linkBodies()
    try linkGroups()
    try linkOrder()
    for slot in order { try linkBehavior(Int(slot)) }
    for record in items where record.exists && (record.body != nil) != (record.uses > 0) {
      throw .malformedSnapshot
    }
    try linkBoundaries()
    linkProperties()
    assert(world.bodyCount <= itemCount && order.count <= behaviors.count)
  }

  private mutating func linkBodies() throws(DynamicsError) {
    var bodies = 0
    for slot in 0..<items.count where items[slot].exists {
      guard let body = items[slot].body else { continue }
      guard world.contains(body) else { throw .malformedSnapshot }
      while itemOfBody.count <= Int(body.slot) {
        itemOfBody.append(ItemID(slot: .max, generation: 0))
      }
      guard itemOfBody[Int(body.slot)].slot == .max else { throw .malformedSnapshot }
      itemOfBody[Int(body.slot)] = itemID(slot)
      bodies += 1
    }
    guard bodies == world.bodyCount else { throw .malformedSnapshot }
  }

  private mutating func linkGroups() throws(DynamicsError) {
    for slot in 0..<items.count where items[slot].exists {
      for place in 0..<items[slot].members.count {
        let member = try self.place(items[slot].members[place].item)
        guard member != slot, items[member].group < 0, items[member].members.isEmpty,
          items[member].body == nil
        else { throw .malformedSnapshot }
        items[member].group = Int32(slot)
        items[member].groupPlace = place
      }
    }
  }

  /// The order names every behaviour once, parents before their children.
  private mutating func linkOrder() throws(DynamicsError) {
    clearMarks(behaviors.count)
    for slot in order {
      let (exists, parent) = (behaviors[Int(slot)].exists, behaviors[Int(slot)].parent)
      guard exists, !marks[Int(slot)] else { throw .malformedSnapshot }
      marks[Int(slot)] = true
      guard parent != -1 else { continue }
      guard parent >= 0, Int(parent) < behaviors.count, marks[Int(parent)],
        isComposite(Int(parent)), depth(of: parent) <= Self.depthLimit
      else { throw .malformedSnapshot }
    }
    for slot in 0..<behaviors.count where behaviors[slot].exists && !marks[slot] {
      throw .malformedSnapshot
    }
  }

  /// Checks a behaviour's values and items, and counts it for its items.
  private mutating func linkBehavior(_ slot: Int) throws(DynamicsError) {
    let value = behaviors[slot].value
    try validate(value, at: slot)
    try countUses(value.items)
    let channel = behaviors[slot].channel
    switch value {
    case .gravity:
      for item in value.items { items[Int(item.slot)].falls = true }
    case .collision(let collision):
      guard channel >= 0, Int(channel) < Self.channelLimit, channels[Int(channel)] == -1 else {
        throw .malformedSnapshot
      }
      channels[Int(channel)] = Int32(slot)
      if channel > 0 { hasOneChannel = false }
      assert(value.items.allSatisfy { contains($0) }, "uses have been counted")
      for item in value.items { setBits(Int(item.slot), channel, collision.mode) }
      return
    default:
      break
    }
    guard channel == -1 else { throw .malformedSnapshot }
  }

  /// Every item exists, is there once, and is in no group; counts the behaviour for it.
  private mutating func countUses(_ list: [ItemID]) throws(DynamicsError) {
    clearMarks(items.count)
    for item in list {
      let slot = try freePlace(item)
      guard !marks[slot], items[slot].uses < .max else { throw .malformedSnapshot }
      marks[slot] = true
      items[slot].uses += 1
    }
  }

  private mutating func clearMarks(_ count: Int) {
    marks.removeAll(keepingCapacity: true)
    marks.append(contentsOf: repeatElement(false, count: count))
  }

  private func linkBoundaries() throws(DynamicsError) {
    guard world.boundariesAreNumbered(below: boundaryOwners.count) else {
      throw .malformedSnapshot
    }
    for number in 0..<boundaryOwners.count {
      let isThere = world.containsBoundary(BoundaryID(Int32(number)))
      guard isThere == (boundaryOwners[number].life == .alive) else { throw .malformedSnapshot }
    }
  }

  /// Collects the items' properties without telling the solver, which has them.
  private mutating func linkProperties() {
    for slot in order {
      guard case .item(let value) = behaviors[Int(slot)].value else { continue }
      for item in value.items {
        items[Int(item.slot)].properties.overlay(value.values, where: value.stated)
      }
    }
  }
}
