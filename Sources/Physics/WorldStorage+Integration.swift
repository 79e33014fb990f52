extension WorldStorage {
  /// Works out for every row what gravity, force and torque add to the velocity in a sub-step, and
  /// what damping leaves of it; then takes the first sub-step's share.
  func startIntegration(_ h: Float) {
    let (bases, drives) = (bases.base, drives.base)
    let motions = motions.base
    let pull = Lanes(gravity.x * h, gravity.y * h, 0, 0)
    if sleeperCount == 0 && scaledCount == 0 && !forcesAreSet {
      for row in 0..<rowCount { drives[row] = motions[2 * row].w > 0 ? pull : .zero }
    } else {
      for row in 0..<rowCount { drives[row] = drive(row, pull, h) }
    }
    if dampedCount > 0 {
      for row in 0..<rowCount {
        let p = properties(ofSlot: Int(rowSlots[row]))
        let straight = 1 / (1 + h * p.linearDamping)
        drags[row] = Lanes(straight, straight, 1 / (1 + h * p.angularDamping), 1)
      }
    }
    for row in 0..<rowCount {
      var v = motions[2 * row] + drives[row]
      if dampedCount > 0 { v *= drags[row] }
      bases[row] = v
      motions[2 * row] = v
    }
  }

  /// What gravity and forces add to one row's velocity in a sub-step.
  private func drive(_ row: Int, _ pull: Lanes, _ h: Float) -> Lanes {
    let slot = Int(rowSlots[row])
    let mass = motions[2 * row].w
    guard mass > 0 && !slots[slot].isAsleep else { return .zero }
    var drive = pull * Lanes(repeating: properties(ofSlot: slot).gravityScale)
    if forcesAreSet {
      let f = forces[slot]
      let share = Lanes(f.x * mass, f.y * mass, f.z * motions[2 * row + 1].w, 0)
      drive += share * Lanes(repeating: h)
    }
    return drive
  }

  /// The next sub-step's forces, and the contacts' impulses of the last one again as a warm start.
  @inline(__always)
  func continueIntegration() {
    let (bases, drives) = (bases.base, drives.base)
    let motions = motions.base
    if dampedCount > 0 {
      let drags = drags.base
      for row in 0..<rowCount {
        let v = motions[2 * row]
        let base = (v + drives[row]) * drags[row]
        motions[2 * row] = base + (v - bases[row])
        bases[row] = base
      }
    } else {
      for row in 0..<rowCount {
        let v = motions[2 * row]
        let base = v + drives[row]
        motions[2 * row] = base + (v - bases[row])
        bases[row] = base
      }
    }
  }

  @inline(__always)
  func movePositions(_ h: Float) {
    let motions = motions.base
    let step = Lanes(h, h, h, 0)
    for row in 0..<rowCount { motions[2 * row + 1] += step * motions[2 * row] }
  }

  /// Carries the motion of the solve over into the poses, keeps speeds within their limits, and
  /// notes how far and how fast things have moved.
  @inline(never)
  func finishIntegration() {
    let (poses, motions, origins) = (poses.base, motions.base, origins.base)
    var farthest: Float = 0
    var fastest: Float = 0
    let limit = PhysicsWorld.speedLimit * PhysicsWorld.speedLimit
    for row in 0..<rowCount {
      let d = motions[2 * row + 1]
      let pose = poses[row]
      let v = motions[2 * row]
      let speed = v.x * v.x + v.y * v.y
      fastest = fastest > speed ? fastest : speed
      // The tangent of half the turn, to fifth order, gives cosine and sine without a root.
      let half = d.z * 0.5
      let squaredHalf = half * half
      let t = half * (1 + squaredHalf * (0.333_333_34 + squaredHalf * 0.133_333_33))
      let squared = t * t
      let inverse = 1 / (1 + squared)
      var turnCosine = (1 - squared) * inverse
      var turnSine = 2 * t * inverse
      if squaredHalf > 0.1 {
        let turn = Rotation(angle: d.z)
        turnCosine = turn.cosine
        turnSine = turn.sine
      }
      let c = pose.z * turnCosine - pose.w * turnSine
      let s = pose.w * turnCosine + pose.z * turnSine
      let length = 1.5 - 0.5 * (c * c + s * s)
      let x = pose.x + d.x
      let y = pose.y + d.y
      poses[row] = Lanes(x, y, c * length, s * length)
      motions[2 * row + 1] = Lanes(0, 0, 0, d.w)
      let ex = x - origins[row].x
      let ey = y - origins[row].y
      let moved = ex * ex + ey * ey
      farthest = farthest > moved ? farthest : moved
      let spin = magnitude(v.z)
      if !(speed <= limit) || !(spin <= PhysicsWorld.spinLimit) { limitSpeed(row) }
    }
    largestMove = farthest
    largestSpeed = fastest < limit ? fastest : limit
  }

  /// Brings a speed or spin back to its limit.
  private func limitSpeed(_ row: Int) {
    var v = motions[2 * row]
    assert(v.x.isFinite && v.y.isFinite && v.z.isFinite, "a body's velocity is no number")
    let speed = (v.x * v.x + v.y * v.y).squareRoot()
    let top = PhysicsWorld.speedLimit
    let scale = speed > top ? top / speed : 1
    v.x *= scale
    v.y *= scale
    let spin = PhysicsWorld.spinLimit
    v.z = v.z > spin ? spin : v.z < -spin ? -spin : v.z
    motions[2 * row] = v
  }
}
