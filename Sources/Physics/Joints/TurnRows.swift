/// What four hinges allow of their bodies' angles: of welds nothing, of others what their limits
/// and their friction leave.
struct TurnRows: BitwiseCopyable {
  /// The second body's angle against the first's, counted from the joint's zero: at the start of
  /// the part of a tick, and now.
  var startAngle = Lanes.zero
  var angle = Lanes.zero
  var lower = Lanes.zero
  var upper = Lanes.zero
  /// Most that friction does in a sub-step, and the relative spin that it brings about: a motor's.
  var friction = Lanes.zero
  var motor = Lanes.zero
  /// 1 of welds, and of hinges with limits; else 0.
  var isWeld = Lanes.zero
  var isLimited = Lanes.zero
  /// 1 of hinges whose motor leaves the last word to contacts; else 0.
  var isPressing = Lanes.zero
  /// How much an angular impulse changes the relative spin, and the reverse.
  var softness = Lanes.zero
  var mass = Lanes.zero
  /// What the rows carry: the weld's, the lower and the upper limit's, the friction's.
  var weld = Lanes.zero
  var low = Lanes.zero
  var high = Lanes.zero
  var brake = Lanes.zero
  var positionCorrection = Lanes.zero
}

extension TurnRows {
  /// An angle's error of a radian counts like one of so many points.
  private static let points: Float = 100

  @inline(__always)
  mutating func warmStart(_ motion: inout JointMotion, _ batch: HingeBatch) {
    positionCorrection = .zero
    motion.turn(weld + low - high + brake, batch.arms)
  }

  /// As `HingeBatch.place`: brakes, limits and welds so that they hold after the move.
  @inline(__always)
  mutating func place(
    _ motion: inout JointMotion, _ batch: HingeBatch, _ h: Lanes, perStep: Lanes,
    correctsPositions: Bool
  ) -> Lanes {
    let correction = Lanes(repeating: JointSolver.largestPositionCorrectionTurn)
    let firm = correctsPositions ? Lanes(repeating: 1) : batch.firm
    if !correctsPositions { slow(&motion, batch, yields: .zero) }
    let below = angle - lower
    let lowAim = least(correctsPositions ? below + correction : below, .zero)
    let lowOff = below + (motion.bSpin - motion.aSpin) * h - lowAim
    let lowPush = push(-lowOff * mass * perStep, correctsPositions ? .zero : low, firm)
    motion.turn(lowPush, batch.arms)
    let above = upper - angle
    let highAim = least(correctsPositions ? above + correction : above, .zero)
    let highOff = above - (motion.bSpin - motion.aSpin) * h - highAim
    let highPush = push(-highOff * mass * perStep, correctsPositions ? .zero : high, firm)
    motion.turn(-highPush, batch.arms)
    var off = (motion.bSpin - motion.aSpin) * h
    if correctsPositions { off += most(least(angle, correction), -correction) }
    let push = -off * mass * perStep * isWeld * firm
    motion.turn(push, batch.arms)
    if correctsPositions {
      positionCorrection += lowPush - highPush + push
    } else {
      low += lowPush
      high += highPush
      weld += push
    }
    let changed = (magnitude(lowPush) + magnitude(highPush)) * softness * h
    return squared(magnitude(off) * isWeld * firm + changed)
  }

  /// As `HingeBatch.stop`.
  @inline(__always)
  mutating func stop(
    _ motion: inout JointMotion, _ batch: HingeBatch, perStep: Lanes
  ) -> Lanes {
    slow(&motion, batch, yields: isPressing)
    let lowFree = most(angle - lower, .zero) * perStep
    let lowPush = push(-(motion.bSpin - motion.aSpin + lowFree) * mass, low, batch.firm)
    motion.turn(lowPush, batch.arms)
    low += lowPush
    let highFree = most(upper - angle, .zero) * perStep
    let highPush = push(-(motion.aSpin - motion.bSpin + highFree) * mass, high, batch.firm)
    motion.turn(-highPush, batch.arms)
    high += highPush
    let spin = (motion.bSpin - motion.aSpin) * isWeld * batch.firm
    motion.turn(-spin * mass, batch.arms)
    weld -= spin * mass
    return squared(magnitude(spin) + (magnitude(lowPush) + magnitude(highPush)) * softness)
  }

  /// Friction, or a motor; those that yield stay as they are.
  @inline(__always)
  private mutating func slow(_ motion: inout JointMotion, _ batch: HingeBatch, yields: Lanes) {
    let wanted = brake - (motion.bSpin - motion.aSpin - motor) * mass
    let bounded = most(least(wanted, friction), -friction)
    let new = select(yields .> 0, brake, bounded) * batch.firm
    motion.turn(new - brake, batch.arms)
    brake = new
  }

  /// What is added to a limit's impulse, which must not pull.
  @inline(__always)
  private func push(_ change: Lanes, _ old: Lanes, _ firm: Lanes) -> Lanes {
    (most(old + change, .zero) - old) * isLimited * firm
  }

  @inline(__always)
  private func squared(_ angle: Lanes) -> Lanes {
    let size = angle * Lanes(repeating: Self.points)
    return size * size
  }

  @inline(__always)
  func takeBack(_ motion: inout JointMotion, _ batch: HingeBatch) {
    motion.turn(-positionCorrection, batch.arms)
  }

  /// Works out the angles after the bodies have moved. Those with limits count whole turns.
  @inline(__always)
  mutating func settle(_ motions: UnsafeMutableRawPointer, _ batch: HingeBatch) {
    let (_, _, turnA, _) = loadMoves(motions, batch.arms.a)
    let (_, _, turnB, _) = loadMoves(motions, batch.arms.b)
    let pi = Lanes(repeating: DeterministicMath.pi)
    let whole = pi + pi
    angle = startAngle + (turnB - turnA)
    let wraps = isLimited .== Lanes.zero
    angle = select((angle .> pi) .& wraps, angle - whole, angle)
    angle = select((angle .< -pi) .& wraps, angle + whole, angle)
    softness = batch.arms.inertiaA + batch.arms.inertiaB
    let turns = softness .> 0
    let one = Lanes(repeating: 1)
    mass = select(turns, one / select(turns, softness, one), .zero)
    assert(all(mass .>= 0), "what turns is turned the way that it is pushed")
  }

  /// A blocked joint carries nothing.
  @inline(__always)
  mutating func keep(_ firm: Lanes) {
    weld *= firm
    low *= firm
    high *= firm
    brake *= firm
  }
}
