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
