// Springs in a step. Each is two kicks, one before the move and one after it, so that what swings
// neither gains nor loses energy; gravity and other forces, which are given before the move as
// well, are halved about them for that. Where a spring presses its bodies on something it takes
// all before the move, as contacts do.

extension WorldStorage {
  /// The largest share of a displacement that the first kicks of all springs of a body together may
  /// move it back by in a sub-step. Kicks are stable below 1, if the bodies at the springs' other
  /// ends are held as stiffly. That is 70 springs of 9 Hz; where there are more, they pull less.
  private static let stiffest: Float = 0.9

  /// At the start of a part of a tick, when contacts are known.
  func prepareSprings(_ h: Float) {
    notePressingSprings()
    waves.forgetStiffness(rows: bodies.rowCount)
    for k in 0..<waves.others.count {
      let joint = joints.base + Int(waves.others[k])
      guard joint.pointee.isSpring else { continue }
      let spring = DampedSpring(
        frequency: joint.pointee.frequency, dampingRatio: joint.pointee.dampingRatio, step: h)
      joint.pointee.kick = spring.kick
      noteStiffness(joint.pointee, h)
    }
    for k in 0..<waves.others.count {
      let joint = joints.base + Int(waves.others[k])
      guard joint.pointee.isSpring else { continue }
      let a = waves.stiffness[Int(slots[Int(joint.pointee.slotA)].row)]
      let slotB = Int(joint.pointee.slotB)
      let b = slotB < 0 ? 0 : waves.stiffness[Int(slots[slotB].row)]
      let most = a > b ? a : b
      guard most > Self.stiffest else { continue }
      joint.pointee.kick.pull *= Self.stiffest / most
    }
  }

  /// Adds a spring to what pulls its two bodies.
  private func noteStiffness(_ joint: JointRecord, _ h: Float) {
    let turn = joint.kick.pull * h
    let rowA = Int(slots[Int(joint.slotA)].row)
    let rowB = joint.slotB < 0 ? -1 : Int(slots[Int(joint.slotB)].row)
    let masses = inverseMass(ofRow: rowA) + (rowB < 0 ? 0 : inverseMass(ofRow: rowB))
    guard masses > 0 else { return }
    let angle = joint.kind == .weld ? turn : 0
    noteStiffness(ofRow: rowA, angle + turn / masses * softness(ofRow: rowA, at: joint.anchorA))
    guard rowB >= 0 else { return }
    noteStiffness(ofRow: rowB, angle + turn / masses * softness(ofRow: rowB, at: joint.anchorB))
  }

  private func noteStiffness(ofRow row: Int, _ stiffness: Float) {
    assert(stiffness >= 0)
    waves.stiffness[row] += stiffness
    // What bears something takes gravity and its springs before the move.
    guard !waves.isPressed(row: row), !waves.isHalved[row] else { return }
    waves.isHalved[row] = true
    waves.halved.append(Int32(truncatingIfNeeded: row))
  }

  private func inverseMass(ofRow row: Int) -> Float { bodies.motions[2 * row].w }

  /// How much an impulse at a point changes that point's speed at most.
  private func softness(ofRow row: Int, at arm: Vector2) -> Float {
    bodies.motions[2 * row].w + arm.lengthSquared * bodies.motions[2 * row + 1].w
  }

  /// Before the move. All dampings come before all pulls, so that what several springs hold lies
  /// where their pulls are equal.
  func applySprings(_ h: Float) {
    addHalvedForces(-0.5)
    forEachSpring(h) { if !$0.joint.isPressing { $0.damp(leaving: $0.joint.kick.left) } }
    forEachSpring(h) {
      if $0.joint.isPressing { $0.press() } else { $0.pull($0.joint.kick.pull) }
    }
  }

  /// After the move: the same the other way round.
  func finishSprings(_ h: Float) {
    forEachSpring(h) { if !$0.joint.isPressing { $0.pull($0.joint.kick.pull) } }
    forEachSpring(h) { if !$0.joint.isPressing { $0.damp(leaving: $0.joint.kick.left) } }
    addHalvedForces(0.5)
  }

  @inline(__always)
  private func forEachSpring(_ h: Float, _ action: (inout JointSolver) -> Void) {
    for k in 0..<waves.others.count where joints[Int(waves.others[k])].isSpring {
      solveJoint(Int(waves.others[k]), h, action)
    }
  }

  /// Gives a share of what gravity and forces do in a sub-step to the bodies that hang on springs.
  private func addHalvedForces(_ share: Float) {
    for k in 0..<waves.halved.count {
      let row = Int(waves.halved[k])
      bodies.motions[2 * row] += integration.drives[row] * Lanes(repeating: share)
    }
  }
}
