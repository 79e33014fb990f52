/// What acts on items in a step, before the solver's part of it.
extension Animator {
  mutating func applyForces(_ custom: (FieldSample) -> Vector2) {
    for slot in order {
      guard case .field(let field) = behaviorRecords[Int(slot)].value, field.kind == .velocity
      else { continue }
      drive(field)
    }
    for slot in order {
      switch behaviorRecords[Int(slot)].value {
      case .push(let push):
        guard push.isActive else { continue }
        apply(push)
        if push.mode == .instantaneous { deactivatePush(Int(slot)) }
      case .field(let field):
        if field.kind != .velocity { apply(field, Int(slot), custom) }
      case .snap(let snap):
        apply(snap)
      default:
        break
      }
    }
    moveAnchors()
    flushForces()
  }

  /// Adds to an item's forces for the coming step; the torque is about the centre of mass.
  mutating func add(_ force: Vector2, torque: Float = 0, to slot: Int) {
    assert(force.isFinite && torque.isFinite)
    assert(items[slot].body != nil, "forces are for what a behaviour moves")
    items[slot].force += force
    items[slot].torque += torque
    guard !items[slot].isForced else { return }
    items[slot].isForced = true
    forced.append(UInt16(slot))
  }

  private mutating func flushForces() {
    for slot in forced {
      let i = Int(slot)
      assert(items[i].isForced, "nobody is listed twice")
      if let body = items[i].body {
        let (force, torque) = (items[i].force, items[i].torque)
        checked { () throws(PhysicsError) in
          if force != .zero { try world.applyForce(force, to: body) }
          if torque != 0 { try world.applyTorque(torque, to: body) }
        }
      }
      items[i].force = .zero
      items[i].torque = 0
      items[i].isForced = false
      items[i].isDriven = false
    }
    forced.removeAll(keepingCapacity: true)
  }

  /// An item that forces move: one with a body, not anchored, and not driven by a velocity field.
  private func pushable(_ item: ItemID) -> BodyID? {
    let slot = Int(item.slot)
    assert(contains(item), "behaviours hold items that exist")
    return items[slot].isDriven || items[slot].properties.isAnchored ? nil : items[slot].body
  }

  private mutating func apply(_ push: PushBehavior) {
    assert(push.offsets.count == push.items.count)
    let force = push.direction * PushBehavior.unit
    guard force != .zero else { return }
    for i in 0..<push.items.count {
      let slot = Int(push.items[i].slot)
      guard let body = pushable(push.items[i]) else { continue }
      let rotation = world.body(body)!.rotation
      let arm = (push.offsets[i] - items[slot].solid.centerOfMass).rotated(by: rotation)
      if push.mode == .continuous {
        add(force, torque: arm.cross(force), to: slot)
      } else {
        checked { () throws(PhysicsError) in
          try world.applyImpulse(force, to: body)
          try world.applyAngularImpulse(arm.cross(force), to: body)
        }
      }
    }
  }

  private mutating func deactivatePush(_ slot: Int) {
    guard case .push(var push) = behaviorRecords[slot].value else { return }
    push.isActive = false
    behaviorRecords[slot].value = .push(push)
  }

  /// Gives the items in a velocity field its velocity, and takes gravity and resistance back.
  private mutating func drive(_ field: FieldBehavior) {
    assert(field.kind == .velocity && field.region.isValid)
    let velocity = field.direction * (field.strength * FieldBehavior.metre)
    for item in field.items {
      let slot = Int(item.slot)
      guard let body = items[slot].body, !items[slot].properties.isAnchored,
        field.region.contains(world.body(body)!.position - field.position)
      else { continue }
      checked { () throws(PhysicsError) in try world.setVelocity(velocity, of: body) }
      let mass = mass(slot)
      let hold = velocity * items[slot].properties.resistance - gravity(on: slot)
      if items[slot].isDriven { items[slot].force = .zero }
      items[slot].isDriven = true
      add(hold * mass, to: slot)
    }
  }

