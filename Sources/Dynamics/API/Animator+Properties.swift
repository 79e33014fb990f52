extension Animator {
  /// Collects the properties of some items again from all item behaviours, in depth-first order.
  mutating func refreshProperties(of list: [ItemID]) {
    for item in list {
      assert(contains(item), "behaviours hold items that exist")
      items[Int(item.slot)].isStale = true
      items[Int(item.slot)].properties = ItemProperties()
    }
    for slot in order {
      guard case .item(let value) = behaviorRecords[Int(slot)].value else { continue }
      for item in value.items where items[Int(item.slot)].isStale {
        items[Int(item.slot)].properties.overlay(value.values, where: value.stated)
      }
    }
    for item in list {
      items[Int(item.slot)].isStale = false
      writeProperties(Int(item.slot))
    }
  }

  /// Tells the solver an item's properties.
  mutating func writeProperties(_ slot: Int) {
    guard let body = items[slot].body else { return }
    assert(items[slot].exists && world.contains(body))
    let properties = bodyProperties(slot)
    checked { () throws(PhysicsError) in try world.setProperties(properties, of: body) }
  }

  func bodyProperties(_ slot: Int) -> BodyProperties {
    var properties = items[slot].bodyProperties
    properties.collisionMask = solverMask(items[slot])
    return properties
  }
}
