// How far things may get in a part of a tick. Contacts are found before the part is solved, so they
// are looked for as far away as that; and the faster things are, the more often. Throughout these
// sources, to look out for a move is to search for contacts as far as it may take a body.

extension WorldStorage {
  /// Speeds, in pt/s, above which a tick is solved in two and in six parts: contacts are found
  /// again before anything has moved much more than a contact's reach.
  static let fast: Float = 480
  static let veryFast: Float = 3840
  /// What may be gained within a tick, in pt/s, before anybody looks out for it: that takes a body
  /// 2.4 of the 4 pt up to which contacts take part anyway.
  static let unnoticed: Float = 240

  /// How far apart, in points, a joint's anchors may be before anybody looks out for what their
  /// correction moves: like `unnoticed`, it is within the 4 pt up to which contacts take part
  /// anyway.
  private static let unnoticedGap: Float = 2

  /// A little more than a body moves in a sub-step at the speed limit and under the strongest
  /// force, the longest way between two looks at that speed.
  static let longestSweep: Float = 66

  /// How far a body may get in a part of a tick, for boundaries to look out for it: as far as
  /// the fastest, and twice as far when a tick is solved sub-step by sub-step, because a heavy body
  /// drives a light one on to twice its own speed.
  func outlook(_ time: Float) -> Float { outlook(time, speed: state.largestSpeed.squareRoot()) }

  private func outlook(_ time: Float, speed: Float) -> Float {
    assert(time > 0 && speed >= 0 && state.hiddenSpeed >= 0)
    let way = (speed + state.hiddenSpeed) * time
    let far = time < 1.5 / 360 ? 2 * way : way
    return far < Self.longestSweep ? far : Self.longestSweep
  }

  /// How far boundaries must have been looked for until the next lookup.
  var neededSweep: Float {
    let sweep = outlook(state.lookupSpan)
    guard zone.isOn else { return sweep }
    let fast = zoneSweep(state.span)
    return fast > sweep ? fast : sweep
  }

  /// How far a fast body, or what it drives on, may get in a time.
  func zoneSweep(_ time: Float) -> Float {
    let far = 2 * (zone.speed + state.hiddenSpeed) * time
    return far < Self.longestSweep ? far : Self.longestSweep
  }

  /// How far bodies get in this part of the tick, besides those of the zone.
  var ownSweep: Float {
    zone.isOn ? outlook(state.span, speed: zone.othersSpeed.squareRoot()) : outlook(state.span)
  }

  /// Gap up to which a contact of two bodies takes part, besides what their approach closes.
  var speculation: Float {
    let way = state.hiddenSpeed * state.span
    return Lookup.speculation + (way < 2 * Lookup.mostSweep ? way : 2 * Lookup.mostSweep)
  }

  /// Whether some body may get farther than others look out for: by its own speed, or because a
  /// joint or a force gives it one.
  var someGetFar: Bool {
    let gravity = largestGravity * PhysicsWorld.tickLength
    return state.largestSpeed > Self.veryFast * Self.veryFast
      || (state.hiddenSpeed > 0 && state.hiddenSpeed > gravity)
  }

  /// Measures speeds before the first tick, until which they count as the highest there are. Where
  /// nothing drives the bodies and all are slow, a crowd's pushes can do without six parts.
  func measureFirstSpeeds() {
    let limit = PhysicsWorld.speedLimit
    guard state.gravity == .zero, state.largestSpeed > limit * limit else { return }
    var fastest: Float = 0
    for row in 0..<bodies.rowCount where bodies.slots[row] >= 0 {
      let v = bodies.motions[2 * row]
      let squared = v.x * v.x + v.y * v.y
      fastest = squared > fastest ? squared : fastest
    }
    assert(fastest.isFinite, "speeds are within their limits from the start")
    if fastest <= Self.fast * Self.fast { state.largestSpeed = fastest }
  }

  /// In how many parts this tick is solved as a whole, without a zone.
  var partsOfTick: Int { mayStrike ? 6 : partsBySpeed }

  /// In how many parts speeds alone have a tick solved.
  var partsBySpeed: Int {
    let speed = state.largestSpeed.squareRoot()
    if speed + state.hiddenSpeed > Self.veryFast { return 6 }
    // What is gained within the tick counts for half of it.
    return speed + 0.5 * state.hiddenSpeed > Self.fast ? 2 : 1
  }

