/// An item in a group, about the group's centre.
struct GroupMember: Equatable, Sendable {
  var item: ItemID
  var center: Vector2
  var rotation: Rotation
}

/// Groups: several items moved as one body. UIKit's `UIDynamicItemGroup`.
extension Animator {
  /// Makes one item of several, which keep their places in it. The group goes into behaviours in
  /// their stead, and its members' states follow it.
  ///
  /// The group's centre is its members' centre of mass. Its outline is convex: gaps and dents
  /// between the members are filled, and beyond eight corners it is simplified. Its mass is its
  /// members' at the group's density, spread evenly over the outline.
  ///
  /// Throws `unknownItem`, `duplicateItem`, `groupUnusable` when the list is empty or an item is in
  /// a behaviour or a group, `tooManyItems`, `sizeOutOfRange`.
  public mutating func addGroup(
    _ list: [ItemID], tag: UInt32 = 0
  ) throws(DynamicsError) -> ItemID {
    guard !list.isEmpty else { throw .groupUnusable }
    try validate(items: list)
    var area: Float = 0
    var center = Vector2.zero
    for item in list {
      let record = items[Int(item.slot)]
      guard record.uses == 0, record.members.isEmpty else { throw .groupUnusable }
      let size = record.solid.area
      area += size
      center +=
        (record.rest.center + record.solid.centerOfMass.rotated(by: record.rest.rotation)) * size
    }
    assert(area > 0)
    center = center / area
    let outline = try GroupOutline(members: list.map { items[Int($0.slot)] }, about: center)
    let group = try addItem(Item(outline.shape, center: center, tag: tag))
    let slot = Int(group.slot)
    items[slot].densityScale = area / items[slot].solid.area
    for (place, item) in list.enumerated() {
      let rest = items[Int(item.slot)].rest
      items[slot].members.append(
        GroupMember(item: item, center: rest.center - center, rotation: rest.rotation))
      assert(items[Int(item.slot)].group < 0 && Int(item.slot) != slot, "nobody is in two groups")
      items[Int(item.slot)].group = Int32(slot)
      items[Int(item.slot)].groupPlace = place
    }
    return group
  }

  /// The members of a group; empty for other items. The item must exist.
  public func members(of group: ItemID) -> [ItemID] {
    items[known(group)].members.map { $0.item }
  }

  /// The group that an item is part of, or nil. The item must exist.
  public func group(of item: ItemID) -> ItemID? {
    let slot = items[known(item)].group
    return slot >= 0 ? itemID(Int(slot)) : nil
  }

  func memberState(_ slot: Int) -> ItemState {
    let group = Int(items[slot].group)
    assert(items[group].exists && items[group].group < 0, "no group is in another")
    let whole = state(group)
    let member = items[group].members[items[slot].groupPlace]
    assert(Int(member.item.slot) == slot, "groups and members know each other")
    let arm = member.center.rotated(by: whole.rotation)
    let mass = items[group].solid.centerOfMass.rotated(by: whole.rotation)
    return ItemState(
      center: whole.center + arm, rotation: whole.rotation * member.rotation,
      velocity: whole.velocity + (arm - mass).perpendicular * whole.angularVelocity,
      angularVelocity: whole.angularVelocity)
  }

  /// Lets a group's members go, with the motion that they had in it.
  mutating func freeMembers(_ slot: Int) {
    for member in items[slot].members {
      let place = Int(member.item.slot)
      assert(Int(items[place].group) == slot && items[place].body == nil)
      items[place].rest = memberState(place)
      items[place].group = -1
    }
    items[slot].members = []
  }
}
