// How far things may get in a part of a tick. Contacts are found before the part is solved, so they
// are looked for as far away as that; and the faster things are, the more often.

extension WorldStorage {
  /// Speeds, in pt/s, above which a tick is solved in two and in six parts: contacts are found
  /// again before anything has moved much more than a contact's reach.
  private static let fast: Float = 480
  private static let veryFast: Float = 3840
  /// What may be gained within a tick, in pt/s, before anybody looks out for it: that takes a body
  /// 2.4 of the 4 pt up to which contacts take part anyway.
  private static let unnoticed: Float = 240

  /// A little more than a body moves in a sub-step at the speed limit and under the strongest
  /// force, the longest way between two looks at that speed.
  static let longestSweep: Float = 66

  /// How far a body may get in a part of a tick, for boundaries to look out for it: as far as
  /// the fastest, and twice as far when a tick is solved sub-step by sub-step, because a heavy body
  /// drives a light one on to twice its own speed.
  func outlook(_ time: Float) -> Float {
    assert(time > 0 && now.largestSpeed >= 0 && now.hiddenSpeed >= 0)
    let way = (now.largestSpeed.squareRoot() + now.hiddenSpeed) * time
    let far = time < 1.5 / 360 ? 2 * way : way
    return far < Self.longestSweep ? far : Self.longestSweep
  }

  /// Gap up to which a contact of two bodies takes part, besides what their approach closes.
  var speculation: Float {
    let way = now.hiddenSpeed * now.span
    return Lookup.speculation + (way < 2 * Lookup.mostSweep ? way : 2 * Lookup.mostSweep)
  }

  /// In how many parts this tick is solved.
  var partsOfTick: Int {
    if mayStrike { return 6 }
    let speed = now.largestSpeed.squareRoot()
    if speed + now.hiddenSpeed > Self.veryFast { return 6 }
    // What is gained within the tick counts for half of it.
    return speed + 0.5 * now.hiddenSpeed > Self.fast ? 2 : 1
  }

  /// Mending moves bodies that have no such speed, and a joint that is torn apart farther than it
  /// mends in a sub-step, or by fast bodies, may give one any speed: boundaries must look as far.
  func lookOutForMending() {
    let mending = JointSolver.mendingSpeed * JointSolver.mendingSpeed
    let most = PhysicsWorld.speedLimit * PhysicsWorld.speedLimit
    let torn = JointSolver.mendingSpeed * PhysicsWorld.tickLength / Float(PhysicsWorld.subSteps)
    for place in 0..<joints.count
    where now.largestSpeed < most && isActive(place) && !joints[place].isSpring {
      let gap = JointSolver(self, joints[place], step: 1).gap
      guard gap > JointSolver.tolerance else { continue }
      now.largestSpeed = gap > torn || now.largestSpeed > mending ? most : mending
    }
  }

  /// Gravity, forces, springs and travelling anchors take bodies along that have no speed yet.
  func lookOutForPushes() {
    let most = largestGravity * PhysicsWorld.tickLength + largestForcedSpeed + largestJointSpeed
    assert(most >= 0 && most.isFinite)
    now.hiddenSpeed = most > Self.unnoticed ? most : 0
  }

  private var largestGravity: Float {
    var scale: Float = 1
    if now.demands.scaled > 0 {
      for k in 0..<propertyTable.count where propertyTable.uses[k] > 0 {
        let own = magnitude(propertyTable.values[k].gravityScale)
        scale = own > scale ? own : scale
      }
    }
    return now.gravity.length * scale
  }

  /// Most that a force adds to a speed in this tick.
  private var largestForcedSpeed: Float {
    guard now.forcesAreSet else { return 0 }
    var most: Float = 0
    for row in 0..<bodies.rowCount where bodies.slots[row] >= 0 {
      let force = slots.forces[Int(bodies.slots[row])]
      let given = Vector2(force.x, force.y) * bodies.motions[2 * row].w
      let squared = given.lengthSquared
      most = squared > most ? squared : most
    }
    let limit = PhysicsLimit.acceleration
    let acceleration = most < limit * limit ? most.squareRoot() : limit
    return acceleration * PhysicsWorld.tickLength
  }

  /// Most that a joint adds to a speed in this tick: its anchor's, and what its spring gains.
  private var largestJointSpeed: Float {
    var most: Float = 0
    for place in 0..<joints.count where isActive(place) {
      let joint = joints[place]
      var speed = joint.lagVelocity.length
      if joint.isSpring { speed += JointSolver(self, joint, step: 1).largestSpringSpeed }
      most = speed > most ? speed : most
    }
    let limit = PhysicsWorld.speedLimit
    return most < limit ? most : limit
  }
}

extension JointSolver {
  /// Most that an undamped spring gains in a tick: the speed with which it passes its middle, or
  /// what its pull gives until then.
  fileprivate var largestSpringSpeed: Float {
    let omega = 2 * DeterministicMath.pi * joint.frequency
    var way = gap
    if joint.kind == .weld { way += magnitude(relativeAngle) * (a.arm.length + b.arm.length) }
    let share = omega * PhysicsWorld.tickLength
    return way * omega * (share < 1 ? share : 1)
  }
}
