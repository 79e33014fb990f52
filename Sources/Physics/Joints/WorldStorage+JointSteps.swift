// Joints in a step. Each sub-step solves them before contacts: walls have the last word.

extension WorldStorage {
  /// Faster than this, in pt/s, an anchor does not travel but jumps: its body is brought after it
  /// without being given its speed.
  private static let fastestAnchor: Float = 2000
  /// Sweeps until an impulse has gone through a chain; few are needed once the impulses are kept.
  private static let sweeps = 8
  /// Corrections below this many points are done.
  private static let exact: Float = 0.0005
  /// Speeds, in pt/s, likewise.
  private static let exactSpeed: Float = 0.02

  /// Before the first sub-step of a tick: moved anchors set out.
  func startJoints() {
    for place in 0..<joints.count where joints[place].exists {
      let way = joints[place].lag.length
      if way > Self.fastestAnchor * PhysicsWorld.tickLength {
        joints[place].lag = .zero
      } else if way > 0 {
        joints[place].lagVelocity = -(joints[place].lag / PhysicsWorld.tickLength)
      }
    }
  }

  /// After the last sub-step of a tick: they have arrived.
  func endJoints() {
    for place in 0..<joints.count {
      joints[place].lag = .zero
      joints[place].lagVelocity = .zero
    }
  }

  /// Springs, then the rigid rows: so that they hold after the move.
  func placeJoints(_ h: Float) {
    guard joints.count > 0 else { return }
    for place in 0..<joints.count where isActive(place) {
      solve(place, h) { joint in
        if joint.joint.isSpring {
          joint.applySpring(
            SpringStep(
              frequency: joint.joint.frequency, dampingRatio: joint.joint.dampingRatio, step: h))
        } else {
          joint.joint.mendingA = .zero
          joint.joint.mendingB = .zero
          joint.joint.apart = joint.gap
          joint.warmStart()
        }
      }
    }
    sweep(h, Self.exact) { $0.joint.isBlocked ? 0 : $0.solvePlaces() }
    sweep(h, Self.exact) {
      $0.mends = true
      return $0.solvePlaces()
    }
  }

  /// After the move: takes the mending back and finishes the springs.
  func takeBackMending(_ h: Float) {
    guard joints.count > 0 else { return }
    for place in 0..<joints.count where isActive(place) {
      joints[place].lag += joints[place].lagVelocity * h
      solve(place, h) { joint in
        if joint.joint.isSpring {
          joint.finishSpring()
        } else {
          joint.a.takeBack(joint.joint.mendingA)
          joint.b.takeBack(joint.joint.mendingB)
          joint.joint.isBlocked =
            joint.hasFailed && (isTouching(joint.a.row) || isTouching(joint.b.row))
          if joint.joint.isBlocked { joint.joint.impulses = .zero }
        }
      }
    }
  }

  /// Whether a row has a contact in this part of the tick. A joint that pulls against what never
  /// gives way would carry more and more: it gives way itself, and only mends until that helps.
  private func isTouching(_ row: Int) -> Bool {
    guard row >= 0 else { return false }
    if batches.taken[row] != 0 { return true }
    if zone.isOn && zone.batches.taken[row] != 0 { return true }
    for k in 0..<contacts.edges.count where Int(contacts.edges[k].row) == row {
      return true
    }
    guard zone.isOn else { return false }
    for k in 0..<zone.contacts.edges.count where Int(zone.contacts.edges[k].row) == row {
      return true
    }
    return false
  }

  /// Takes away what speeds would part the anchors: after the contacts have taken back what they
  /// had set against the mending, which a joint must not mistake for a load.
  func finishJoints(_ h: Float) {
    guard joints.count > 0 else { return }
    sweep(h, Self.exactSpeed) { $0.joint.isBlocked ? 0 : $0.solveSpeeds() }
  }

  /// Sweeps to and fro over the rigid joints until the largest correction is below `enough`.
  private func sweep(_ h: Float, _ enough: Float, _ action: (inout JointSolver) -> Float) {
    for round in 0..<Self.sweeps {
      var largest: Float = 0
      for k in 0..<joints.count {
        let place = round & 1 == 0 ? k : joints.count - 1 - k
        guard isActive(place), !joints[place].isSpring else { continue }
        solve(place, h) { joint in
          let size = action(&joint)
          assert(!(size < 0), "a correction is a size")
          largest = size > largest ? size : largest
        }
      }
      if largest < enough { return }
    }
  }

  @inline(__always)
  private func solve(_ place: Int, _ h: Float, _ action: (inout JointSolver) -> Void) {
    var solver = JointSolver(self, joints[place], step: h)
    action(&solver)
    assert(solver.joint.slotA == joints[place].slotA && solver.joint.slotB == joints[place].slotB)
    joints[place] = solver.joint
    solver.a.keepLimits()
    solver.b.keepLimits()
    solver.a.store(self)
    solver.b.store(self)
  }

  func isActive(_ place: Int) -> Bool {
    guard joints[place].exists else { return false }
    return isAwake(Int32(joints[place].slotA)) || isAwake(joints[place].slotB)
  }

  private func isAwake(_ slot: Int32) -> Bool {
    guard slot >= 0 else { return false }
    let record = slots[Int(slot)]
    assert(record.exists, "a joint goes with its bodies")
    return !record.isAsleep && bodies.motions[2 * Int(record.row)].w > 0
  }

}