  private mutating func apply(
    _ field: FieldBehavior, _ behavior: Int, _ custom: (FieldSample) -> Vector2
  ) {
    assert(field.kind != .velocity && field.region.isValid, "velocities are given before")
    let handle = BehaviorHandle<FieldBehavior>(id: name(behavior))
    let time = Float(elapsedTime)
    // Forces that change with the place are asked where their mean over the tick is: with this lead
    // an undamped spring neither gains nor loses.
    let lead = (1 - Steering.share) * PhysicsWorld.tickLength
    for item in field.items {
      let slot = Int(item.slot)
      guard let body = pushable(item) else { continue }
      let state = world.body(body)!
      let place = state.position - field.position
      guard field.region.contains(place) else { continue }
      let mass = mass(slot)
      assert(mass > 0)
      let charge = items[slot].properties.charge
      var given = Vector2.zero
      if field.kind == .custom {
        given = custom(
          FieldSample(
            field: handle, item: item, position: place, velocity: state.velocity, mass: mass,
            charge: charge, time: time))
      }
      let probe = FieldProbe(
        p: (place + state.velocity * lead) / FieldBehavior.metre,
        v: state.velocity / FieldBehavior.metre, mass: mass, charge: charge, time: time)
      let force = field.force(probe, custom: given) * FieldBehavior.metre
      add(Self.bounded(force, mass), to: slot)
    }
  }

  /// A force that takes no more than a tick to reach the solver's speed limit, and is a number.
  private static func bounded(_ force: Vector2, _ mass: Float) -> Vector2 {
    let most = mass * PhysicsWorld.speedLimit / PhysicsWorld.tickLength
    assert(most > 0)
    let size = force.length
    guard size > most else { return size.isFinite ? force : .zero }
    let bounded = force * (most / size)
    return bounded.isFinite ? bounded : .zero
  }

  func mass(_ slot: Int) -> Float {
    assert(items[slot].exists)
    return items[slot].mass
  }

  /// The gravity behaviour's acceleration of an item.
  func gravity(on slot: Int) -> Vector2 { items[slot].falls ? world.gravity : .zero }

  private mutating func apply(_ snap: SnapBehavior) {
    assert(snap.items.count == 1)
    guard let item = snap.items.first, let body = pushable(item) else { return }
    let slot = Int(item.slot)
    let state = world.body(body)!
    let target = snap.snapPoint + items[slot].solid.centerOfMass
    let away = state.position - target
    let angle = items[slot].properties.allowsRotation ? state.rotation.angle : 0
    if Self.hasArrived(away, angle, state) {
      guard away != .zero || angle != 0 || state.velocity != .zero else {
        add(gravity(on: slot) * -mass(slot), to: slot)
        return
      }
      checked { () throws(PhysicsError) in
        try world.setPosition(target, of: body)
        if angle != 0 { try world.setRotation(.identity, of: body) }
        try world.setVelocity(.zero, of: body)
        try world.setAngularVelocity(0, of: body)
      }
      add(gravity(on: slot) * -mass(slot), to: slot)
      return
    }
    let spring = DampedSpring(
      frequency: SnapBehavior.frequency, dampingRatio: snap.damping, step: PhysicsWorld.tickLength)
    let x = Steering.plan(spring, from: away.x, state.velocity.x)
    let y = Steering.plan(spring, from: away.y, state.velocity.y)
    let spin = Steering.plan(spring, from: angle, state.angularVelocity)
    let velocity = state.velocity + Vector2(x.kick, y.kick)
    checked { () throws(PhysicsError) in
      try world.setVelocity(velocity, of: body)
      try world.setAngularVelocity(state.angularVelocity + spin.kick, of: body)
    }
    let mass = mass(slot)
    let inertia = mass * items[slot].solid.inertiaPerMass
    let force = (Vector2(x.acceleration, y.acceleration) - gravity(on: slot)) * mass
    add(force, torque: spin.acceleration * inertia, to: slot)
  }

  /// Near enough that the rest can't be seen: the item is put on the point.
  private static func hasArrived(_ away: Vector2, _ angle: Float, _ state: BodyState) -> Bool {
    away.lengthSquared < 0.0001 && state.velocity.lengthSquared < 0.01
      && angle < 0.0005 && angle > -0.0005
      && state.angularVelocity < 0.005 && state.angularVelocity > -0.005
  }
}
