/// Four joints that hold two points together, no body that moves twice among them. A lane is a
/// joint; one that stands for none is of the idle row, which nothing happens to.
///
/// They follow the same scheme as `JointSolver`. What depends on where the bodies stand is worked
/// out once a sub-step, after the move (`settle`), and serves the speeds of this one and the places
/// of the next.
struct HingeBatch: JointBatch {
  var arms = JointArms()

  // MARK: As the bodies stand now
  /// What of the reach may remain after the move.
  var aimX = Lanes.zero
  var aimY = Lanes.zero
  /// The impulse that takes a velocity of the anchors away: a symmetric matrix.
  var massXX = Lanes.zero
  var massXY = Lanes.zero
  var massYY = Lanes.zero

  /// What the joints carry, and what corrects their positions in this sub-step.
  var impulseX = Lanes.zero
  var impulseY = Lanes.zero
  var positionCorrectionX = Lanes.zero
  var positionCorrectionY = Lanes.zero
  /// How far the joints may be corrected in a sub-step, in points.
  var correction = Lanes.zero
  /// 0 where a joint gives way to what is in its way, else 1.
  var firm = Lanes.zero
}

extension HingeBatch {
  mutating func forgetImpulses() { (impulseX, impulseY) = (.zero, .zero) }

  mutating func forgetImpulse(of lane: Int) { (impulseX[lane], impulseY[lane]) = (0, 0) }

  mutating func forgetPositionCorrection() {
    (positionCorrectionX, positionCorrectionY) = (.zero, .zero)
  }

  /// Applies what the joints carried in the last sub-step.
  @inline(__always)
  mutating func warmStart(_ motion: inout JointMotion) {
    positionCorrectionX = .zero
    positionCorrectionY = .zero
    motion.push(impulseX, impulseY, arms)
  }

  /// Makes the anchors stay as far apart as they are when the bodies move, or corrects it, by
  /// `relaxation` times the errors that it finds. Returns their squares.
  @inline(__always)
  mutating func place(
    _ motion: inout JointMotion, _ h: Lanes, perStep: Lanes, correctsPositions: Bool,
    relaxation: Lanes
  ) -> Lanes {
    assert(all(h .> 0) && all(perStep .> 0))
    var (x, y) = arms.way(motion, h)
    if correctsPositions {
      x += arms.reachX - aimX
      y += arms.reachY - aimY
    }
    let share = (correctsPositions ? perStep : perStep * firm) * relaxation
    let pushX = (massXY * y - massXX * x) * share
    let pushY = (massXY * x - massYY * y) * share
    motion.push(pushX, pushY, arms)
    if correctsPositions {
      positionCorrectionX += pushX
      positionCorrectionY += pushY
      return x * x + y * y
    }
    impulseX += pushX
    impulseY += pushY
    return (x * x + y * y) * firm
  }

  /// Takes away the speeds that would part the anchors, `relaxation` times; returns the squares of
  /// those.
  @inline(__always)
  mutating func stop(_ motion: inout JointMotion, relaxation: Lanes) -> Lanes {
    var x =
      motion.bx - arms.by * motion.bSpin - (motion.ax - arms.ay * motion.aSpin) + arms.driftX
    var y =
      motion.by + arms.bx * motion.bSpin - (motion.ay + arms.ax * motion.aSpin) + arms.driftY
    if any(firm .== 0) { onlyStopParting(&x, &y) }
    let pushX = (massXY * y - massXX * x) * relaxation
    let pushY = (massXY * x - massYY * y) * relaxation
    motion.push(pushX, pushY, arms)
    impulseX += pushX * firm
    impulseY += pushY * firm
    return x * x + y * y
  }

  /// Of the speeds of those that something holds back, only what takes the anchors farther apart is
  /// taken away, as of rods (`RodBatch.onlyStopParting`).
  private func onlyStopParting(_ x: inout Lanes, _ y: inout Lanes) {
    let square = arms.reachX * arms.reachX + arms.reachY * arms.reachY
    let parting = most((x - arms.driftX) * arms.reachX + (y - arms.driftY) * arms.reachY, .zero)
    let share = parting / select(square .> 0, square, Lanes(repeating: 1))
    x = select(firm .== 0, arms.reachX * share, x)
    y = select(firm .== 0, arms.reachY * share, y)
  }

  /// Takes the speeds of the correction away again.
  @inline(__always)
  func takeBack(_ motion: inout JointMotion) {
    motion.push(-positionCorrectionX, -positionCorrectionY, arms)
  }

  /// Works out how the joints stand after the bodies have moved. `h` is 0 before the first move.
  /// Tells which have not come together half as far as they were to, though they are apart by more
  /// than `tolerance` points.
  ///
  /// Not inlined: once a sub-step a call costs little, and the page's module has it once.
  @inline(never)
  mutating func settle(
    _ motions: UnsafeMutableRawPointer, _ motion: JointMotion, _ h: Lanes, tolerance: Float
  ) -> LaneMask {
    let most = correction
    let apart = (arms.reachX * arms.reachX + arms.reachY * arms.reachY).squareRoot()
    arms.settle(motions, h)
    let gap = (arms.reachX * arms.reachX + arms.reachY * arms.reachY).squareRoot()
    let left = Lanes(repeating: 1) - most / gap
    let share = select(gap .> most, left, .zero)
    aimX = arms.reachX * share
    aimY = arms.reachY * share
    let mass = motion.aMass + motion.bMass
    let xx = mass + arms.inertiaA * arms.ay * arms.ay + arms.inertiaB * arms.by * arms.by
    let xy = -(arms.inertiaA * arms.ax * arms.ay) - arms.inertiaB * arms.bx * arms.by
    let yy = mass + arms.inertiaA * arms.ax * arms.ax + arms.inertiaB * arms.bx * arms.bx
    let determinant = xx * yy - xy * xy
    let moves = determinant .> 0
    let inverse = select(
      moves, Lanes(repeating: 1) / select(moves, determinant, Lanes(repeating: 1)), .zero)
    assert(all(inverse .>= 0), "masses push the way that they are pushed")
    massXX = yy * inverse
    massXY = xy * inverse
    massYY = xx * inverse
    let asked = select(apart .< most, apart, most)
    return (gap .> Lanes(repeating: tolerance))
      .& ((apart - gap) .< (asked * Lanes(repeating: 0.5)))
  }
}

extension JointMotion {
  /// Pushes the second bodies at their anchors, and the first ones back.
  @inline(__always)
  mutating func push(_ x: Lanes, _ y: Lanes, _ arms: JointArms) {
    ax -= aMass * x
    ay -= aMass * y
    aSpin -= arms.inertiaA * (arms.ax * y - arms.ay * x)
    bx += bMass * x
    by += bMass * y
    bSpin += arms.inertiaB * (arms.bx * y - arms.by * x)
  }

  /// Turns the second bodies, and the first ones back.
  @inline(__always)
  mutating func turn(_ impulse: Lanes, _ arms: JointArms) {
    aSpin -= arms.inertiaA * impulse
    bSpin += arms.inertiaB * impulse
  }
}
