/// Attachments: from behaviours to ties and back.
extension Animator {
  /// Notes where an attachment's ends are when it is added.
  mutating func enact(_ value: AttachmentBehavior, _ slot: Int) {
    var value = value
    assert(value.items.count == 1 || (value.items.count == 2 && value.items[0] != value.items[1]))
    let one = Int(value.items[0].slot)
    let a = frame(one)
    let b = value.items.count == 2 ? frame(Int(value.items[1].slot)) : nil
    let other = b?.rotation ?? .identity
    var armA = value.offset - items[one].solid.centerOfMass
    var armB = Vector2.zero
    if value.kind == .distance || value.kind == .limit {
      if value.items.count == 2 {
        armB = value.otherOffset - items[Int(value.items[1].slot)].solid.centerOfMass
      }
    } else {
      armA = (value.anchorPoint - a.position).unrotated(by: a.rotation)
      if let b { armB = (value.anchorPoint - b.position).unrotated(by: b.rotation) }
    }
    value.start = AttachmentStart(
      armA: armA, armB: armB, turn: a.rotation * other.inverse,
      axis: value.axis.unrotated(by: other), lastAnchor: value.anchorPoint)
    if value.length == nil, value.kind == .distance || value.kind == .limit {
      let from = a.position + armA.rotated(by: a.rotation)
      let to = b.map { $0.position + armB.rotated(by: $0.rotation) } ?? value.anchorPoint
      assert(from.isFinite && to.isFinite)
      value.length = (to - from).length
    }
    behaviorRecords[slot].value = .attachment(value)
  }

  private func frame(_ slot: Int) -> (position: Vector2, rotation: Rotation) {
    guard let body = items[slot].body else {
      let rest = items[slot].rest
      return (
        rest.center + items[slot].solid.centerOfMass.rotated(by: rest.rotation), rest.rotation
      )
    }
    let state = world.body(body)!
    return (state.position, state.rotation)
  }

  /// Before the tick: kicks and forces that keep the attachments.
  mutating func solveAttachments() {
    collectTies()
    guard !solver.ties.isEmpty else { return }
    assert(solver.ties.count <= order.count && solver.bodies.count <= itemCount)
    solver.solvePlaces()
    for body in solver.bodies {
      write(body)
      guard body.force.isFinite, body.torque.isFinite else { continue }
      add(body.force, torque: body.torque, to: Int(body.item))
    }
  }

  /// After the tick: velocities that fit the attachments, and what the next tick must know.
  mutating func finishAttachments() {
    guard !solver.ties.isEmpty else { return }
    for i in 0..<solver.bodies.count { solver.bodies[i] = current(solver.bodies[i]) }
    for i in 0..<solver.ties.count { solver.ties[i].begin(solver.bodies) }
    for i in 0..<solver.ties.count { remember(solver.ties[i]) }
    solver.markDragged()
    assert(forced.isEmpty, "forces act in the step, not after it")
    solver.solveVelocities()
    for body in solver.bodies { if body.isDragged { lend(body) } else { write(body) } }
    solver.clear()
  }

  private mutating func collectTies() {
    solver.clear()
    for slot in order {
      guard case .attachment(let value) = behaviorRecords[Int(slot)].value, let start = value.start,
        value.items.count > 0
      else { continue }
      let a = tiedBody(value.items[0])
      let b = value.items.count == 2 ? tiedBody(value.items[1]) : -1
      assert(a >= 0 && a != b, "a tie has two ends")
      solver.ties.append(Tie(behavior: slot, a: a, b: b, value: value, start: start))
    }
    assert(solver.bodies.count <= 2 * solver.ties.count)
    takeBackLentMotion()
    for body in solver.bodies { items[Int(body.item)].tie = -1 }
  }

  private mutating func tiedBody(_ item: ItemID) -> Int32 {
    let slot = Int(item.slot)
    assert(contains(item) && Int(items[slot].tie) < solver.bodies.count)
    if items[slot].tie >= 0 { return items[slot].tie }
    let place = Int32(solver.bodies.count)
    items[slot].tie = place
    let isAnchored = items[slot].properties.isAnchored
    let mass = mass(slot)
    let inertia = mass * items[slot].solid.inertiaPerMass
    assert(mass > 0 && inertia > 0)
    let inverseMass = isAnchored ? 0 : 1 / mass
    let turns = !isAnchored && items[slot].properties.allowsRotation
    let inverseInertia = turns ? 1 / inertia : 0
    var body = TiedBody(
      item: item.slot, inverseMass: inverseMass, inverseInertia: inverseInertia, position: .zero,
      rotation: .identity, velocity: .zero, spin: 0,
      acceleration: isAnchored ? .zero : gravity(on: slot) + items[slot].force * inverseMass,
      spinning: items[slot].torque * inverseInertia)
    body = current(body)
    solver.bodies.append(body)
    return place
  }

  /// The body where it is now. Not in place: a method that changes a part of the animator it reads
  /// would make a copy of that part first.
  private func current(_ old: TiedBody) -> TiedBody {
    guard let id = items[Int(old.item)].body else { return old }
    var body = old
    let state = world.body(id)!
    body.position = state.position
    body.rotation = state.rotation
    body.velocity = state.velocity
    body.spin = state.angularVelocity
    return body
  }

  private mutating func write(_ body: TiedBody) {
    guard let id = items[Int(body.item)].body, body.inverseMass > 0, body.velocity.isFinite,
      body.spin.isFinite
    else { return }
    checked { () throws(PhysicsError) in
      try world.setVelocity(body.velocity, of: id)
      if body.inverseInertia > 0 { try world.setAngularVelocity(body.spin, of: id) }
    }
  }

  /// Keeps a pin's turns, the anchor's place, and how fast the tie may pull: when something in
  /// the way left most of the demand undone, slowly; else soon fast again. Whoever is on the way at
  /// full speed demands nothing more of a tick, and is not in anybody's way.
  private mutating func remember(_ tie: Tie) {
    let slot = Int(tie.behavior)
    guard case .attachment(var value) = behaviorRecords[slot].value, var start = value.start else {
      return
    }
    let a = solver.bodies[Int(tie.a)].rotation
    let b = tie.b >= 0 ? solver.bodies[Int(tie.b)].rotation : .identity
    assert(Int(tie.a) < solver.bodies.count && Int(tie.b) < solver.bodies.count && tie.slack >= 0)
    start.angle = tie.angle(a, b)
    start.lastAnchor = tie.anchor
    let asked = (tie.demand ?? 0) - tie.slack
    let half = start.reach * PhysicsWorld.tickLength * 0.5
    let isBlocked =
      asked > (half < 0.5 ? half : 0.5)
      && tie.remaining(solver.bodies) > tie.slack + asked * 0.5
    let next = isBlocked ? start.reach * 0.25 : start.reach * 2
    let slowest = Tie.slowestCorrection(threshold: bounceThreshold)
    start.reach = next < slowest ? slowest : next
    if start.reach > Tie.fastestCorrection { start.reach = Tie.fastestCorrection }
    value.start = start
    behaviorRecords[slot].value = .empty
    behaviorRecords[slot].value = .attachment(value)
  }
}
