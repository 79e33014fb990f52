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
