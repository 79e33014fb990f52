// What springs and friction add to the forces of a tick.

extension Tie {
  /// The kick and the force of the exact damped motion over the tick, along the line between the
  /// points; the forces already known move its middle.
  func spring(_ bodies: inout [TiedBody]) {
    assert(isSpring && damping >= 0)
    let spring = DampedSpring(frequency: frequency, dampingRatio: damping)
    let omega = 2 * DeterministicMath.pi * frequency
    let moving = relativeVelocity(bodies) + (b >= 0 ? .zero : anchorVelocity)
    let known = relativeAcceleration(bodies)
    if length < Self.shortest {
      let sag = known / (omega * omega)
      let next = spring.stepped(apart - sag, moving)
      let x = Steering.plan(way: next.x.x + sag.x - apart.x, from: moving.x, to: next.v.x)
      let y = Steering.plan(way: next.x.y + sag.y - apart.y, from: moving.y, to: next.v.y)
      let mass = pointMass(bodies)
      push(&bodies, mass.times(Vector2(x.kick, y.kick)))
      pull(&bodies, mass.times(Vector2(x.acceleration, y.acceleration) - known))
      return
    }
    let stretch = apart.dot(normal) - length
    let speed = moving.dot(normal)
    let across = moving.dot(normal.perpendicular)
    let outward = known.dot(normal) + across * across / (stretch + length)
    let sag = outward / (omega * omega)
    let next = spring.stepped(stretch - sag, speed)
    let plan = Steering.plan(way: next.x + sag - stretch, from: speed, to: next.v)
    let mass = lineMass(bodies, normal, armA, armB)
    push(&bodies, normal * (plan.kick * mass))
    pull(&bodies, normal * ((plan.acceleration - outward) * mass))
  }

  /// A pin's friction: a torque against the turning, at most what stops it within the tick.
  func friction(_ bodies: inout [TiedBody]) {
    guard kind == .pin, frictionTorque > 0 else { return }
    let h = PhysicsWorld.tickLength
    let inverse = turnMobility(bodies)
    guard inverse > 0 else { return }
    var turning = bodies[Int(a)].spin + bodies[Int(a)].spinning * h
    if b >= 0 { turning -= bodies[Int(b)].spin + bodies[Int(b)].spinning * h }
    let most = frictionTorque * 10_000 * h
    let wanted = turning / inverse
    turn(&bodies, wanted > most ? most : wanted < -most ? -most : wanted)
  }
}
