/// An attachment in the solver's terms, between a body and another or a point of the world.
struct Tie: Equatable, Sendable {
  /// The attachment's slot among the behaviours.
  var behavior: UInt16
  var kind: AttachmentBehavior.Kind
  /// Places in the list of bodies; −1 is the world.
  var a: Int32
  var b: Int32
  var start: AttachmentStart
  /// The point of the world at the tick's end, and the velocity that it gives to what hangs on it.
  /// A rigid tie's anchor that jumps travels on at `fastestCorrection`, and gives no velocity.
  private(set) var anchor: Vector2
  private(set) var anchorVelocity: Vector2
  /// Whether the anchor jumped, and arrives in a later tick.
  private let travels: Bool
  /// Whether it has travelled before, and arrives in this tick.
  private var arrives = false
  var length: Float
  var frequency: Float
  var damping: Float
  var frictionTorque: Float
  var range: ClosedRange<Float>?

  /// The arms at the tick's beginning, in the world.
  private(set) var armA = Vector2.zero
  private(set) var armB = Vector2.zero
  /// From the first point to the second, at the tick's beginning.
  private var apart = Vector2.zero
  private var normal = Vector2(0, -1)
  /// What a rope has pulled in this tick.
  private var pulled: Float = 0
  /// How far the places had to be moved in this tick, in points; nil before the first sweep.
  private(set) var demand: Float?
  /// What is left for later ticks, because the reach does not allow more.
  private(set) var slack: Float = 0

  /// Fastest that a distance is corrected, in pt/s: 100 pt a tick, which the world's contacts can
  /// still stop.
  static let fastestCorrection: Float = 6000
  /// The least that the same may be while something is in the way.
  static let slowestCorrection: Float = 6
  /// Full turns that a pin counts, either way (823 550 rad): eight times the widest range that it
  /// may have, and a `Float` still tells a sixteenth of a radian apart there. What goes on beyond
  /// keeps its phase.
  static let mostTurns: Float = 131_072
  /// How far a pin may say that it has turned, in radians: those turns, and half of one.
  static let farthestAngle = (mostTurns + 1) * 2 * DeterministicMath.pi
  /// Shorter distances have no direction: they are a common point.
  static let shortest: Float = 0.01

  init(behavior: UInt16, a: Int32, b: Int32, value: AttachmentBehavior, start: AttachmentStart) {
    self.behavior = behavior
    kind = value.kind
    self.a = a
    self.b = b
    self.start = start
    anchor = value.anchorPoint
    length = value.length ?? 0
    frequency = value.kind == .distance ? value.frequency : 0
    damping = value.damping
    frictionTorque = value.frictionTorque
    range = value.attachmentRange
    let moved = (anchor - start.lastAnchor) / PhysicsWorld.tickLength
    let speed = moved.length
    let jumps = speed > Self.fastestCorrection
    assert(a >= 0 && a != b && !(length < 0) && !(frequency < 0))
    travels = jumps && frequency == 0
    anchorVelocity = jumps ? moved * (Self.fastestCorrection / speed) : moved
    if travels {
      anchor = start.lastAnchor + anchorVelocity * PhysicsWorld.tickLength
      anchorVelocity = .zero
    }
  }

  /// Lets the anchor arrive without giving its velocity to what it drags there.
  mutating func bringWithoutSpeed() {
    guard !isSpring else { return }
    anchorVelocity = .zero
    arrives = !travels
  }

  /// Whether it drags what hangs on it after a jump: it moves places, at up to `fastestCorrection`,
  /// without giving lasting velocities. A loose rope drags nothing.
  var drags: Bool { travels && (kind != .limit || pulled > 0) }

  /// Whether it also cancels velocity towards the anchor, so that a dragged item stops when it
  /// arrives.
  private var stopsApproach: Bool { (travels || arrives) && (kind != .limit || pulled > 0) }

  var isSpring: Bool { frequency > 0 }
  private var isPoint: Bool {
    kind == .pin || kind == .fixed || kind == .distance && length < Self.shortest
  }
  private var keepsAngle: Bool { kind == .fixed || kind == .sliding }

  mutating func begin(_ bodies: [TiedBody]) {
    let one = bodies[Int(a)]
    armA = start.armA.rotated(by: one.rotation)
    var other = anchor
    if b >= 0 {
      armB = start.armB.rotated(by: bodies[Int(b)].rotation)
      other = bodies[Int(b)].position + armB
    }
    apart = other - (one.position + armA)
    let distance = apart.length
    normal = distance > Self.shortest ? apart / distance : Vector2(0, -1)
  }

