extension Animator {
  /// Ticks of rest after which the animator pauses: half a second, as UIKit's waits (measured).
  static let restLimit = 30
  /// Slower than this many pt/s is at rest (measured).
  static let restSpeed: Float = 1
  /// Slower than this many rad/s is at rest: 2° a second (measured).
  static let restSpin: Float = 0.0349066

  /// Steps by 1/60 s and returns what happened.
  ///
  /// When every item has rested for half a second the animator pauses: steps do nothing, and
  /// `elapsedTime` stands, until anything is changed. Noise that changes with time, and custom
  /// fields, keep it running.
  @discardableResult
  public mutating func step() -> StepEvents {
    _ = advance { _ in .zero }
    return events
  }

  /// Steps by 1/60 s, asking `field` for the forces of custom fields, and then calls `action` with
  /// the animator and what happened, unless it is paused. UIKit's custom field and per-step action.
  ///
  /// A force of 1 accelerates mass 1 by 100 pt/s²; what is not finite counts as none.
  ///
  /// While it runs, the animator is the closure's: whoever keeps it in a property of a class uses
  /// the closure's first argument, because Swift stops a program that touches the property
  /// meanwhile.
  ///
  /// Throws what `action` throws. The step has been made then, and `events` tells what happened.
  ///
  /// The closures are the caller's and no part of the state: a replica that steps without them goes
  /// another way. Only programs that don't replicate use them.
  @discardableResult
  public mutating func step<Failure: Error>(
    field: (FieldSample) -> Vector2 = { _ in .zero },
    action: (inout Animator, StepEvents) throws(Failure) -> Void
  ) throws(Failure) -> StepEvents {
    if advance(field) { try action(&self, events) }
    return events
  }

  /// Steps by 1/60 s and then calls `composites` for each composite behaviour, unless the animator
  /// is paused: UIKit's `action` of a behaviour. The handle says whose turn it is.
  ///
  /// ```swift
  /// try animator.step(composites: { animator, composite, events in
  ///   if composite == rain { try animator.addLinearVelocity(Vector2(1, 0), for: ball) }
  /// })
  /// ```
  ///
  /// The turns go depth first in order of addition; a composite that an earlier one has removed has
  /// none. `action` comes after them. Throws what the closures throw; the step has been made then,
  /// and the turns that remain fall out. As with `action`, only programs that don't replicate use
  /// it.
  @discardableResult
  public mutating func step<Failure: Error>(
    field: (FieldSample) -> Vector2 = { _ in .zero },
    composites: (inout Animator, CompositeBehavior.Handle, StepEvents) throws(Failure) -> Void,
    action: (inout Animator, StepEvents) throws(Failure) -> Void = { _, _ in }
  ) throws(Failure) -> StepEvents {
    guard advance(field) else { return events }
    var handles: [CompositeBehavior.Handle] = []
    for slot in order where isComposite(Int(slot)) {
      handles.append(CompositeBehavior.Handle(id: name(Int(slot))))
    }
    for handle in handles where isThere(handle.id) { try composites(&self, handle, events) }
    try action(&self, events)
    return events
  }

  /// Steps by 1/60 s, asking `field` for the forces of custom fields.
  @discardableResult
  public mutating func step(field: (FieldSample) -> Vector2) -> StepEvents {
    _ = advance(field)
    return events
  }

  /// Makes a step unless the animator is paused; whether it did.
  private mutating func advance(_ field: (FieldSample) -> Vector2) -> Bool {
    events.clear()
    assert(itemCount <= items.count && world.bodyCount <= itemCount)
    assert(order.count <= behaviorRecords.count && channels.count == Self.channelLimit)
    guard resume() else { return false }
    applyForces(field)
    assert(forced.isEmpty, "all forces have been handed on")
    world.step()
    // A step every 60th of a second comes to the end of these numbers in ten thousand million
    // years, but a forged snapshot may be there.
    stepCount &+= 1
    endJumps()
    collectEvents()
    updateRest()
    return true
  }

  private func isThere(_ id: BehaviorID) -> Bool {
    let slot = Int(id.slot)
    return behaviorRecords[slot].exists && behaviorRecords[slot].generation == id.generation
  }

  private mutating func resume() -> Bool {
    if isPaused {
      guard hasChanged else { return false }
      isPaused = false
      events.willResume = true
    }
    hasChanged = false
    return true
  }

  private mutating func updateRest() {
    restTicks = everythingRests() ? restTicks + 1 : 0
    assert(restTicks >= 0 && restTicks <= Self.restLimit + 1)
    guard restTicks >= Self.restLimit, !hasChanged else { return }
    isPaused = true
    events.didPause = true
    restTicks = 0
  }

  /// Stops at the first item that moves, so it costs nothing while a world is busy.
  private func everythingRests() -> Bool {
    for slot in order {
      if case .field(let field) = behaviorRecords[Int(slot)].value, field.mayWake { return false }
    }
    for slot in 0..<items.count {
      guard let body = items[slot].body else { continue }
      let state = world.body(body)!
      guard state.velocity.lengthSquared < Self.restSpeed * Self.restSpeed,
        state.angularVelocity < Self.restSpin, state.angularVelocity > -Self.restSpin
      else { return false }
    }
    return !hasJumpingAnchor()
  }
}

extension Animator {
  /// Forgets what only speeds up or refines the world's next step, see `PhysicsWorld.dropCaches`:
  /// every copy has to do it after the same step.
  public mutating func dropCaches() { world.dropCaches() }
}

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
