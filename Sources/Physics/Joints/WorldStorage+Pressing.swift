// Contacts give way a little, the more, the harder something presses. A motor without a bound to
// speak of would take that for room and push its body through anchored ones and boundaries. So
// where something may be in the way of one of its bodies, a motor gives no more than contacts bear,
// and contacts have the last word on speeds: nothing is driven into them after they were solved.
// Motors that are weaker than that have nothing of it.
//
// What rigid welds hold together with a motor's body is pushed along with it, so a motor yields to
// what touches that, too. Of hinges, sliders, rods, ropes and springs further on nothing is known
// here: what hangs on a motor's body by these may still be pushed through things.

extension JointSolver {
  /// The acceleration, in pt/s², that a motor gives its body at most while something may be in its
  /// way: a third of what forces may give, and four hundred times the usual gravity. With the
  /// default stiffness of contacts it presses a body 1.25 pt deep.
  static let pressing: Float = 400_000

  /// The most that a slider's motor does, for how much a force along the axis accelerates.
  func slideStrength(_ compliance: Float) -> Float {
    assert(compliance > 0)
    guard joint.isPressing else { return joint.frictionTorque }
    let own = Self.pressing / compliance
    let most = own < joint.weldedStrength ? own : joint.weldedStrength
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
      joint.pointee.weldedStrength = strengthOfWelded(joint.pointee)
      joint.pointee.isPressing = joint.pointee.frictionTorque > strengthOfContacts(joint.pointee)
    }
  }

  private func notePressed(_ contacts: borrowing Contacts) {
    for k in 0..<contacts.onePoint.count { waves.notePressed(contacts.onePoint.rows[k]) }
    for k in 0..<contacts.twoPoint.count { waves.notePressed(contacts.twoPoint.rows[k]) }
    for k in 0..<contacts.edges.count { waves.notePressed(row: Int(contacts.edges[k].row)) }
  }

  /// Notes which springs have bodies that pressed on something in the last part of a tick.
  func notePressingSprings() {
    waves.forgetPressed(rows: bodies.rowCount)
    noteBearing(contacts)
    if zone.isOn { noteBearing(zone.contacts) }
    for k in 0..<waves.others.count {
      let joint = joints.base + Int(waves.others[k])
      guard joint.pointee.isSpring else { continue }
      let isHeld = joint.pointee.slotB >= 0 && isHindered(slot: joint.pointee.slotB)
      joint.pointee.isPressing = isHeld || isHindered(slot: Int32(joint.pointee.slotA))
    }
  }

  private func noteBearing(_ contacts: borrowing Contacts) {
    for k in 0..<contacts.onePoint.count {
      let rows = contacts.onePoint.rows[k]
      if bears(neighbours.impulses[Int(rows.pair)]) { waves.notePressed(rows) }
    }
    for k in 0..<contacts.twoPoint.count {
      let rows = contacts.twoPoint.rows[k]
      if bears(neighbours.impulses[Int(rows.pair)]) { waves.notePressed(rows) }
    }
    for k in 0..<contacts.edges.count where bears(edgePairs[Int(contacts.edges[k].pair)].impulse) {
      waves.notePressed(row: Int(contacts.edges[k].row))
    }
  }

  /// Whether one of a contact's points has pressed: its impulses along the normal.
  private func bears(_ impulse: Lanes) -> Bool { impulse.x > 0 || impulse.z > 0 }

  private func isHindered(slot: Int32) -> Bool { isHindered(row: Int(slots[Int(slot)].row)) }

  /// Whether something may be in the way of a row. What lies on an anchored or kinematic body is in
  /// nobody's way.
  private func isHindered(row: Int) -> Bool {
    waves.isPressed(row: row) && bodies.motions[2 * row].w > 0
  }

  /// The most that a motor may do to what has contacts; infinite where nothing has.
  func strengthOfContacts(_ joint: JointRecord) -> Float {
    let own = strengthOfOwnContacts(joint)
    return own < joint.weldedStrength ? own : joint.weldedStrength
  }

  /// The most that a motor may do to its two bodies, if they have contacts. A hinge's moves the
  /// farthest point of such a body by no more than `JointSolver.pressing`.
  private func strengthOfOwnContacts(_ joint: JointRecord) -> Float {
    assert(joint.isDriven)
    let rowA = Int(slots[Int(joint.slotA)].row)
    let rowB = joint.slotB < 0 ? -1 : Int(slots[Int(joint.slotB)].row)
    guard isHindered(row: rowA) || (rowB >= 0 && isHindered(row: rowB)) else { return .infinity }
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
    isHindered(row: row) ? anchor.length + bodies.forms[row].w : 0
  }

  /// The most that a motor may do to what is welded to its bodies, if that has contacts: as if each
  /// of these bodies alone hung on the motor. Infinite where none has.
  private func strengthOfWelded(_ joint: JointRecord) -> Float {
    assert(joint.isDriven)
    let isSlider = joint.kind == .prismatic
    let a = strengthOfWelded(to: Int(joint.slotA), anchor: joint.anchorA, isSlider: isSlider)
    guard joint.slotB >= 0 else { return a }
    let b = strengthOfWelded(to: Int(joint.slotB), anchor: joint.anchorB, isSlider: isSlider)
    return a < b ? a : b
  }

  private func strengthOfWelded(to slot: Int, anchor: Vector2, isSlider: Bool) -> Float {
    var most = Float.infinity
    var other = welded.next(after: slot)
    guard other != slot else { return most }
    let joint = self.anchor(anchor, slot: slot)
    while other != slot {
      let row = Int(slots[other].row)
      if isHindered(row: row) {
        let strength = isSlider ? slideStrength(ofRow: row) : turnStrength(ofRow: row, about: joint)
        most = strength < most ? strength : most
      }
      other = welded.next(after: other)
    }
    assert(most > 0)
    return most
  }

  /// The force that accelerates a row by `JointSolver.pressing`.
  private func slideStrength(ofRow row: Int) -> Float {
    JointSolver.pressing / bodies.motions[2 * row].w
  }

  /// The torque that, about a point, accelerates a row's farthest point by `JointSolver.pressing`;
  /// infinite for what doesn't turn.
  private func turnStrength(ofRow row: Int, about point: Vector2) -> Float {
    let softness = bodies.motions[2 * row + 1].w
    guard softness > 0 else { return .infinity }
    let way = position(ofRow: row) - point
    let inertia = 1 / softness + way.lengthSquared / bodies.motions[2 * row].w
    let reach = way.length + bodies.forms[row].w
    assert(inertia > 0 && reach > 0)
    return JointSolver.pressing * inertia / reach
  }
}