  /// Position correction moves bodies that have no matching velocity. If a gap exceeds what one
  /// sub-step corrects, or fast bodies tore it open, assume the speed limit, so that boundaries are
  /// searched far enough; and other bodies as far as a correction moves one.
  func lookOutForPositionCorrection() {
    let correction = JointSolver.positionCorrectionSpeed * JointSolver.positionCorrectionSpeed
    let most = PhysicsWorld.speedLimit * PhysicsWorld.speedLimit
    let torn =
      JointSolver.positionCorrectionSpeed * PhysicsWorld.tickLength / Float(PhysicsWorld.subSteps)
    state.correctionSpeed = 0
    for place in 0..<joints.count
    where (state.largestSpeed < most || state.correctionSpeed == 0) && isActive(place)
      && !joints[place].isSpring
    {
      // What is held back at something in its way is hardly moved.
      let reach = joints[place].reach
      guard reach * PhysicsWorld.tickLength > Self.unnoticedGap else { continue }
      let gap = gap(ofJoint: place)
      guard gap > Self.unnoticedGap else { continue }
      // A gap that a sub-step closes moves nothing farther than it is wide.
      let way = gap > torn ? reach * PhysicsWorld.tickLength : gap
      let moved = min(way / PhysicsWorld.tickLength, reach)
      state.correctionSpeed = moved > state.correctionSpeed ? moved : state.correctionSpeed
      let isTorn = !joints[place].isHeldBack && (gap > torn || state.largestSpeed > correction)
      // What hangs on a point of the world moves no farther than its gap is wide; in a mechanism
      // the gaps of several joints may add up.
      let own = joints[place].slotB < 0 ? moved : reach
      let speed = isTorn ? most : own * own
      state.largestSpeed = speed > state.largestSpeed ? speed : state.largestSpeed
    }
    if state.hiddenSpeed < state.correctionSpeed { state.hiddenSpeed = state.correctionSpeed }
  }

  /// How far apart a joint's anchors are from where they should be, in points, between two parts of
  /// a tick.
  private func gap(ofJoint place: Int) -> Float {
    let joint = joints.base + place
    guard joint.pointee.isHinge else { return JointSolver(self, joint.pointee, step: 1).gap }
    let a = anchor(joint.pointee.anchorA, slot: Int(joint.pointee.slotA))
    let b =
      joint.pointee.slotB < 0
      ? joint.pointee.anchorB + joint.pointee.anchorTravel
      : anchor(joint.pointee.anchorB, slot: Int(joint.pointee.slotB))
    return (b - a).length
  }

  /// Where an anchor of a body is between two parts of a tick.
  func anchor(_ anchor: Vector2, slot: Int) -> Vector2 {
    let row = Int(slots[slot].row)
    assert(bodies.motions[2 * row + 1].z == 0, "nothing has moved since the last part")
    let pose = bodies.poses[row]
    return Vector2(pose.x, pose.y) + anchor.rotated(by: Rotation(cosine: pose.z, sine: pose.w))
  }

  /// Gravity, forces, springs, motors and travelling anchors take bodies along that have no speed
  /// yet.
  func lookOutForPushes() {
    let most =
      largestGravity * PhysicsWorld.tickLength + largestForcedSpeed + largestJointSpeed
      + state.correctionSpeed
    assert(most >= 0 && most.isFinite)
    state.hiddenSpeed = most > Self.unnoticed ? most : 0
  }

  var largestGravity: Float {
    var scale: Float = 1
    if state.demands.scaled > 0 {
      for k in 0..<propertyTable.count where propertyTable.uses[k] > 0 {
        let own = magnitude(propertyTable.values[k].gravityScale)
        scale = own > scale ? own : scale
      }
    }
    return state.gravity.length * scale
  }

  /// Most that a force adds to a speed in this tick.
  private var largestForcedSpeed: Float {
    guard state.forcesAreSet else { return 0 }
    var most: Float = 0
    for row in 0..<bodies.rowCount where bodies.slots[row] >= 0 {
      let squared = acceleration(ofRow: row).lengthSquared
      most = squared > most ? squared : most
    }
    return speed(givenBy: most)
  }

