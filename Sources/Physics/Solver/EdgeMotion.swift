/// The velocities of four bodies while their contacts with boundaries change them, as `PairMotion`
/// has them.
struct EdgeMotion {
  private let (nx, ny): (Lanes, Lanes)
  private let at: IntLanes
  private let (vx, vy): (Lanes, Lanes)
  private var spin: Lanes
  let mass: Lanes
  let inertia: Lanes

  @_transparent
  init(
    _ motions: UnsafeMutableRawPointer, _ at: IntLanes, inertia: Lanes, _ nx: Lanes, _ ny: Lanes
  ) {
    (self.nx, self.ny) = (nx, ny)
    self.at = at
    self.inertia = inertia
    (vx, vy, spin, mass) = loadVelocities(motions, at)
  }

  /// How fast the centres part from the boundary.
  @_transparent
  var parting: Lanes { vx * nx + vy * ny }

  /// How fast they slide along the tangent.
  @_transparent
  var sliding: Lanes { vx * ny - vy * nx }

  /// The speed at a point, in the direction in which the centres have `speed`.
  @_transparent
  func speed(_ speed: Lanes, _ arm: Lanes) -> Lanes { speed + arm * spin }

  /// What an impulse at a point does to the spins.
  @_transparent
  mutating func turn(_ impulse: Lanes, _ arm: Lanes) { spin += inertia * arm * impulse }

  /// What an angular impulse does to the spins.
  @_transparent
  mutating func turn(_ impulse: Lanes) { spin += inertia * impulse }

  /// Slows the spin by an angular impulse of at most `limit`.
  @_transparent
  mutating func endSpin(limit: Lanes) {
    let needed = spin / select(inertia .> 0, inertia, Lanes(repeating: 1))
    turn(-most(least(needed, limit), -limit))
  }

  /// Stores the velocities after impulses along the normal and the tangent.
  @_transparent
  func store(_ motions: UnsafeMutableRawPointer, normal: Lanes, tangent: Lanes) {
    let (x, y) = (
      vx + mass * (nx * normal + ny * tangent), vy + mass * (ny * normal - nx * tangent)
    )
    storeVelocities(motions, at, x, y, spin, mass)
  }

  /// Stores the velocities with more speed along the normal, and along the tangent.
  @_transparent
  func store(_ motions: UnsafeMutableRawPointer, parting: Lanes, sliding: Lanes? = nil) {
    var (x, y) = (vx + parting * nx, vy + parting * ny)
    if let sliding { (x, y) = (x + sliding * ny, y - sliding * nx) }
    storeVelocities(motions, at, x, y, spin, mass)
  }
}
