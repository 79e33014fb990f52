/// What a custom field's closure is asked about.
public struct FieldSample: Equatable, Sendable {
  /// Which field asks.
  public var field: BehaviorHandle<FieldBehavior>
  /// The item that feels it.
  public var item: ItemID
  /// From the field's position to the item, in points.
  public var position: Vector2
  /// The item's velocity in pt/s.
  public var velocity: Vector2
  /// 1 is a 100×100 item of density 1.
  public var mass: Float
  /// The item's charge.
  public var charge: Float
  /// The animator's elapsed time in seconds.
  public var time: Float
}

/// An item as a field sees it, in metres of 100 pt.
struct FieldProbe {
  /// From the field's centre.
  var p: Vector2
  var v: Vector2
  var mass: Float
  var charge: Float
  /// Seconds since the animator's beginning.
  var time: Float
}

extension FieldBehavior {
  /// The force on an item, where 1 accelerates mass 1 by one metre of 100 pt a second squared.
  ///
  /// What depends on the velocity is the mean over the coming tick, from the exact motion under
  /// that force alone: so drag never turns an item back and magnets never add energy.
  func force(_ probe: FieldProbe, custom: Vector2) -> Vector2 {
    let r = probe.p.length
    assert(probe.mass > 0)
    let fall = strength * self.fall(r)
    let outward = r > 0 ? probe.p / r : .zero
    switch kind {
    case .linearGravity: return direction * (probe.mass * fall)
    case .radialGravity: return pull(outward, probe.mass * fall, r, probe.mass)
    case .spring: return pull(outward, fall, r, probe.mass)
    case .electric: return pull(outward, -probe.charge * fall, r, probe.mass)
    case .magnetic: return magnetic(probe, fall)
    case .vortex: return outward.perpendicular * (probe.mass * fall)
    case .drag: return drag(probe, fall)
    case .velocity: return .zero
    case .noise: return noise(probe) * fall
    case .turbulence: return noise(probe) * (probe.mass * probe.v.lengthSquared * fall)
    case .custom: return custom * fall
    }
  }

  private func fall(_ r: Float) -> Float {
    guard falloff != 0 else { return 1 }
    let least = minimumRadius / Self.metre
    var distance = r > least ? r : least
    // A spring has no singularity at its centre.
    if falloff > 0 && distance < 0.01 { distance = 0.01 }
    if falloff < 0 && distance < 1e-6 { return 0 }
    assert(distance >= 0)
    return Powers.power(distance, -falloff)
  }

  /// Towards the centre with `size`, at most as hard as brings an item at rest there in a tick and
  /// a half: stiffer forces would throw it out on the other side, farther at every pass.
  private func pull(_ outward: Vector2, _ size: Float, _ r: Float, _ mass: Float) -> Vector2 {
    let most = mass * r / (PhysicsWorld.tickLength * PhysicsWorld.tickLength)
    return outward * -(size < most ? size : most)
  }

  private func drag(_ probe: FieldProbe, _ fall: Float) -> Vector2 {
    let u = probe.v - direction
    let k = fall / probe.mass
    let h = PhysicsWorld.tickLength
    // du/dt = −k·u·|u| has the solution u / (1 + k·|u|·t).
    let slowing = 1 + k * u.length * h
    guard slowing > 0.5 else { return u * -(fall * u.length) }
    return u * ((1 / slowing - 1) * probe.mass / h)
  }

  private func magnetic(_ probe: FieldProbe, _ fall: Float) -> Vector2 {
    let h = PhysicsWorld.tickLength
    let turn = Rotation(angle: -probe.charge * fall / probe.mass * h)
    return (probe.v.rotated(by: turn) - probe.v) * (probe.mass / h)
  }

  /// A smooth random vector of zero mean, each component in −1…1: random vectors on a lattice in
  /// space and time, blended by smoothstep.
  private func noise(_ probe: FieldProbe) -> Vector2 {
    let cell = 0.1 + 1.9 * smoothness
    assert(cell > 0)
    let (x, fx) = Self.split(probe.p.x / cell)
    let (y, fy) = Self.split(probe.p.y / cell)
    let (t, ft) = Self.split(probe.time * animationSpeed)
    let now = plane(x, y, t, fx, fy)
    guard ft > 0 else { return now }
    return now + (plane(x, y, t &+ 1, fx, fy) - now) * ft
  }

  private func plane(_ x: Int32, _ y: Int32, _ t: Int32, _ fx: Float, _ fy: Float) -> Vector2 {
    let a = random(x, y, t)
    let b = random(x &+ 1, y, t)
    let c = random(x, y &+ 1, t)
    let d = random(x &+ 1, y &+ 1, t)
    let upper = a + (b - a) * fx
    let lower = c + (d - c) * fx
    return upper + (lower - upper) * fy
  }

  /// The vector at a lattice point: two 24-bit numbers hashed from its place.
  private func random(_ x: Int32, _ y: Int32, _ t: Int32) -> Vector2 {
    var generator = RandomGenerator(
      seed: UInt64(UInt32(bitPattern: x)) << 32 | UInt64(UInt32(bitPattern: y)))
    generator.state ^= generator.next() &+ UInt64(UInt32(bitPattern: t))
    generator.state ^= generator.next() &+ UInt64(seed)
    let u = generator.nextFloat()
    let v = generator.nextFloat()
    // Half a step up, so that the two ends lie equally far from 0.
    let half: Float = 1 / 16_777_216
    return Vector2(2 * u - 1 + half, 2 * v - 1 + half)
  }

  /// The whole number below, and the smoothed rest.
  private static func split(_ x: Float) -> (Int32, Float) {
    let clamped: Float = x > 1e9 ? 1e9 : x < -1e9 ? -1e9 : x
    var whole = Int32(clamped)
    if Float(whole) > clamped { whole -= 1 }
    let f = clamped - Float(whole)
    assert(f >= 0 && f < 1, "the rest is a share of a cell")
    return (whole, f * f * (3 - 2 * f))
  }
}
