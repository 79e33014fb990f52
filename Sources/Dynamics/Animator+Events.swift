/// The solver's contact events in our words.
extension Animator {
  mutating func collectEvents() {
    for event in world.contactEvents.began {
      if case .boundary(let number) = event.other, !beganFirst(event.body, number) { continue }
      if let event = collisionEvent(event) { events.began.append(event) }
    }
    for event in world.contactEvents.ended {
      if case .boundary(let number) = event.other, !endedLast(event.body, number) { continue }
      if let event = collisionEvent(event) { events.ended.append(event) }
    }
    for number in 0..<boundaryOwners.count where boundaryOwners[number].life == .retiring {
      boundaryOwners[number].life = .free
    }
  }

  /// Counts a piece that an item began to touch; whether it is the boundary's first.
  private mutating func beganFirst(_ body: BodyID, _ boundary: BoundaryID) -> Bool {
    for i in 0..<boundaryTouches.count
    where boundaryTouches[i].body == body && boundaryTouches[i].boundary == boundary.value {
      boundaryTouches[i].pieces += 1
      return false
    }
    boundaryTouches.append(BoundaryTouch(body: body, boundary: boundary.value, pieces: 1))
    return true
  }

  /// Counts a piece that an item ceased to touch; whether it was the boundary's last.
  private mutating func endedLast(_ body: BodyID, _ boundary: BoundaryID) -> Bool {
    for i in 0..<boundaryTouches.count
    where boundaryTouches[i].body == body && boundaryTouches[i].boundary == boundary.value {
      boundaryTouches[i].pieces -= 1
      guard boundaryTouches[i].pieces == 0 else { return false }
      boundaryTouches.swapAt(i, boundaryTouches.count - 1)
      boundaryTouches.removeLast()
      return true
    }
    return false
  }

  /// The solver's event in our words; nil when one of the two is gone.
  private func collisionEvent(_ event: ContactEvent) -> CollisionEvent? {
    guard let item = item(of: event.body) else { return nil }
    switch event.other {
    case .body(let body):
      guard let other = self.item(of: body), let behavior = common(item, other) else { return nil }
      return CollisionEvent(
        behavior: BehaviorHandle(id: behavior), item: item, other: .item(other),
        point: event.point, normal: event.normal)
    case .boundary(let number):
      guard number.value >= 0, Int(number.value) < boundaryOwners.count else { return nil }
      let owner = boundaryOwners[Int(number.value)]
      return CollisionEvent(
        behavior: BehaviorHandle(id: owner.behavior), item: item, other: .boundary(owner.id),
        point: event.point, normal: event.normal)
    }
  }

  /// The behaviour of the lowest channel that lets two items collide. When the contact ended
  /// because they no longer share one, the first that either has.
  private func common(_ a: ItemID, _ b: ItemID) -> BehaviorID? {
    let (one, two) = (
      items[Int(a.slot)].collisionGroup, items[Int(b.slot)].collisionGroup
    )
    let shared = one & two != 0 ? one & two : one | two
    guard shared != 0 else { return nil }
    let slot = channels[shared.trailingZeroBitCount]
    return slot >= 0 ? name(Int(slot)) : nil
  }
}
