/// Four joints that hold two points together, no body that moves twice among them. A lane is a
/// joint; one that stands for none is of the idle row, which nothing happens to.
///
/// They follow the same scheme as `JointSolver`. What depends on where the bodies stand is worked
/// out once a sub-step, after the move (`settle`), and serves the speeds of this one and the places
/// of the next.
struct HingeBatch: BitwiseCopyable {
  /// Byte offsets of the two bodies' motions; the world's is that of the idle row.
  var a = IntLanes.zero
  var b = IntLanes.zero
  var inertiaA = Lanes.zero
  var inertiaB = Lanes.zero

  // MARK: At the start of the part of a tick
  /// From each centre to its anchor.
  var startArmAX = Lanes.zero
  var startArmAY = Lanes.zero
  var startArmBX = Lanes.zero
  var startArmBY = Lanes.zero
  /// From the first centre to the second, or to where the world's anchor is now.
  var startX = Lanes.zero
  var startY = Lanes.zero
  /// How fast the world's anchor travels.
  var driftX = Lanes.zero
  var driftY = Lanes.zero

  // MARK: As the bodies stand now
  var armAX = Lanes.zero
  var armAY = Lanes.zero
  var armBX = Lanes.zero
  var armBY = Lanes.zero
  /// From the first anchor to the second, and what of that may remain after the move.
  var reachX = Lanes.zero
  var reachY = Lanes.zero
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

  mutating func forgetPositionCorrection() {
    (positionCorrectionX, positionCorrectionY) = (.zero, .zero)
  }

  /// Applies what the joints carried in the last sub-step.
  @inline(__always)
  mutating func warmStart(_ motion: inout HingeMotion) {
    positionCorrectionX = .zero
    positionCorrectionY = .zero
    motion.push(impulseX, impulseY, self)
  }

