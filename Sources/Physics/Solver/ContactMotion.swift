/// The velocities of four pairs of bodies while their contacts change them. Spins change at once;
/// impulses along the normal and the tangent are added up by the caller and stored at the end.
struct PairMotion {
  private let (a, b): (IntLanes, IntLanes)
  private let (ax, ay, aMass): (Lanes, Lanes, Lanes)
  private let (bx, by, bMass): (Lanes, Lanes, Lanes)
  private var (aSpin, bSpin): (Lanes, Lanes)
  private let (nx, ny): (Lanes, Lanes)
  /// The inverse masses of both bodies together.
  let masses: Lanes
  private let (inertiaA, inertiaB): (Lanes, Lanes)

  @_transparent
  init(_ motions: UnsafeMutableRawPointer, _ pair: inout BatchPair) {
    (a, b) = (pair.a, pair.b)
    (ax, ay, aSpin, aMass) = loadVelocities(motions, a)
    (bx, by, bSpin, bMass) = loadVelocities(motions, b)
    (nx, ny) = (pair.nx, pair.ny)
    masses = aMass + bMass
    (inertiaA, inertiaB) = (pair.inertiaA, pair.inertiaB)
  }

  /// How fast the centres part along the normal.
  @_transparent
  var parting: Lanes { (bx - ax) * nx + (by - ay) * ny }

  /// How fast the centres slide past each other along the tangent.
  @_transparent
  var sliding: Lanes { (bx - ax) * ny - (by - ay) * nx }

  /// The speed at a point, in the direction in which the centres have `speed`.
  @_transparent
  func speed(_ speed: Lanes, _ armA: Lanes, _ armB: Lanes) -> Lanes {
    speed + armB * bSpin - armA * aSpin
  }

  /// The speed that an impulse of 1 at one of two points makes at the other.
  @_transparent
  func speedAtOther(_ p: BatchPoint, _ q: BatchPoint) -> Lanes {
    masses + inertiaA * p.normalArmA * q.normalArmA + inertiaB * p.normalArmB * q.normalArmB
  }

  /// What an impulse at a point does to the spins.
  @_transparent
  mutating func turn(_ impulse: Lanes, _ armA: Lanes, _ armB: Lanes) {
    aSpin -= inertiaA * armA * impulse
    bSpin += inertiaB * armB * impulse
  }

  /// What angular impulses do to the spins.
  @_transparent
  mutating func turn(_ impulseA: Lanes, _ impulseB: Lanes) {
    aSpin -= inertiaA * impulseA
    bSpin += inertiaB * impulseB
  }

  /// Brings the spins towards each other by an angular impulse of at most `limit`.
  @_transparent
  mutating func alignSpins(limit: Lanes) {
    let both = inertiaA + inertiaB
    let needed = (bSpin - aSpin) / select(both .> 0, both, Lanes(repeating: 1))
    let impulse = most(least(needed, limit), -limit)
    turn(-impulse, -impulse)
  }

  @_transparent
  func store(_ motions: UnsafeMutableRawPointer, normal: Lanes) {
    store(motions, normal * nx, normal * ny)
  }

  @_transparent
  func store(_ motions: UnsafeMutableRawPointer, normal: Lanes, tangent: Lanes) {
    store(
      motions, normal * nx + tangent * ny, normal * ny - tangent * nx)
  }

  @_transparent
  private func store(_ motions: UnsafeMutableRawPointer, _ x: Lanes, _ y: Lanes) {
    storeVelocities(motions, a, ax - aMass * x, ay - aMass * y, aSpin, aMass)
    storeVelocities(motions, b, bx + bMass * x, by + bMass * y, bSpin, bMass)
  }
}

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

  /// The speed that an impulse of 1 at one of two points makes at the other.
  @_transparent
  func speedAtOther(_ p: EdgePoint, _ q: EdgePoint) -> Lanes {
    mass + inertia * p.normalArm * q.normalArm
  }

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

/// Reads and writes of four bodies' motions by byte offset (32 bytes a row: velocity, then motion
/// since the contacts were found).
@inline(__always)
func load(_ motions: UnsafeMutableRawPointer, _ offset: Int32) -> Lanes {
  motions.load(fromByteOffset: Int(offset), as: Lanes.self)
}

@inline(__always)
func store(_ value: Lanes, _ motions: UnsafeMutableRawPointer, _ offset: Int32) {
  motions.storeBytes(of: value, toByteOffset: Int(offset), as: Lanes.self)
}

@_transparent
func loadVelocities(
  _ motions: UnsafeMutableRawPointer, _ at: IntLanes
) -> (Lanes, Lanes, Lanes, Lanes) {
  transpose(
    load(motions, at.x), load(motions, at.y), load(motions, at.z), load(motions, at.w))
}

@_transparent
func loadMoves(
  _ motions: UnsafeMutableRawPointer, _ at: IntLanes
) -> (Lanes, Lanes, Lanes, Lanes) {
  transpose(
    load(motions, at.x + 16), load(motions, at.y + 16), load(motions, at.z + 16),
    load(motions, at.w + 16))
}

@_transparent
func storeVelocities(
  _ motions: UnsafeMutableRawPointer, _ at: IntLanes, _ x: Lanes, _ y: Lanes, _ spin: Lanes,
  _ inverseMass: Lanes
) {
  let (p, q, r, s) = transpose(x, y, spin, inverseMass)
  store(p, motions, at.x)
  store(q, motions, at.y)
  store(r, motions, at.z)
  store(s, motions, at.w)
}

@inline(__always)
func loadInertias(_ motions: UnsafeMutableRawPointer, _ at: IntLanes) -> Lanes {
  Lanes(
    load(motions, at.x + 16).w, load(motions, at.y + 16).w, load(motions, at.z + 16).w,
    load(motions, at.w + 16).w)
}
