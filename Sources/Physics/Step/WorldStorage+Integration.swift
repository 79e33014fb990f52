extension WorldStorage {
  /// Works out for every row what gravity, force and torque add to the velocity in a sub-step, and
  /// what damping leaves of it; then takes the first sub-step's share.
  func startIntegration(_ h: Float) {
    let (bases, drives) = (integration.bases.base, integration.drives.base)
    let motions = bodies.motions.base
    assert(h > 0 && state.gravity.isFinite)
    let pull = Lanes(state.gravity.x * h, state.gravity.y * h, 0, 0)
    if state.sleeperCount == 0 && state.demands.scaled == 0 && !state.forcesAreSet {
      for row in 0..<bodies.rowCount { drives[row] = motions[2 * row].w > 0 ? pull : .zero }
    } else {
      for row in 0..<bodies.rowCount { drives[row] = drive(row, pull, h) }
    }
    if state.demands.damped > 0 {
      for row in 0..<bodies.rowCount {
        var p = properties(ofSlot: Int(bodies.slots[row]))
        if p.kind == .kinematic { (p.linearDamping, p.angularDamping) = (0, 0) }
        let straight = 1 / (1 + h * p.linearDamping)
        assert(straight > 0 && straight <= 1, "damping takes speed and never turns it round")
        integration.drags[row] = Lanes(straight, straight, 1 / (1 + h * p.angularDamping), 1)
      }
    }
    for row in 0..<bodies.rowCount {
      var v = motions[2 * row] + drives[row]
      if state.demands.damped > 0 { v *= integration.drags[row] }
      bases[row] = v
      motions[2 * row] = v
    }
  }

  /// What gravity and forces add to one row's velocity in a sub-step.
  private func drive(_ row: Int, _ pull: Lanes, _ h: Float) -> Lanes {
    let slot = Int(bodies.slots[row])
    assert(slot >= 0 && slots[slot].row == Int32(row))
    let mass = bodies.motions[2 * row].w
    guard mass > 0 && !slots[slot].isAsleep else { return .zero }
    var drive = pull * Lanes(repeating: properties(ofSlot: slot).gravityScale)
    if state.forcesAreSet {
      let f = slots.forces[slot]
      let share = Lanes(f.x * mass, f.y * mass, f.z * bodies.motions[2 * row + 1].w, 0)
      drive += share * Lanes(repeating: h)
    }
    let most = PhysicsLimit.acceleration * h
    if drive.x * drive.x + drive.y * drive.y > most * most {
      let bounded = Vector2(drive.x, drive.y).shortened(to: most)
      (drive.x, drive.y) = (bounded.x, bounded.y)
    }
    drive.z = drive.z.brought(within: 60 * PhysicsWorld.spinLimit * h)
    assert(drive.w == 0, "nothing drives a mass")
    return drive
  }

  /// The next sub-step's forces, and the contacts' impulses of the last one again as a warm start.
  @inline(__always)
  func continueIntegration() {
    let (bases, drives) = (integration.bases.base, integration.drives.base)
    let motions = bodies.motions.base
    if state.demands.damped > 0 {
      let drags = integration.drags.base
      for row in 0..<bodies.rowCount {
        let v = motions[2 * row]
        let base = (v + drives[row]) * drags[row]
        motions[2 * row] = base + (v - bases[row])
        bases[row] = base
      }
    } else {
      for row in 0..<bodies.rowCount {
        let v = motions[2 * row]
        let base = v + drives[row]
        motions[2 * row] = base + (v - bases[row])
        bases[row] = base
      }
    }
  }

  @inline(__always)
  func movePositions(_ h: Float) {
    let motions = bodies.motions.base
    let step = Lanes(h, h, h, 0)
    for row in 0..<bodies.rowCount { motions[2 * row + 1] += step * motions[2 * row] }
  }

  /// Carries the motion of the solve over into the poses, keeps speeds and moves within their
  /// limits, and notes how fast things move. Four rows at a time: those past the last one rest
  /// (`restIdleRow`).
  @inline(never)
  func finishIntegration() {
    let (poses, motions) = (bodies.poses.base, bodies.motions.base)
    var fastest = Lanes.zero
    let limit = Lanes(repeating: PhysicsWorld.speedLimit * PhysicsWorld.speedLimit)
    let spinLimit = Lanes(repeating: PhysicsWorld.spinLimit)
    let moveLimit = Lanes(repeating: watchedMove * watchedMove)
    var row = 0
    while row < bodies.rowCount {
      let v = motions + 2 * row
      let (vx, vy, spin, _) = transpose(v[0], v[2], v[4], v[6])
      let (dx, dy, turn, inertia) = transpose(v[1], v[3], v[5], v[7])
      var (x, y, cosine, sine) = transpose(
        poses[row], poses[row + 1], poses[row + 2], poses[row + 3])
      let (oldX, oldY) = (x, y)
      x += dx
      y += dy
      let (turnCosine, turnSine) = smallTurn(turn)
      let c = cosine * turnCosine - sine * turnSine
      let s = sine * turnCosine + cosine * turnSine
      let length = Lanes(repeating: 1.5) - Lanes(repeating: 0.5) * (c * c + s * s)
      cosine = c * length
      sine = s * length
      (poses[row], poses[row + 1], poses[row + 2], poses[row + 3]) = transpose(x, y, cosine, sine)
      (v[1], v[3], v[5], v[7]) = transpose(.zero, .zero, .zero, inertia)
      let speed = vx * vx + vy * vy
      fastest = most(fastest, speed)
      let isSlow = (speed .<= limit) .& (magnitude(spin) .<= spinLimit)
      if moveMask(isSlow .& ((dx * dx + dy * dy) .<= moveLimit)) != 15 {
        for lane in 0..<4 { limitMotion(row + lane, from: Vector2(oldX[lane], oldY[lane])) }
      }
      row &+= 4
    }
    state.largestSpeed = largest(least(fastest, limit))
    assert(state.largestSpeed >= 0 && state.largestSpeed.isFinite)
  }

  /// Cosine and sine of a step's turn. The tangent of half of it, to fifth order, gives both
  /// without a root, up to 36°; beyond, one after the other.
  @inline(__always)
  private func smallTurn(_ turn: Lanes) -> (cosine: Lanes, sine: Lanes) {
    let one = Lanes(repeating: 1)
    let half = turn * Lanes(repeating: 0.5)
    let squaredHalf = half * half
    let t =
      half
      * (one + squaredHalf
        * (Lanes(repeating: 0.333_333_34) + squaredHalf * Lanes(repeating: 0.133_333_33)))
    let squared = t * t
    let inverse = one / (one + squared)
    var turns = (cosine: (one - squared) * inverse, sine: Lanes(repeating: 2) * t * inverse)
    if moveMask(squaredHalf .> 0.1) != 0 {
      for lane in 0..<4 where squaredHalf[lane] > 0.1 {
        let exact = Rotation(angle: turn[lane])
        turns.cosine[lane] = exact.cosine
        turns.sine[lane] = exact.sine
      }
    }
    return turns
  }

  private func largest(_ a: Lanes) -> Float {
    let (p, q) = (a.x > a.y ? a.x : a.y, a.z > a.w ? a.z : a.w)
    return p > q ? p : q
  }

  /// Farther than this many points nothing gets in a part of a tick by speed, correction and push
  /// together; only what a body of ten thousand million times its mass crushes is thrown farther.
  static let farthestMove: Float = 4096

  /// Brings a speed, a spin and a move back to their limits, and to this side of boundaries. A body
  /// whose numbers ran out comes to rest where it was before.
  private func limitMotion(_ row: Int, from origin: Vector2) {
    let v = bodies.motions[2 * row]
    let p = bodies.poses[row]
    guard
      v.x.isFinite && v.y.isFinite && v.z.isFinite && p.x.isFinite && p.y.isFinite
        && p.z * p.z + p.w * p.w <= 2
    else {
      state.lostBodies += 1
      assert(state.isRestored, "the numbers of a body ran out")
      bodies.motions[2 * row] = Lanes(0, 0, 0, v.w)
      bodies.poses[row] = Lanes(origin.x, origin.y, 1, 0)
      forgetImpulses(ofRow: row)
      return
    }
    assert(row < bodies.rowCount + 3, "at most three rows behind the last one are in its four")
    let speed = Vector2(v.x, v.y).shortened(to: PhysicsWorld.speedLimit)
    let spin = v.z.brought(within: PhysicsWorld.spinLimit)
    bodies.motions[2 * row] = Lanes(speed.x, speed.y, spin, v.w)
    let move = Vector2(p.x, p.y) - origin
    let bounded = move.shortened(to: Self.farthestMove)
    if bounded != move {
      bodies.poses[row].x = origin.x + bounded.x
      bodies.poses[row].y = origin.y + bounded.y
    }
    if row < bodies.rowCount && bounded.lengthSquared > watchedMove * watchedMove {
      stopBeforeBoundaries(row, from: origin)
    }
  }

  /// What pressed a lost body has no number either, and must not be handed on to the next step.
  private func forgetImpulses(ofRow row: Int) {
    for k in 0..<neighbours.count
    where ownerRow(Int(neighbours.lower[k])) == row || ownerRow(Int(neighbours.upper[k])) == row {
      neighbours.impulses[k] = .zero
    }
    for k in 0..<edgePairs.count where ownerRow(Int(edgePairs[k].row)) == row {
      edgePairs[k].impulse = .zero
    }
    for k in 0..<joints.count where joints[k].exists {
      let (a, b) = (Int(joints[k].slotA), Int(joints[k].slotB))
      if a == Int(bodies.slots[row]) || b == Int(bodies.slots[row]) { joints[k].impulses = .zero }
    }
  }
}

/// What integration works out by row at the start of a part of a tick.
struct IntegrationScratch: ~Copyable {
  /// The velocity before the sub-step's contacts: what differs from it is their warm start.
  var bases = Buffer(capacity: 72, blank: Lanes.zero)
  /// What gravity, force and torque add to the velocity in a sub-step.
  var drives = Buffer(capacity: 72, blank: Lanes.zero)
  /// What damping leaves of it.
  var drags = Buffer(capacity: 72, blank: Lanes.zero)
  /// Mass, mass, inertia, 0; all 0 for what nothing moves.
  var masses = Buffer(capacity: 72, blank: Lanes.zero)

  mutating func reserve(_ rows: Int) {
    bases.reserve(rows)
    drives.reserve(rows)
    drags.reserve(rows)
    masses.reserve(rows)
  }
}