  /// Makes the anchors stay as far apart as they are when the bodies move, or corrects it, by
  /// `relaxation` times the errors that it finds. Returns their squares.
  @inline(__always)
  mutating func place(
    _ motion: inout HingeMotion, _ h: Lanes, perStep: Lanes, correctsPositions: Bool,
    relaxation: Lanes
  ) -> Lanes {
    assert(all(h .> 0) && all(perStep .> 0))
    let (cA, sA) = smallTurn(motion.aSpin * h)
    let (cB, sB) = smallTurn(motion.bSpin * h)
    var x =
      (motion.bx - motion.ax + driftX) * h + (armBX * cB - armBY * sB) - (armAX * cA - armAY * sA)
    var y =
      (motion.by - motion.ay + driftY) * h + (armBX * sB + armBY * cB) - (armAX * sA + armAY * cA)
    if correctsPositions {
      x += reachX - aimX
      y += reachY - aimY
    }
    let share = (correctsPositions ? perStep : perStep * firm) * relaxation
    let pushX = (massXY * y - massXX * x) * share
    let pushY = (massXY * x - massYY * y) * share
    motion.push(pushX, pushY, self)
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
  mutating func stop(_ motion: inout HingeMotion, relaxation: Lanes) -> Lanes {
    var x =
      motion.bx - armBY * motion.bSpin - (motion.ax - armAY * motion.aSpin) + driftX
    var y =
      motion.by + armBX * motion.bSpin - (motion.ay + armAX * motion.aSpin) + driftY
    if any(firm .== 0) { keepParting(&x, &y) }
    let pushX = (massXY * y - massXX * x) * relaxation
    let pushY = (massXY * x - massYY * y) * relaxation
    motion.push(pushX, pushY, self)
    impulseX += pushX * firm
    impulseY += pushY * firm
    return x * x + y * y
  }

  /// Of the speeds of those that something holds back, only what takes the anchors farther apart is
  /// taken away (`JointSolver.stopParting`).
  private func keepParting(_ x: inout Lanes, _ y: inout Lanes) {
    let square = reachX * reachX + reachY * reachY
    let parting = most((x - driftX) * reachX + (y - driftY) * reachY, .zero)
    let share = parting / select(square .> 0, square, Lanes(repeating: 1))
    x = select(firm .== 0, reachX * share, x)
    y = select(firm .== 0, reachY * share, y)
  }

  /// Takes the speeds of the correction away again.
  @inline(__always)
  func takeBack(_ motion: inout HingeMotion) {
    motion.push(-positionCorrectionX, -positionCorrectionY, self)
  }

  /// Works out how the joints stand after the bodies have moved. `h` is 0 before the first move.
  /// Tells which have not come together half as far as they were to, though they are apart by more
  /// than `tolerance` points.
  @inline(__always)
  mutating func settle(
    _ motions: UnsafeMutableRawPointer, _ motion: HingeMotion, _ h: Lanes, tolerance: Float
  ) -> LaneMask {
    let most = correction
    let apart = (reachX * reachX + reachY * reachY).squareRoot()
    let (mAX, mAY, turnA, _) = loadMoves(motions, a)
    let (mBX, mBY, turnB, _) = loadMoves(motions, b)
    let (cA, sA) = smallTurn(turnA)
    let (cB, sB) = smallTurn(turnB)
    armAX = startArmAX + (startArmAX * cA - startArmAY * sA)
    armAY = startArmAY + (startArmAX * sA + startArmAY * cA)
    armBX = startArmBX + (startArmBX * cB - startArmBY * sB)
    armBY = startArmBY + (startArmBX * sB + startArmBY * cB)
    startX += driftX * h
    startY += driftY * h
    reachX = startX + (mBX - mAX) + (armBX - armAX)
    reachY = startY + (mBY - mAY) + (armBY - armAY)
    let gap = (reachX * reachX + reachY * reachY).squareRoot()
    let left = Lanes(repeating: 1) - most / gap
    let share = select(gap .> most, left, .zero)
    aimX = reachX * share
    aimY = reachY * share
    let mass = motion.aMass + motion.bMass
    let xx = mass + inertiaA * armAY * armAY + inertiaB * armBY * armBY
    let xy = -(inertiaA * armAX * armAY) - inertiaB * armBX * armBY
    let yy = mass + inertiaA * armAX * armAX + inertiaB * armBX * armBX
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

/// The turn's cosine less 1, and its sine: by series up to half a radian, beyond one by one.
@inline(__always)
private func smallTurn(_ x: Lanes) -> (cosineLessOne: Lanes, sine: Lanes) {
  let square = x * x
  var sine =
    x
    * (Lanes(repeating: 1) - square
      * (Lanes(repeating: 0.166_666_67) - square
        * (Lanes(repeating: 0.008_333_334) - square * Lanes(repeating: 0.000_198_412_7))))
  var cosine =
    -square
    * (Lanes(repeating: 0.5) - square
      * (Lanes(repeating: 0.041_666_668) - square * Lanes(repeating: 0.001_388_888_9)))
  if moveMask(square .> Lanes(repeating: 0.25)) != 0 {
    for lane in 0..<4 where square[lane] > 0.25 {
      let exact = Rotation(angle: x[lane])
      cosine[lane] = exact.cosine - 1
      sine[lane] = exact.sine
    }
  }
  return (cosine, sine)
}

/// The velocities of four pairs of bodies while joints change them.
struct HingeMotion {
  private let (a, b): (IntLanes, IntLanes)
  private(set) var (ax, ay, aSpin): (Lanes, Lanes, Lanes)
  private(set) var (bx, by, bSpin): (Lanes, Lanes, Lanes)
  let (aMass, bMass): (Lanes, Lanes)

  @inline(__always)
  init(_ motions: UnsafeMutableRawPointer, _ batch: HingeBatch) {
    (a, b) = (batch.a, batch.b)
    assert(all((a | b) & IntLanes(repeating: 31) .== IntLanes(repeating: 0)), "offsets of rows")
    (ax, ay, aSpin, aMass) = loadVelocities(motions, a)
    (bx, by, bSpin, bMass) = loadVelocities(motions, b)
  }

  /// Pushes the second bodies at their anchors, and the first ones back.
  @inline(__always)
  mutating func push(_ x: Lanes, _ y: Lanes, _ batch: HingeBatch) {
    ax -= aMass * x
    ay -= aMass * y
    aSpin -= batch.inertiaA * (batch.armAX * y - batch.armAY * x)
    bx += bMass * x
    by += bMass * y
    bSpin += batch.inertiaB * (batch.armBX * y - batch.armBY * x)
  }

  /// Turns the second bodies, and the first ones back.
  @inline(__always)
  mutating func turn(_ impulse: Lanes, _ batch: HingeBatch) {
    aSpin -= batch.inertiaA * impulse
    bSpin += batch.inertiaB * impulse
  }

  /// Writes the velocities back. Clamps them to the world's limits; joints that would exceed them
  /// pull less.
  @inline(__always)
  mutating func store(_ motions: UnsafeMutableRawPointer) {
    let top = Lanes(repeating: PhysicsWorld.speedLimit * PhysicsWorld.speedLimit)
    let spinLimit = Lanes(repeating: PhysicsWorld.spinLimit)
    let isTame =
      ((ax * ax + ay * ay) .<= top) .& ((bx * bx + by * by) .<= top)
      .& (magnitude(aSpin) .<= spinLimit) .& (magnitude(bSpin) .<= spinLimit)
    if moveMask(isTame) != 15 {
      keepLimits(&ax, &ay, &aSpin)
      keepLimits(&bx, &by, &bSpin)
    }
    storeVelocities(motions, a, ax, ay, aSpin, aMass)
    storeVelocities(motions, b, bx, by, bSpin, bMass)
  }

  @inline(never)
  private func keepLimits(_ x: inout Lanes, _ y: inout Lanes, _ spin: inout Lanes) {
    for lane in 0..<4 {
      let speed = Vector2(x[lane], y[lane]).shortened(to: PhysicsWorld.speedLimit)
      x[lane] = speed.x
      y[lane] = speed.y
      spin[lane] = spin[lane].brought(within: PhysicsWorld.spinLimit)
    }
  }
}
