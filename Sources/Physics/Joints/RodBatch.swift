/// Four rods or ropes, no body that moves twice among them. A lane is a joint; one that stands for
/// none is of the idle row, which nothing happens to.
///
/// They follow the same scheme as `JointSolver`, with one row each: along the line from anchor to
/// anchor. As with `HingeBatch`, what depends on where the bodies stand is worked out once a
/// sub-step, after the move (`settle`).
struct RodBatch: JointBatch {
  var arms = JointArms()
  var length = Lanes.zero
  /// 1 of ropes, which only pull, else 0.
  var isRope = Lanes.zero

  // MARK: As the bodies stand now
  /// From the first anchor to the second, of length 1.
  var normalX = Lanes.zero
  var normalY = Lanes.zero
  /// Each arm across the normal: how much an impulse turns the body.
  var leverA = Lanes.zero
  var leverB = Lanes.zero
  /// How much longer it is than it should be; of a rope that is slack, less than 0.
  var stretch = Lanes.zero
  /// How much an impulse changes the speed at which the anchors part, and the reverse.
  var softness = Lanes.zero
  var mass = Lanes.zero

  /// What the joints carry, and what corrects their positions in this sub-step: above 0 it parts
  /// the anchors.
  var impulse = Lanes.zero
  var positionCorrection = Lanes.zero
  /// How far the joints may be corrected in a sub-step, in points.
  var correction = Lanes.zero
  /// 0 where a joint gives way to what is in its way, else 1.
  var firm = Lanes.zero
}

extension RodBatch {
  mutating func forgetImpulses() { impulse = .zero }

  mutating func forgetImpulse(of lane: Int) { impulse[lane] = 0 }

  mutating func forgetPositionCorrection() { positionCorrection = .zero }

  /// Applies what the joints carried in the last sub-step.
  @inline(__always)
  mutating func warmStart(_ motion: inout JointMotion) {
    positionCorrection = .zero
    motion.push(impulse, self)
  }

  /// Makes the anchors stay as far apart as they are when the bodies move, or corrects it, by
  /// `relaxation` times the errors that it finds. Returns the squares of these, and of ropes those
  /// of what was corrected.
  @inline(__always)
  mutating func place(
    _ motion: inout JointMotion, _ h: Lanes, perStep: Lanes, correctsPositions: Bool,
    relaxation: Lanes
  ) -> Lanes {
    assert(all(h .> 0) && all(perStep .> 0))
    let (wayX, wayY) = arms.way(motion, h)
    let (x, y) = (arms.reachX + wayX, arms.reachY + wayY)
    let along = x * normalX + y * normalY
    // Where the move takes one anchor past the other, it is pushed back the way it came and not on.
    let next = select(along .> 0, (x * x + y * y).squareRoot(), along)
    let ropes = isRope .> 0
    let off = next - length - mayRemain(correctsPositions: correctsPositions)
    // What a correction of a rope pushes too far, no later sweep takes back.
    let share =
      correctsPositions
      ? select(ropes, perStep, perStep * relaxation)
      : perStep * relaxation * firm
    let wanted = -off * mass * share
    let carried = correctsPositions ? .zero : impulse
    let push = select(ropes, least(carried + wanted, .zero) - carried, wanted)
    motion.push(push, self)
    let met = select(ropes, push * softness * h, select(mass .> 0, off, .zero))
    if correctsPositions {
      positionCorrection += push
      return met * met
    }
    impulse += push
    return met * met * firm
  }

  /// What of the stretch is to remain after the move: all of it, or what is more than may be
  /// corrected. A rope that is slack may become as long as it is.
  @inline(__always)
  private func mayRemain(correctsPositions: Bool) -> Lanes {
    let now = select(isRope .> 0, most(stretch, .zero), stretch)
    guard correctsPositions else { return now }
    return now - most(least(now, correction), -correction)
  }

