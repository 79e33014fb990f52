// Before the move: brings the places at the tick's end together.

extension Tie {
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
}
