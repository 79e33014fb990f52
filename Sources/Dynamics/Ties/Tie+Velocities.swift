// After the move: takes away what would part the places.

extension Tie {
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
