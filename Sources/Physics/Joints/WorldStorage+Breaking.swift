// Joints that break: what they hold with is looked at after each sub-step, so that a jerk counts as
// much as a load, and they go at the end of the tick. Worlds without such joints pay nothing.

extension WorldStorage {
  /// After a sub-step of `h` seconds: the loads of the joints that may break.
  func noteLoads(_ h: Float) {
    assert(h > 0 && state.jointsThatBreak > 0)
    for k in 0..<waves.others.count {
      let joint = joints.base + Int(waves.others[k])
      guard joint.pointee.mayBreak else { continue }
      let load =
        joint.pointee.isSpring ? springLoad(joint.pointee) : joint.pointee.load(inStepOf: h)
      joint.pointee.note(load)
    }
    noteLoads(h, waves.rods) { i, lane in
      (magnitude(waves.rods.batches.base[i].impulse[lane]), 0)
    }
    noteLoads(h, waves.hinges) { i, lane in
      let batch = waves.hinges.batches.base + i
      return (Vector2(batch.pointee.impulseX[lane], batch.pointee.impulseY[lane]).length, 0)
    }
    noteLoads(h, waves.turners) { i, lane in
      let (batch, turns) = (waves.turners.batches.base + i, waves.turns.base + i)
      let turn = turns.pointee.weld[lane] + turns.pointee.low[lane] - turns.pointee.high[lane]
      return (
        Vector2(batch.pointee.impulseX[lane], batch.pointee.impulseY[lane]).length,
        magnitude(turn)
      )
    }
  }

  /// The same for joints in batches, whose impulses `impulses` tells.
  private func noteLoads(
    _ h: Float, _ list: borrowing JointList<some JointBatch>,
    _ impulses: (_ batch: Int, _ lane: Int) -> (linear: Float, turn: Float)
  ) {
    for i in 0..<list.count {
      for lane in 0..<4 where list.lanes[4 * i + lane] >= 0 {
        let joint = joints.base + Int(list.joints[Int(list.lanes[4 * i + lane])].place)
        guard joint.pointee.mayBreak else { continue }
        let (linear, turn) = impulses(i, lane)
        joint.pointee.note((linear / h, turn / h))
      }
    }
  }

  /// What a spring pulls with: its stiffness follows from its frequency and the masses.
  func springLoad(_ joint: JointRecord) -> (force: Float, torque: Float) {
    assert(joint.isSpring)
    let solver = JointSolver(self, joint, step: 1)
    let omega = 2 * DeterministicMath.pi * joint.frequency
    let k = solver.a.inverseMass + solver.b.inverseMass
    let turning = solver.turnCompliance
    let torque =
      joint.kind == .weld && turning > 0
      ? omega * omega * magnitude(solver.relativeAngle) / turning : 0
    return (k > 0 ? omega * omega * solver.gap / k : 0, torque)
  }

  /// At the end of a tick: removes the joints that held more than they can.
  func breakJoints() {
    for place in 0..<joints.count where joints[place].exists && joints[place].mayBreak {
      let joint = joints[place]
      joints[place].largestForce = 0
      joints[place].largestTorque = 0
      guard
        joint.largestForce > joint.breakingForce || joint.largestTorque > joint.breakingTorque
      else { continue }
      brokenJoints.append(JointID(slot: UInt16(place), generation: joint.generation))
      removeJoint(place)
    }
  }
}

extension JointRecord {
  /// What rigid rows did in a sub-step of `h` seconds, as a force and a torque.
  func load(inStepOf h: Float) -> (force: Float, torque: Float) {
    assert(h > 0 && !isSpring)
    switch kind {
    case .distance, .rope:
      return (Vector2(impulses[0], isHinge ? impulses[1] : 0).length / h, 0)
    case .prismatic:
      return (
        Vector2(impulses[0], impulses[3] - impulses[4]).length / h, magnitude(impulses[2]) / h
      )
    case .weld, .revolute:
      let turn = impulses[2] + impulses[3] - impulses[4]
      return (Vector2(impulses[0], impulses[1]).length / h, magnitude(turn) / h)
    }
  }

  fileprivate mutating func note(_ load: (force: Float, torque: Float)) {
    largestForce = load.force > largestForce ? load.force : largestForce
    largestTorque = load.torque > largestTorque ? load.torque : largestTorque
  }
}
