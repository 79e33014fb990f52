extension PhysicsWorld {
  /// Adds a force for the whole of the next step, in mass·pt/s², at a point of the world (through
  /// the centre of mass when nil). The body must exist.
  public mutating func applyForce(_ force: Vector2, at point: Vector2? = nil, to id: BodyID) {
    precondition(force.isFinite && (point ?? .zero).isFinite)
    let slot = index(id)
    let arm = point.map { $0 - storage.position(ofRow: Int(storage.slots[slot].row)) } ?? .zero
    owned().addForce(force, torque: arm.cross(force), slot: slot)
  }

  /// Adds a torque for the whole of the next step, in mass·pt²/s². The body must exist.
  public mutating func applyTorque(_ torque: Float, to id: BodyID) {
    precondition(torque.isFinite)
    let slot = index(id)
    owned().addForce(.zero, torque: torque, slot: slot)
  }

  /// Changes the momentum at once, in mass·pt/s, at a point of the world (through the centre of
  /// mass when nil). The body must exist.
  public mutating func applyImpulse(_ impulse: Vector2, at point: Vector2? = nil, to id: BodyID) {
    precondition(impulse.isFinite && (point ?? .zero).isFinite)
    let slot = index(id)
    let arm = point.map { $0 - storage.position(ofRow: Int(storage.slots[slot].row)) } ?? .zero
    owned().change(slot) { motion, inertia in
      motion.x += impulse.x * motion.w
      motion.y += impulse.y * motion.w
      motion.z += arm.cross(impulse) * inertia
    }
  }

  /// Changes the angular momentum at once, in mass·pt²/s. The body must exist.
  public mutating func applyAngularImpulse(_ impulse: Float, to id: BodyID) {
    precondition(impulse.isFinite)
    let slot = index(id)
    owned().change(slot) { motion, inertia in motion.z += impulse * inertia }
  }
}
