extension PhysicsWorld {
  /// Adds a force for the whole of the next step, in mass·pt/s², at a point of the world (through
  /// the centre of mass when nil). The body must exist.
  public mutating func applyForce(_ force: Vector2, at point: Vector2? = nil, to id: BodyID) {
    precondition(force.isFinite && (point ?? .zero).isFinite)
    let slot = index(id)
    bodies[slot].force += force
    if let point {
      bodies[slot].torque += (point - bodies[slot].state.position).cross(force)
    }
    wake(slot)
  }

  /// Adds a torque for the whole of the next step, in mass·pt²/s². The body must exist.
  public mutating func applyTorque(_ torque: Float, to id: BodyID) {
    precondition(torque.isFinite)
    let slot = index(id)
    bodies[slot].torque += torque
    wake(slot)
  }

  /// Changes the momentum at once, in mass·pt/s, at a point of the world (through the centre of
  /// mass when nil). The body must exist.
  public mutating func applyImpulse(_ impulse: Vector2, at point: Vector2? = nil, to id: BodyID) {
    precondition(impulse.isFinite && (point ?? .zero).isFinite)
    let slot = index(id)
    bodies[slot].state.velocity += impulse * bodies[slot].inverseMass
    if let point {
      let arm = point - bodies[slot].state.position
      bodies[slot].state.angularVelocity += arm.cross(impulse) * bodies[slot].inverseInertia
    }
    wake(slot)
  }

  /// Changes the angular momentum at once, in mass·pt²/s. The body must exist.
  public mutating func applyAngularImpulse(_ impulse: Float, to id: BodyID) {
    precondition(impulse.isFinite)
    let slot = index(id)
    bodies[slot].state.angularVelocity += impulse * bodies[slot].inverseInertia
    wake(slot)
  }
}