  // MARK: Springs

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

  // MARK: Places

  /// Moves the places at the tick's end together; returns how far they were apart.
  mutating func correctPlace(_ bodies: inout [TiedBody]) -> Float {
    var error: Float = 0
    if isPoint {
      error = correctPoint(&bodies)
    } else if kind == .sliding {
      error = correctRail(&bodies)
    } else {
      error = correctDistance(&bodies)
    }
    let turned = correctAngle(&bodies)
    return turned > error ? turned : error
  }

  /// The same while something is in the way: slower than contacts bounce, and at most 60 pt/s.
  static func slowestCorrection(threshold: Float) -> Float {
    let slow = 0.6 * threshold
    return slow > 60 ? 60 : slow < slowestCorrection ? slowestCorrection : slow
  }

  /// What of an error is to be corrected in this tick: at most as fast as the tie's reach. The
  /// first sweep's error says what is left for later.
  private mutating func bounded(_ error: Float) -> Float {
    let size = error < 0 ? -error : error
    if demand == nil {
      let most = start.reach * PhysicsWorld.tickLength
      demand = size
      slack = size > most ? size - most : 0
    }
    assert(slack >= 0)
    guard size > slack else { return 0 }
    return error > 0 ? error - slack : error + slack
  }

  /// How far the places are apart now.
  func remaining(_ bodies: [TiedBody]) -> Float {
    if isPoint { return apart.length }
    if kind == .sliding {
      let axis = start.axis.rotated(by: b >= 0 ? bodies[Int(b)].rotation : .identity)
      let error = apart.dot(axis.perpendicular)
      return error < 0 ? -error : error
    }
    let error = apart.length - length
    return error < 0 ? (kind == .limit ? 0 : -error) : error
  }

  private mutating func correctDistance(_ bodies: inout [TiedBody]) -> Float {
    let d = nextApart(bodies)
    let distance = d.length
    let along = distance > Self.shortest ? d.dot(normal) / distance : 1
    let error = bounded(distance - length)
    // Where the line turned far in a tick, the line at its end serves better.
    let n = along > 0.5 ? normal : d / (distance > Self.shortest ? distance : 1)
    let mass = lineMass(bodies, n, armA, armB) / (along > 0.5 ? along : 1)
    var impulse = error * mass / PhysicsWorld.tickLength
    if kind == .limit {
      let total = pulled + impulse
      assert(!(pulled < 0), "a limit only pulls")
      impulse = total > 0 ? impulse : -pulled
      pulled += impulse
      if pulled == 0 { return 0 }
    }
    push(&bodies, n * -impulse)
    repredict(&bodies)
    return error < 0 ? -error : error
  }

  private mutating func correctPoint(_ bodies: inout [TiedBody]) -> Float {
    var d = nextApart(bodies)
    let distance = d.length
    let error = bounded(distance)
    if error < distance { d = d * (error / distance) }
    push(&bodies, pointMass(bodies).times(d) * (-1 / PhysicsWorld.tickLength))
    repredict(&bodies)
    return error
  }

  private mutating func correctRail(_ bodies: inout [TiedBody]) -> Float {
    let d = -nextApart(bodies)
    let axis = start.axis.rotated(by: b >= 0 ? bodies[Int(b)].nextRotation : .identity)
    var error = bounded(d.dot(axis.perpendicular))
    correctAlong(axis.perpendicular, error, &bodies)
    if let range {
      let place = d.dot(axis)
      let beyond =
        place > range.upperBound
        ? place - range.upperBound
        : place < range.lowerBound ? place - range.lowerBound : 0
      if beyond != 0 { correctAlong(axis, beyond, &bodies) }
      if beyond * beyond > error * error { error = beyond }
    }
    return error < 0 ? -error : error
  }

  /// Moves the first point by −`error` along `n` against the second body, which feels it there.
  private func correctAlong(_ n: Vector2, _ error: Float, _ bodies: inout [TiedBody]) {
    let arm = armB - apart
    let mass = lineMass(bodies, n, armA, arm)
    let impulse = n * (-error * mass / PhysicsWorld.tickLength)
    bodies[Int(a)].push(impulse, armA)
    if b >= 0 { bodies[Int(b)].push(-impulse, arm) }
    repredict(&bodies)
  }

