extension Animator {
  /// The topmost simulated item that covers a point: of several the one whose body came last.
  public func item(at point: Vector2) -> ItemID? {
    guard let body = world.body(at: point) else { return nil }
    return item(of: body)
  }

  /// The simulated items whose bounding boxes meet a rectangle. UIKit's `items(in:)`.
  public func items(in rectangle: Rect2) -> [ItemID] {
    var bodies: [BodyID] = []
    var result: [ItemID] = []
    items(in: rectangle, into: &result, scratch: &bodies)
    return result
  }

  /// The same into memory that the caller keeps.
  public func items(
    in rectangle: Rect2, into result: inout [ItemID], scratch: inout [BodyID]
  ) {
    result.removeAll(keepingCapacity: true)
    world.bodies(in: rectangle, into: &scratch)
    for body in scratch {
      if let id = item(of: body) { result.append(id) }
    }
  }

  /// The place in a list, from `first` on, of the first item whose centre is not in a rectangle, to
  /// which its edges belong; nil when there is none. The items must exist.
  package func firstStray(
    of list: [ItemID], from first: Int, outside rectangle: Rect2
  ) -> Int? {
    assert(first >= 0 && first <= list.count)
    for place in first..<list.count {
      let center = state(known(list[place])).center
      let isInside =
        center.x >= rectangle.minX && center.x <= rectangle.maxX && center.y >= rectangle.minY
        && center.y <= rectangle.maxY
      if !isInside { return place }
    }
    return nil
  }
}

/// Between the world's points and an item's own. UIKit's `convert(_:to:)` of views.
extension Animator {
  /// A point of the world as one of the item's own frame, from its centre: the offset at which an
  /// attachment or a push takes hold of the item there. The item must exist.
  public func convert(_ point: Vector2, to item: ItemID) -> Vector2 {
    let state = state(of: item)
    return (point - state.center).unrotated(by: state.rotation)
  }

  /// A point of the item's own frame, from its centre, as a point of the world. The item must
  /// exist.
  public func convert(_ point: Vector2, from item: ItemID) -> Vector2 {
    let state = state(of: item)
    return state.center + point.rotated(by: state.rotation)
  }
}

/// What there is in an animator, for whoever checks one that came from a snapshot.
extension Animator {
  /// Behaviours in the animator.
  package var behaviorCount: Int { order.count }

  /// Every behaviour's slot is below this number.
  package var behaviorSlotCount: Int { behaviorRecords.count }

  /// The behaviour in a slot, composites without their children; nil when the slot is free.
  package func behavior(atSlot slot: Int) -> Behavior? {
    behaviorRecords[slot].exists ? behaviorRecords[slot].value : nil
  }

  /// Whether no item is made of others, and each one is as `isSound` says of its tag, its outline
  /// and its mass.
  package func hasOnlyItems(
    _ isSound: (UInt32, ItemShape, Float) -> Bool
  ) -> Bool {
    items.withUnsafeBufferPointer { records in
      for slot in records.indices where records[slot].exists {
        guard records[slot].members.isEmpty,
          isSound(records[slot].tag, records[slot].outline, records[slot].mass)
        else { return false }
      }
      return true
    }
  }
}
