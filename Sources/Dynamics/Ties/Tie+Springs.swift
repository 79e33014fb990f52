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

/// The exact motion of a damped spring over one tick: a matrix on (displacement, velocity).
struct DampedSpring: Equatable, Sendable {
  private var xx: Float
  private var xv: Float
  private var vx: Float
  private var vv: Float

  /// A spring of `frequency` hertz and a damping ratio of at least 0.
  init(frequency: Float, dampingRatio: Float, step h: Float = PhysicsWorld.tickLength) {
    assert(frequency > 0 && dampingRatio >= 0 && h > 0)
    let omega = 2 * DeterministicMath.pi * frequency
    let decay = dampingRatio * omega
    let fading = Powers.exponential(-decay * h)
    let discriminant = (1 - dampingRatio * dampingRatio) * omega * omega
    // cosine and sine ÷ ωd of the damped motion, by series where the motion turns critical.
    var c: Float
    var s: Float
    let squared = discriminant * h * h
    if squared > 0.01 {
      let damped = discriminant.squareRoot()
      c = DeterministicMath.cosine(damped * h)
      s = DeterministicMath.sine(damped * h) / damped
    } else if squared >= -0.01 {
      c = 1 - squared / 2 * (1 - squared / 12)
      s = h * (1 - squared / 6 * (1 - squared / 20))
    } else {
      let rate = (-discriminant).squareRoot()
      let grow = Powers.exponential(rate * h)
      c = (grow + 1 / grow) * 0.5
      s = (grow - 1 / grow) * 0.5 / rate
    }
    c *= fading
    s *= fading
    xx = c + decay * s
    xv = s
    vx = -omega * omega * s
    vv = c - decay * s
  }

  /// Displacement and velocity a tick later.
  @inline(__always)
  func stepped(_ x: Float, _ v: Float) -> (x: Float, v: Float) {
    (xx * x + xv * v, vx * x + vv * v)
  }

  /// The same for both coordinates.
  func stepped(_ x: Vector2, _ v: Vector2) -> (x: Vector2, v: Vector2) {
    (x * xx + v * xv, x * vx + v * vv)
  }
}

/// How a body is steered to a place and a velocity at the end of a tick by a kick at its beginning
/// and an acceleration throughout it.
enum Steering {
  /// Share of a·h² that the sub-steps of a tick add to a place: (n + 1) / 2n for n sub-steps, since
  /// each adds to the velocity first.
  static var share: Float {
    let n = Float(PhysicsWorld.subSteps)
    return (n + 1) / (2 * n)
  }

  /// The kick and the acceleration that bring velocity `v` to `end` while the place moves by `way`.
  static func plan(way: Float, from v: Float, to end: Float) -> (kick: Float, acceleration: Float) {
    let h = PhysicsWorld.tickLength
    let acceleration = (end * h - way) / ((1 - share) * h * h)
    return (end - v - acceleration * h, acceleration)
  }
}