  private func correctAngle(_ bodies: inout [TiedBody]) -> Float {
    guard keepsAngle || kind == .pin && range != nil else { return 0 }
    let inverse = turnMobility(bodies)
    guard inverse > 0 else { return 0 }
    var error = nextAngle(bodies)
    if kind == .pin, let range {
      error =
        error > range.upperBound
        ? error - range.upperBound : error < range.lowerBound ? error - range.lowerBound : 0
    }
    guard error != 0 else { return 0 }
    turn(&bodies, error / (inverse * PhysicsWorld.tickLength))
    repredict(&bodies)
    return (error < 0 ? -error : error) * 100
  }

  // MARK: Velocities

  /// Takes away what would part the places; returns how fast they parted, in pt/s.
  mutating func correctVelocity(_ bodies: inout [TiedBody]) -> Float {
    var largest: Float = 0
    if isPoint {
      let v = relativeVelocity(bodies) + (b >= 0 ? .zero : anchorVelocity)
      push(&bodies, pointMass(bodies).times(v) * -1)
      largest = v.length
    } else if kind == .sliding {
      let axis = start.axis.rotated(by: b >= 0 ? bodies[Int(b)].rotation : .identity)
      largest = stop(axis.perpendicular, &bodies, onlyOutward: 0)
      if let range {
        let place = -apart.dot(axis)
        if stopsApproach { _ = stop(axis, &bodies, onlyOutward: 0) }
        if place >= range.upperBound - 0.01 { _ = stop(axis, &bodies, onlyOutward: 1) }
        if place <= range.lowerBound + 0.01 { _ = stop(axis, &bodies, onlyOutward: -1) }
      }
    } else {
      largest = stopDistance(&bodies)
    }
    let turning = stopTurning(&bodies)
    return turning > largest ? turning : largest
  }

  private func stopDistance(_ bodies: inout [TiedBody]) -> Float {
    let v = relativeVelocity(bodies) + (b >= 0 ? .zero : anchorVelocity)
    let speed = v.dot(normal)
    let isLoose = speed <= 0 || apart.dot(normal) < length - 0.01
    if kind == .limit && isLoose && !stopsApproach { return 0 }
    push(&bodies, normal * (-speed * lineMass(bodies, normal, armA, armB)))
    return speed < 0 ? -speed : speed
  }

  /// Stops the first point against the second body along `n`; of `onlyOutward` ±1, one way only.
  private func stop(_ n: Vector2, _ bodies: inout [TiedBody], onlyOutward: Float) -> Float {
    let arm = armB - apart
    var v = bodies[Int(a)].velocity(at: armA)
    v -= b >= 0 ? bodies[Int(b)].velocity(at: arm) : anchorVelocity
    let speed = v.dot(n)
    if onlyOutward != 0 && speed * onlyOutward <= 0 { return 0 }
    let impulse = n * (-speed * lineMass(bodies, n, armA, arm))
    bodies[Int(a)].push(impulse, armA)
    if b >= 0 { bodies[Int(b)].push(-impulse, arm) }
    return speed < 0 ? -speed : speed
  }

  private func stopTurning(_ bodies: inout [TiedBody]) -> Float {
    let inverse = turnMobility(bodies)
    guard inverse > 0, keepsAngle || kind == .pin && range != nil else { return 0 }
    let turning = bodies[Int(a)].spin - (b >= 0 ? bodies[Int(b)].spin : 0)
    if kind == .pin, let range {
      let isOutward =
        start.angle >= range.upperBound - 0.0001 && turning > 0
        || start.angle <= range.lowerBound + 0.0001 && turning < 0
      guard isOutward else { return 0 }
    }
    turn(&bodies, turning / inverse)
    return (turning < 0 ? -turning : turning) * 100
  }
}

extension Tie {
  /// How far the first body has turned against the second since the attachment was added; near the
  /// last answer, so that full turns count, up to `mostTurns`.
  func angle(_ one: Rotation, _ other: Rotation) -> Float {
    let turn = one * other.inverse * start.turn.inverse
    let angle = turn.angle
    let full = 2 * DeterministicMath.pi
    let turns = (start.angle - angle) / full
    let most = Self.mostTurns
    let bounded = turns > most ? most : turns < -most ? -most : turns
    let whole = Float(Int32(bounded + (bounded < 0 ? -0.5 : 0.5)))
    return angle + whole * full
  }

  private func nextAngle(_ bodies: [TiedBody]) -> Float {
    angle(bodies[Int(a)].nextRotation, b >= 0 ? bodies[Int(b)].nextRotation : .identity)
  }