  /// Takes away the speeds that would part the anchors, `relaxation` times. Returns the squares of
  /// these, and of ropes those of what was taken away.
  @inline(__always)
  mutating func stop(_ motion: inout JointMotion, perStep: Lanes, relaxation: Lanes) -> Lanes {
    let ropes = isRope .> 0
    let x = motion.bx - motion.ax + arms.driftX
    let y = motion.by - motion.ay + arms.driftY
    let speed = x * normalX + y * normalY + (leverB * motion.bSpin - leverA * motion.aSpin)
    let free = select(ropes, most(-stretch, .zero) * perStep, .zero)
    let wanted = (free - speed) * mass * relaxation
    var push = select(ropes, least(impulse + wanted, .zero) - impulse, wanted)
    var met = select(ropes, push * softness, select(mass .> 0, speed, .zero))
    if any(firm .== 0) { onlyStopParting(speed, &push, &met) }
    motion.push(push, self)
    impulse += push * firm
    return met * met
  }

  /// Joints that something holds back give way, but what they hold is not thrown. Of their speeds
  /// only what takes the anchors farther from where they should be is stopped. That the world's
  /// anchor travels does not count, or what is stuck would be driven against what holds it.
  private func onlyStopParting(_ speed: Lanes, _ push: inout Lanes, _ met: inout Lanes) {
    let own = speed - (arms.driftX * normalX + arms.driftY * normalY)
    let error = select(isRope .> 0, most(stretch, .zero), stretch)
    let parts = select(error * own .> 0, own, .zero)
    push = select(firm .== 0, -parts * mass, push)
    met = select(firm .== 0, parts, met)
  }

  /// Takes the speeds of the correction away again.
  @inline(__always)
  func takeBack(_ motion: inout JointMotion) { motion.push(-positionCorrection, self) }

  /// Works out how the joints stand after the bodies have moved. `h` is 0 before the first move.
  /// Tells which have not come together half as far as they were to, though they are apart by more
  /// than `tolerance` points.
  ///
  /// Not inlined: once a sub-step a call costs little, and the page's module has it once.
  @inline(never)
  mutating func settle(
    _ motions: UnsafeMutableRawPointer, _ motion: JointMotion, _ h: Lanes, tolerance: Float
  ) -> LaneMask {
    let apart = gap
    arms.settle(motions, h)
    measure(masses: motion.aMass + motion.bMass)
    let left = gap
    let asked = least(apart, correction)
    return (left .> Lanes(repeating: tolerance))
      .& ((apart - left) .< (asked * Lanes(repeating: 0.5)))
  }

  /// Works out the line from anchor to anchor, and what an impulse along it does. It points
  /// downwards where they coincide.
  @inline(__always)
  private mutating func measure(masses: Lanes) {
    let one = Lanes(repeating: 1)
    let size = (arms.reachX * arms.reachX + arms.reachY * arms.reachY).squareRoot()
    let isLong = size .> Lanes(repeating: 1e-4)
    let perLength = one / select(isLong, size, one)
    normalX = select(isLong, arms.reachX * perLength, .zero)
    normalY = select(isLong, arms.reachY * perLength, one)
    stretch = (arms.reachX * normalX + arms.reachY * normalY) - length
    leverA = arms.ax * normalY - arms.ay * normalX
    leverB = arms.bx * normalY - arms.by * normalX
    softness = masses + (leverA * leverA * arms.inertiaA + leverB * leverB * arms.inertiaB)
    let moves = softness .> 0
    mass = select(moves, one / select(moves, softness, one), .zero)
    assert(all(mass .>= 0), "masses push the way that they are pushed")
  }

  /// How far apart the anchors are from where they should be, in points.
  @inline(__always)
  private var gap: Lanes { select(isRope .> 0, most(stretch, .zero), magnitude(stretch)) }
}

extension JointMotion {
  /// Pushes the second bodies along the rods, and the first ones back.
  @inline(__always)
  mutating func push(_ impulse: Lanes, _ rods: RodBatch) {
    let (x, y) = (rods.normalX * impulse, rods.normalY * impulse)
    ax -= aMass * x
    ay -= aMass * y
    aSpin -= rods.arms.inertiaA * (rods.leverA * impulse)
    bx += bMass * x
    by += bMass * y
    bSpin += rods.arms.inertiaB * (rods.leverB * impulse)
  }
}
