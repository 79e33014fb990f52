extension PhysicsWorld {
  /// Adds a force for the whole of the next step, in mass·pt/s², at a point of the world (through
  /// the centre of mass when nil), and wakes the body. Forces of one tick add up; together with
  /// gravity they accelerate a body by at most `PhysicsLimit.acceleration`.
  ///
  /// Throws `unknownBody`, and `valueOutOfRange` for a force that is not finite or a point beyond
  /// `PhysicsLimit.place`.
  public mutating func applyForce(
    _ force: Vector2, at point: Vector2? = nil, to id: BodyID
  ) throws(PhysicsError) {
    let slot = try place(of: id)
    guard force.isFinite else { throw .infinite(.force, force) }
    if let point, !point.isPlace {
      throw .outside(.position, point, within: PhysicsLimit.place)
    }
    let force = force.shortened(to: SnapshotLimit.force)
    owned().addForce(force, torque: arm(of: slot, to: point).cross(force), slot: slot)
  }

  /// Adds a torque for the whole of the next step, in mass·pt²/s², and wakes the body; one that
  /// does not rotate ignores it. Throws `unknownBody`, and `valueOutOfRange` for what is not
  /// finite.
  public mutating func applyTorque(_ torque: Float, to id: BodyID) throws(PhysicsError) {
    let slot = try place(of: id)
    guard torque.isFinite else { throw .infinite(.torque, torque) }
    owned().addForce(.zero, torque: torque, slot: slot)
  }

  /// Changes the momentum at once, in mass·pt/s, at a point of the world (through the centre of
  /// mass when nil), and wakes the body. The body gets no faster than `speedLimit` and `spinLimit`.
  ///
  /// Throws `unknownBody`, and `valueOutOfRange` for an impulse that is not finite or a point
  /// beyond `PhysicsLimit.place`.
  public mutating func applyImpulse(
    _ impulse: Vector2, at point: Vector2? = nil, to id: BodyID
  ) throws(PhysicsError) {
    let slot = try place(of: id)
    guard impulse.isFinite else { throw .infinite(.impulse, impulse) }
    if let point, !point.isPlace {
      throw .outside(.position, point, within: PhysicsLimit.place)
    }
    let impulse = impulse.shortened(to: SnapshotLimit.force)
    let arm = arm(of: slot, to: point)
    owned().change(slot) { motion, inertia in
      motion.x += impulse.x * motion.w
      motion.y += impulse.y * motion.w
      motion.z += arm.cross(impulse) * inertia
    }
  }

  /// Changes the angular momentum at once, in mass·pt²/s, and wakes the body, which spins no faster
  /// than `spinLimit`. Throws `unknownBody`, and `valueOutOfRange` for what is not finite.
  public mutating func applyAngularImpulse(
    _ impulse: Float, to id: BodyID
  ) throws(PhysicsError) {
    let slot = try place(of: id)
    guard impulse.isFinite else { throw .infinite(.angularImpulse, impulse) }
    let impulse = impulse.brought(within: SnapshotLimit.force)
    owned().change(slot) { motion, inertia in motion.z += impulse * inertia }
  }

  /// From a body's centre to a point of the world.
  private func arm(of slot: Int, to point: Vector2?) -> Vector2 {
    guard let point else { return .zero }
    return point - storage.position(ofRow: Int(storage.slots[slot].row))
  }
}