  /// From the first point to the second at the tick's end.
  private func nextApart(_ bodies: [TiedBody]) -> Vector2 {
    let one = bodies[Int(a)]
    var other = anchor
    if b >= 0 {
      let two = bodies[Int(b)]
      other = two.nextPosition + start.armB.rotated(by: two.nextRotation)
    }
    return other - (one.nextPosition + start.armA.rotated(by: one.nextRotation))
  }

  /// Velocity of the second point against the first, where a point of the world stands still.
  private func relativeVelocity(_ bodies: [TiedBody]) -> Vector2 {
    let v = bodies[Int(a)].velocity(at: armA)
    return b >= 0 ? bodies[Int(b)].velocity(at: armB) - v : -v
  }

  /// Acceleration of the second point against the first by the forces known and by the turning.
  private func relativeAcceleration(_ bodies: [TiedBody]) -> Vector2 {
    let one = bodies[Int(a)]
    var other = Vector2.zero
    if b >= 0 {
      let two = bodies[Int(b)]
      other = two.acceleration + armB.perpendicular * two.spinning - armB * (two.spin * two.spin)
    }
    return other
      - (one.acceleration + armA.perpendicular * one.spinning - armA * (one.spin * one.spin))
  }

  /// `impulse` on the second body, the opposite on the first.
  private func push(_ bodies: inout [TiedBody], _ impulse: Vector2) {
    bodies[Int(a)].push(-impulse, armA)
    if b >= 0 { bodies[Int(b)].push(impulse, armB) }
  }

  private func pull(_ bodies: inout [TiedBody], _ force: Vector2) {
    bodies[Int(a)].pull(-force, armA)
    if b >= 0 { bodies[Int(b)].pull(force, armB) }
  }

  /// An angular impulse that turns the first body back and the second with it.
  private func turn(_ bodies: inout [TiedBody], _ impulse: Float) {
    bodies[Int(a)].spin -= impulse * bodies[Int(a)].inverseInertia
    if b >= 0 { bodies[Int(b)].spin += impulse * bodies[Int(b)].inverseInertia }
  }

  private func repredict(_ bodies: inout [TiedBody]) {
    bodies[Int(a)].predict()
    if b >= 0 { bodies[Int(b)].predict() }
  }

  private func turnMobility(_ bodies: [TiedBody]) -> Float {
    bodies[Int(a)].inverseInertia + (b >= 0 ? bodies[Int(b)].inverseInertia : 0)
  }

  /// The mass that the two bodies oppose to a push along `n` at their arms; 0 when neither moves.
  private func lineMass(
    _ bodies: [TiedBody], _ n: Vector2, _ armA: Vector2, _ armB: Vector2
  ) -> Float {
    let one = bodies[Int(a)]
    let crossA = armA.cross(n)
    var inverse = one.inverseMass + crossA * crossA * one.inverseInertia
    if b >= 0 {
      let two = bodies[Int(b)]
      let crossB = armB.cross(n)
      inverse += two.inverseMass + crossB * crossB * two.inverseInertia
    }
    assert(!(inverse < 0))
    return inverse > 0 ? 1 / inverse : 0
  }

  /// The same for pushes of any direction: a symmetric matrix.
  private func pointMass(_ bodies: [TiedBody]) -> PointMass {
    let one = bodies[Int(a)]
    var xx = one.inverseMass + armA.y * armA.y * one.inverseInertia
    var xy = -armA.x * armA.y * one.inverseInertia
    var yy = one.inverseMass + armA.x * armA.x * one.inverseInertia
    if b >= 0 {
      let two = bodies[Int(b)]
      xx += two.inverseMass + armB.y * armB.y * two.inverseInertia
      xy -= armB.x * armB.y * two.inverseInertia
      yy += two.inverseMass + armB.x * armB.x * two.inverseInertia
    }
    let determinant = xx * yy - xy * xy
    guard determinant > 0 else { return PointMass(xx: 0, xy: 0, yy: 0) }
    assert(xx >= 0 && yy >= 0)
    return PointMass(xx: yy / determinant, xy: -xy / determinant, yy: xx / determinant)
  }
}

/// A symmetric matrix that turns a velocity into an impulse.
struct PointMass {
  var xx: Float
  var xy: Float
  var yy: Float

  func times(_ v: Vector2) -> Vector2 { Vector2(xx * v.x + xy * v.y, xy * v.x + yy * v.y) }
}
