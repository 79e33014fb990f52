// Contacts give way a little, the more, the harder something presses. A motor without a bound to
// speak of would take that for room and push its body through anchored ones and boundaries. So
// while one of its bodies lies deep in something, a motor gives no more than contacts bear. What
// only brakes brings nothing about by itself and is left alone.

extension JointSolver {
  /// The acceleration, in pt/s², that a motor gives its body at most while that lies deep in
  /// something: a third of what forces may give, and four hundred times the usual gravity. With the
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
  /// How deep, in points, a body lies in another thing before a motor is bounded: as deep as eighty
  /// times the usual gravity presses it.
  private static let pressedDepth: Float = 0.25

  /// After the contacts of a part of a tick are known: notes which motors have a body pressed into
  /// something.
  func notePressingMotors() {
    waves.forgetPressed(rows: bodies.rowCount)
    notePressed(contacts)
    if zone.isOn { notePressed(zone.contacts) }
    for place in 0..<joints.count where isActive(place) && joints[place].isDriven {
      let joint = joints.base + place
      let other = joint.pointee.slotB
      joint.pointee.isPressing =
        waves.isPressed(row: Int(slots[Int(joint.pointee.slotA)].row))
        || (other >= 0 && waves.isPressed(row: Int(slots[Int(other)].row)))
    }
  }

  private func notePressed(_ contacts: borrowing Contacts) {
    let deep = -Self.pressedDepth
    for k in 0..<contacts.onePoint.count where contacts.onePoint.records[k].head.z < deep {
      waves.notePressed(contacts.onePoint.rows[k])
    }
    for k in 0..<contacts.twoPoint.count {
      let head = contacts.twoPoint.records[k].head
      if head.z < deep || head.w < deep { waves.notePressed(contacts.twoPoint.rows[k]) }
    }
    for k in 0..<contacts.edges.count {
      let (head, row) = (contacts.edges[k].head, Int(contacts.edges[k].row))
      if head.z < deep || head.w < deep { waves.notePressed(row: row) }
    }
  }

  /// The most that a pressing hinge's motor does: what accelerates the farthest point of a pressed
  /// body by no more than `JointSolver.pressing`.
  func turnStrength(_ joint: JointRecord, _ entry: HingeEntry) -> Float {
    assert(joint.isPressing && joint.kind == .revolute)
    let hasOther = joint.slotB >= 0
    let reachA = pressedReach(ofRow: Int(entry.a), anchor: joint.anchorA)
    let reachB = hasOther ? pressedReach(ofRow: Int(entry.b), anchor: joint.anchorB) : 0
    let reach = reachA > reachB ? reachA : reachB
    let softness =
      bodies.motions[2 * Int(entry.a) + 1].w
      + (hasOther ? bodies.motions[2 * Int(entry.b) + 1].w : 0)
    guard reach > 0, softness > 0 else { return joint.frictionTorque }
    let most = JointSolver.pressing / (softness * reach)
    return joint.frictionTorque < most ? joint.frictionTorque : most
  }

  /// How far a pressed body reaches from a joint, in points; 0 of one that isn't pressed.
  private func pressedReach(ofRow row: Int, anchor: Vector2) -> Float {
    waves.isPressed(row: row) ? anchor.length + bodies.forms[row].w : 0
  }
}
