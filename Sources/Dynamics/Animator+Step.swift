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
  /// `elapsedTime` stands, until anything is changed.
  @discardableResult
  public mutating func step() -> StepEvents {
    events.clear()
    guard resume() else { return events }
    applyForces()
    world.step()
    stepCount += 1
    collectEvents()
    updateRest()
    return events
  }

  /// Steps by 1/60 s and then calls `action` with the animator and what happened, unless it is
  /// paused. UIKit's per-step action.
  ///
  /// The closure is the caller's and no part of the state: a replica that steps without it goes
  /// another way. Only programs that don't replicate use it.
  @discardableResult
  public mutating func step(
    action: (inout Animator, StepEvents) -> Void
  ) -> StepEvents {
    let before = stepCount
    let events = step()
    if stepCount != before { action(&self, events) }
    return events
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

  private mutating func applyForces() {
    for slot in order {
      if case .push(let push) = behaviors[Int(slot)].value, push.isActive {
        apply(push)
        if push.mode == .instantaneous { deactivatePush(Int(slot)) }
      }
    }
  }

  private mutating func apply(_ push: PushBehavior) {
    let force = push.direction * PushBehavior.unit
    guard force != .zero else { return }
    for i in 0..<push.items.count {
      let slot = Int(push.items[i].slot)
      guard let body = items[slot].body else { continue }
      let center = state(slot)
      let point = center.center + push.offsets[i].rotated(by: center.rotation)
      if push.mode == .continuous {
        world.applyForce(force, at: point, to: body)
      } else {
        world.applyImpulse(force, at: point, to: body)
      }
    }
  }

  private mutating func deactivatePush(_ slot: Int) {
    guard case .push(var push) = behaviors[slot].value else { return }
    push.isActive = false
    behaviors[slot].value = .push(push)
  }

  private mutating func updateRest() {
    restTicks = everythingRests() ? restTicks + 1 : 0
    guard restTicks >= Self.restLimit, !hasChanged else { return }
    isPaused = true
    events.didPause = true
    restTicks = 0
  }

  /// Stops at the first item that moves, so it costs nothing while a world is busy.
  private func everythingRests() -> Bool {
    for slot in 0..<items.count {
      guard let body = items[slot].body else { continue }
      let state = world.body(body)
      guard state.velocity.lengthSquared < Self.restSpeed * Self.restSpeed,
        state.angularVelocity < Self.restSpin, state.angularVelocity > -Self.restSpin
      else { return false }
    }
    return true
  }
}
