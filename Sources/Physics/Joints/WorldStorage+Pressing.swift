// Contacts give way a little, the more, the harder something presses. A motor without a bound to
// speak of would take that for room and push its body through anchored ones and boundaries. So
// where something may be in the way of one of its bodies, a motor gives no more than contacts bear,
// and contacts have the last word on speeds: nothing is driven into them after they were solved.
// Motors that are weaker than that have nothing of it.

extension JointSolver {
  /// The acceleration, in pt/s², that a motor gives its body at most while something may be in its
  /// way: a third of what forces may give, and four hundred times the usual gravity. With the
  /// default stiffness of contacts it presses a body 1.25 pt deep.
  static let pressing: Float = 400_000

  /// The most that a slider's motor does, for how much a force along the axis accelerates.
  func slideStrength(_ compliance: Float) -> Float {
    assert(compliance > 0)
    guard joint.isPressing else { return joint.frictionTorque }
    let most = Self.pressing / compliance
    return joint.frictionTorque < most ? joint.frictionTorque : most
  }
}

extension WorldStorage {
  /// After the contacts of a part of a tick are known: notes which motors are too strong for what
  /// may be in the way of their bodies, with contacts being looked for as far as these may get.
  func notePressingMotors() {
    waves.forgetPressed(rows: bodies.rowCount)
    notePressed(contacts)
    if zone.isOn { notePressed(zone.contacts) }
    for place in 0..<joints.count where isActive(place) && joints[place].isDriven {
      let joint = joints.base + place
      joint.pointee.isPressing = joint.pointee.frictionTorque > strengthOfContacts(joint.pointee)
    }
  }

  private func notePressed(_ contacts: borrowing Contacts) {
    for k in 0..<contacts.onePoint.count { waves.notePressed(contacts.onePoint.rows[k]) }
    for k in 0..<contacts.twoPoint.count { waves.notePressed(contacts.twoPoint.rows[k]) }
    for k in 0..<contacts.edges.count { waves.notePressed(row: Int(contacts.edges[k].row)) }
  }

  /// The most that a motor may do to bodies that have contacts; infinite where none has. A hinge's
  /// moves the farthest point of such a body by no more than `JointSolver.pressing`.
  func strengthOfContacts(_ joint: JointRecord) -> Float {
    assert(joint.isDriven)
    let rowA = Int(slots[Int(joint.slotA)].row)
    let rowB = joint.slotB < 0 ? -1 : Int(slots[Int(joint.slotB)].row)
    let isPressed = waves.isPressed(row: rowA) || (rowB >= 0 && waves.isPressed(row: rowB))
    guard isPressed else { return .infinity }
    if joint.kind == .prismatic {
      let solver = JointSolver(self, joint, step: 1)
      let axis = joint.axis.rotated(by: solver.a.rotation)
      let softness = solver.compliance(axis, solver.a.arm + solver.reach, solver.b.arm)
      return softness > 0 ? JointSolver.pressing / softness : .infinity
    }
    let reachA = pressedReach(ofRow: rowA, anchor: joint.anchorA)
    let reachB = rowB < 0 ? 0 : pressedReach(ofRow: rowB, anchor: joint.anchorB)
    let reach = reachA > reachB ? reachA : reachB
    let softness =
      bodies.motions[2 * rowA + 1].w + (rowB < 0 ? 0 : bodies.motions[2 * rowB + 1].w)
    return reach > 0 && softness > 0 ? JointSolver.pressing / (softness * reach) : .infinity
  }

  /// How far a body that has contacts reaches from a joint, in points; 0 of any other.
  private func pressedReach(ofRow row: Int, anchor: Vector2) -> Float {
    waves.isPressed(row: row) ? anchor.length + bodies.forms[row].w : 0
  }
}
