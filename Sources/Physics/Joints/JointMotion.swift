/// The velocities of four pairs of bodies while joints change them.
struct JointMotion {
  private let (a, b): (IntLanes, IntLanes)
  var (ax, ay, aSpin): (Lanes, Lanes, Lanes)
  var (bx, by, bSpin): (Lanes, Lanes, Lanes)
  let (aMass, bMass): (Lanes, Lanes)

  @inline(__always)
  init(_ motions: UnsafeMutableRawPointer, _ arms: JointArms) {
    (a, b) = (arms.a, arms.b)
    assert(all((a | b) & IntLanes(repeating: 31) .== IntLanes(repeating: 0)), "offsets of rows")
    (ax, ay, aSpin, aMass) = loadVelocities(motions, a)
    (bx, by, bSpin, bMass) = loadVelocities(motions, b)
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
