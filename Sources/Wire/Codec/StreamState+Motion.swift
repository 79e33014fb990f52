extension StreamState {
  /// Codes how every body moves in one frame, in the grid's order.
  ///
  /// `ticks` is how long the frame takes. `targets` are by slot and only the encoder's.
  func codeMotion<Coder: BinaryCoder>(
    ticks: Double, widening: StepWidening, targets: UnsafePointer<StreamTarget>?,
    with coder: inout Coder
  ) {
    assert(ticks >= 1 && slotEnd <= shape.slots)
    grid.sort(
      slotEnd: slotEnd, looks: looks, axes: axes, stepsPerPoint: shape.profile.stepsPerPoint)
    let frame = FrameStep(
      fall: shape.fall(gravity, ticks: ticks), perTick: widening.share / ticks,
      mostTurn: StreamState.mostSpin * ticks, profile: shape.profile)
    for place in 0..<grid.count {
      codeMove(at: place, in: frame, targets: targets, with: &coder)
    }
  }

  @inline(__always)
  private func codeMove<Coder: BinaryCoder>(
    at place: Int, in frame: FrameStep, targets: UnsafePointer<StreamTarget>?,
    with coder: inout Coder
  ) {
    let slot = Int(grid.slots[place])
    assert(slot < slotEnd && looks[slot].isPresent, "the grid holds who is there")
    let axis = axes + slot &* 3
    let neighbours = grid.neighbours(of: place)
    let acceleration = neighbours.motion * neighbours.share
    let step = frame.step(of: axis)
    // Steps are powers of two: to multiply by this is to divide by them.
    let perStep = inverse(ofPowers: step)

    let x = axis[0].candidates(gravity: frame.fall[0], acceleration: acceleration[0])
    let y = axis[1].candidates(gravity: frame.fall[1], acceleration: acceleration[1])
    let angle = axis[2].candidates(gravity: 0, acceleration: acceleration[2])
    let blend = SIMD4(axis[0].blend(x), axis[1].blend(y), axis[2].blend(angle), 0)

    let inSteps = blend * perStep
    let nearest = floor(inSteps + 0.5)
    var residual = SIMD4<Int32>(repeating: 0)
    if !Coder.isDecoder, let targets {
      residual = StreamState.residual(
        to: targets[slot].place, from: nearest, origin: axis[2].position,
        mostTurn: frame.mostTurn, perStep: perStep)
    }
    residual = codeResiduals(
      residual, fraction: inSteps - nearest, perStep: perStep, axis: axis,
      recent: recent + slot, neighbours: neighbours, with: &coder)

    let actual = (nearest + SIMD4(whole: residual)) * step
    let velocity = SIMD4(axis[0].velocity, axis[1].velocity, axis[2].velocity, 0)
    let origin = SIMD4(axis[0].position, axis[1].position, axis[2].position, 0)
    grid.note(place, sizes: magnitude(residual), motion: actual - origin - velocity)
    axis[0].advance(
      to: actual[0], candidates: x, blend: blend[0], gravity: frame.fall[0], step: step[0])
    axis[1].advance(
      to: actual[1], candidates: y, blend: blend[1], gravity: frame.fall[1], step: step[1])
    axis[2].advance(
      to: actual[2], candidates: angle, blend: blend[2], gravity: 0, step: step[2])
  }

  /// Steps from the place nearest to the blend to the one nearest to the target, 0 where the target
  /// allows it.
  ///
  /// Of the target's angles, which are equal modulo a turn, the one nearest to the blend is taken,
  /// unless the way there from `origin` is longer than anything turns, `mostTurn`: then the nearest
  /// that is not. There is one, as twice the longest way is more than a turn. (Without that limit a
  /// prediction that once took a reversal for more speed is never told that it is wrong, and the
  /// sum of the angles runs away.)
  @inline(__always)
  private static func residual(
    to target: SIMD4<Double>, from nearest: SIMD4<Double>, origin: Double, mostTurn: Double,
    perStep: SIMD4<Double>
  ) -> SIMD4<Int32> {
    var off = target * perStep - nearest
    let turn = StreamState.turn * perStep[2]
    off[2] -= turn * Double(floorInt(off[2] / turn + 0.5))
    let way = nearest[2] + off[2] - origin * perStep[2]
    let tooLong = abs(way) - mostTurn * perStep[2]
    if tooLong > 0 {
      let turns = turn * Double(floorInt(tooLong / turn) &+ 1)
      off[2] -= way > 0 ? turns : -turns
    }
    assert(
      abs(nearest[2] + off[2] - origin * perStep[2]) <= mostTurn * perStep[2] + 1,
      "no way is longer than anything turns, so that the sum stays on the lattice")
    let isFar = negativeLanes(SIMD4(repeating: target[3]) - magnitude(off))
    return wholes(masked(floor(off + 0.5), isFar))
  }
}

/// What is the same for every body of a frame.
struct FrameStep {
  /// Gravity's part of the move.
  let fall: SIMD4<Double>
  /// 1 / ticks that the frame takes, or less where steps must not widen as much.
  let perTick: Double
  /// Angles that a body turns in the frame at most.
  let mostTurn: Double
  let profile: CodecProfile

  /// The steps in which a body's residuals count, from how it moved in the last frame.
  @inline(__always)
  func step(of axis: UnsafePointer<AxisPredictor>) -> SIMD4<Double> {
    let speed = (abs(axis[0].velocity) + abs(axis[1].velocity)) * perTick
    let spin = abs(axis[2].velocity) * perTick
    let step = profile.widening(speed: speed, spin: spin)
    return SIMD4(step.position, step.position, step.angle, 1)
  }
}

/// How far a frame's steps may widen with speed.
enum StepWidening {
  /// As the profile says.
  case full
  /// So that a step always divides the one that full widening would choose from exact velocities,
  /// for a frame that must reach the stream's own places from coarse ones: those are off by up to a
  /// quarter, and 3/4 · 5/4 < 1.
  case cautious
  /// Not at all.
  case none

  /// For a catch-up frame. Over more than one frame, the stream chose its steps from what the
  /// client hasn't seen.
  init(catchUpOver frames: Int, isCoarse: Bool) {
    self = frames > 1 ? .none : isCoarse ? .cautious : .full
  }

  /// What is made of a speed before steps are chosen by it.
  var share: Double { self == .full ? 1 : self == .cautious ? 0.75 : 0 }
}
