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
  /// The group collides with the outlines of its members, and with nothing between them. Its centre
  /// is their centre of mass, its mass theirs at the group's density, and its inertia theirs about
  /// that centre. Each member costs what an item costs, and counts against the capacity a second
  /// time; one with a concave path, as often as the path has convex parts.
  ///
  /// Throws `unknownItem`, `duplicateItem`, `groupUnusable` when the list is empty, an item is in a
  /// behaviour or a group, or one is too small and too far off to keep its form in the group's
  /// frame; `tooManyShapes` for members of more than 64 convex outlines together
  /// (`CompoundShape.mostShapes`), `tooManyItems`, and `sizeOutOfRange` where they are more than
  /// 8192 pt apart.
  public mutating func addGroup(
    _ list: [ItemID], tag: UInt32 = 0
  ) throws(DynamicsError) -> ItemID {
    guard !list.isEmpty else { throw .groupUnusable }
    try validate(items: list)
    for item in list {
      let record = items[Int(item.slot)]
      guard record.uses == 0, record.members.isEmpty else { throw .groupUnusable }
    }
    // About the first member, because far from the origin coordinates are coarse.
    let first = items[Int(list[0].slot)].rest.center
    let center: Vector2
    let group: ItemID
    do throws(DynamicsError) {
      let offset = try SolidShape(.compound(outlines(of: list, about: first))).centerOfMass
      center = first + offset
      group = try addItem(
        Item(.compound(outlines(of: list, about: center)), center: center, tag: tag))
    } catch {
      throw error == .pathUnusable ? .groupUnusable : error
    }
    let slot = Int(group.slot)
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

  /// The outlines of items that rest, and those that compounds among them are made of.
  private func outlines(of list: [ItemID], about center: Vector2) -> [ItemShape.Part] {
    var parts: [ItemShape.Part] = []
    for item in list {
      let (outline, rest) = (items[Int(item.slot)].outline, items[Int(item.slot)].rest)
      let place = rest.center - center
      guard case .compound(let own) = outline else {
        parts.append(ItemShape.Part(outline, center: place, rotation: rest.rotation))
        continue
      }
      for part in own {
        parts.append(
          ItemShape.Part(
            part.shape, center: place + part.center.rotated(by: rest.rotation),
            rotation: rest.rotation * part.rotation))
      }
    }
    assert(parts.count >= list.count)
    return parts
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