  /// Most that a force adds to a row's speed in this tick.
  func largestSpeed(byForceOnRow row: Int) -> Float {
    speed(givenBy: acceleration(ofRow: row).lengthSquared)
  }

  private func acceleration(ofRow row: Int) -> Vector2 {
    let force = slots.forces[Int(bodies.slots[row])]
    return Vector2(force.x, force.y) * bodies.motions[2 * row].w
  }

  private func speed(givenBy squaredAcceleration: Float) -> Float {
    let limit = PhysicsLimit.acceleration
    let acceleration =
      squaredAcceleration < limit * limit ? squaredAcceleration.squareRoot() : limit
    return acceleration * PhysicsWorld.tickLength
  }

  /// Most that any joint adds to a speed in this tick.
  private var largestJointSpeed: Float {
    var most: Float = 0
    for place in 0..<joints.count where isActive(place) {
      let speed = largestSpeed(byJoint: place)
      most = speed > most ? speed : most
    }
    let limit = PhysicsWorld.speedLimit
    return most < limit ? most : limit
  }

  /// Most that a joint adds to a speed in this tick: its anchor's, and what its spring or its motor
  /// gains. What a weak motor gains is within what others look out for anyway.
  func largestSpeed(byJoint place: Int) -> Float {
    let joint = joints[place]
    let speed = joint.anchorTravelVelocity.length
    guard joint.isSpring || joint.isDriven else { return speed }
    let solver = JointSolver(self, joint, step: 1)
    if joint.isSpring { return speed + solver.largestSpringSpeed }
    let motor = solver.largestMotorSpeed(reachOfWelded: reachOfWelded(byJoint: joint))
    return motor > 0.5 * Self.unnoticed ? speed + motor : speed
  }

  /// How far from a hinge the centres are that a motor turns along with its bodies, at most.
  private func reachOfWelded(byJoint joint: JointRecord) -> Float {
    guard !welded.isEmpty && joint.kind == .revolute else { return 0 }
    let a = reachOfWelded(to: Int(joint.slotA), anchor: joint.anchorA)
    guard joint.slotB >= 0 else { return a }
    let b = reachOfWelded(to: Int(joint.slotB), anchor: joint.anchorB)
    return a > b ? a : b
  }
}

extension JointSolver {
  /// Most that an undamped spring gains in a tick: the speed with which it passes its middle, or
  /// what its pull gives until then.
  fileprivate var largestSpringSpeed: Float {
    let still = a.inverseMass + b.inverseMass
    let arms = a.arm.lengthSquared * a.inverseInertia + b.arm.lengthSquared * b.inverseInertia
    // As much faster as its bodies are held beside their centres.
    let ease = still > 0 ? ((still + arms) / still).squareRoot() : 1
    let omega = 2 * DeterministicMath.pi * joint.frequency * ease
    var way = gap
    if joint.kind == .weld { way += magnitude(relativeAngle) * (a.arm.length + b.arm.length) }
    let share = omega * PhysicsWorld.tickLength
    return way * omega * (share < 1 ? share : 1)
  }

  /// Most that a motor gains in a tick beyond what its bodies have: up to its own speed, as far as
  /// its strength goes; of a hinge, what the bodies' centres gain of the turn, and those of what is
  /// welded to them, which are up to `reachOfWelded` points away.
  fileprivate func largestMotorSpeed(reachOfWelded: Float) -> Float {
    assert(joint.isDriven)
    let softness: Float
    let speed: Float
    var arm: Float = 1
    if joint.kind == .prismatic {
      let (axis, armA) = (joint.axis.rotated(by: a.rotation), a.arm + reach)
      softness = compliance(axis, armA, b.arm)
      speed = closing(axis, armA, b.arm)
    } else {
      softness = turnCompliance
      speed = b.spin - a.spin
      arm = larger(larger(a.arm.length, b.arm.length), reachOfWelded)
    }
    let lacks = larger(magnitude(joint.motorSpeed) - magnitude(speed), 0)
    let gains = joint.frictionTorque * softness * PhysicsWorld.tickLength
    return (lacks < gains ? lacks : gains) * arm
  }
}
