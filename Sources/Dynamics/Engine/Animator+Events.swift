/// The solver's contact events in our words.
extension Animator {
  mutating func collectEvents() {
    for event in world.contactEvents.began {
      if let event = collisionEvent(event) { events.began.append(event) }
    }
    for event in world.contactEvents.sides {
      if let event = collisionEvent(event) { events.began.append(event) }
    }
    for event in world.contactEvents.ended {
      if let event = collisionEvent(event) { events.ended.append(event) }
    }
    assert(
      events.began.count <= world.contactEvents.began.count + world.contactEvents.sides.count)
    assert(events.ended.count <= world.contactEvents.ended.count)
    for number in 0..<boundaryOwners.count where boundaryOwners[number].life == .retiring {
      boundaryOwners[number].life = .free
    }
  }

  /// The solver's event in our words; nil when one of the two is gone.
  private func collisionEvent(_ event: ContactEvent) -> CollisionEvent? {
    guard let item = item(of: event.body) else { return nil }
    switch event.other {
    case .body(let body):
      guard let other = self.item(of: body), let behavior = common(item, other) else { return nil }
      return CollisionEvent(
        behavior: BehaviorHandle(id: behavior), item: item, other: .item(other),
        point: event.point, normal: event.normal, speed: event.speed, impulse: event.impulse)
    case .boundary(let number):
      guard number.value >= 0, Int(number.value) < boundaryOwners.count else { return nil }
      let owner = boundaryOwners[Int(number.value)]
      return CollisionEvent(
        behavior: BehaviorHandle(id: owner.behavior), item: item, other: .boundary(owner.id),
        point: event.point, normal: event.normal, speed: event.speed, impulse: event.impulse)
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
    assert(a != b && shared.trailingZeroBitCount < Self.channelLimit)
    let slot = channels[shared.trailingZeroBitCount]
    return slot >= 0 ? name(Int(slot)) : nil
  }
}
