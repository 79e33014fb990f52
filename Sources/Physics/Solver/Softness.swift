/// The implicit damped spring of every contact (E. Catto, "Solver2D", 2024), and what else all
/// contacts of a step share.
struct Softness {
  let biasRate: Lanes
  let massScale: Lanes
  let impulseScale: Lanes
  let push: Lanes
  /// Sub-steps a second.
  let rate: Lanes

  init(frequency: Float, dampingRatio: Float, pushSpeed: Float, step h: Float) {
    assert(frequency > 0 && dampingRatio > 0 && pushSpeed >= 0 && h > 0)
    let omega = 2 * DeterministicMath.pi * frequency
    let a1 = 2 * dampingRatio + h * omega
    let a2 = h * omega * a1
    let a3 = 1 / (1 + a2)
    let mass = a2 * a3
    assert(mass > 0 && mass <= 1 && a3 > 0, "a soft contact gives part of an impulse")
    biasRate = Lanes(repeating: mass * omega / a1)
    massScale = Lanes(repeating: mass)
    impulseScale = Lanes(repeating: a3)
    push = Lanes(repeating: -pushSpeed * mass)
    rate = Lanes(repeating: 1 / h)
  }

  /// What a row asks of its accumulated impulse. The bias pass pushes overlap apart, the relax pass
  /// takes the speed of that pushing out again. In both passes a gap may close by at most its own
  /// width per sub-step.
  @_transparent
  func demand(
    _ speed: Lanes, _ gap: Lanes, _ mass: Lanes, _ impulse: Lanes, biased: Bool
  ) -> PointDemand {
    if biased {
      return demand(speed, gap, mass, impulse, isHard: gap .> 0)
    } else {
      let bias = most(gap, .zero) * rate
      return PointDemand(excess: mass * (speed + bias), mass: mass, removable: impulse)
    }
  }

  /// The same for boundaries. Soft to what rests on them, but not to what is driven into them: a
  /// tenth of 10 000 pt/s that a heavy body goes on to give a light one would carry it out.
  @_transparent
  func edgeDemand(
    _ speed: Lanes, _ gap: Lanes, _ mass: Lanes, _ impulse: Lanes, biased: Bool
  ) -> PointDemand {
    guard biased else { return demand(speed, gap, mass, impulse, biased: false) }
    let isDriven = speed .< Lanes(repeating: -Self.hardSpeed)
    return demand(speed, gap, mass, impulse, isHard: (gap .> 0) .| isDriven)
  }

  @_transparent
  private func demand(
    _ speed: Lanes, _ gap: Lanes, _ mass: Lanes, _ impulse: Lanes, isHard: LaneMask
  ) -> PointDemand {
    let bias = select(gap .> 0, gap * rate, most(biasRate * gap, push))
    let scale = select(isHard, Lanes(repeating: 1), massScale)
    let relax = select(isHard, .zero, impulseScale)
    return PointDemand(
      excess: mass * (scale * speed + bias) + relax * impulse, mass: mass * scale,
      removable: impulse)
  }

  /// 2.2 pt a sub-step.
  private static let hardSpeed: Float = 800
}

/// The new accumulated friction impulse, within the cone of the normal impulse.
@_transparent
func frictionImpulse(
  _ speed: Lanes, _ mass: Lanes, _ impulse: Lanes, limit: Lanes
) -> Lanes {
  most(least(impulse - mass * speed, limit), -limit)
}
