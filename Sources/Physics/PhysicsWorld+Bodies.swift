extension PhysicsWorld {
  /// Adds a body and returns its name: the lowest free slot.
  ///
  /// Throws `worldFull` at the configured capacity and `valueOutOfRange` for values that are not
  /// finite or outside their documented ranges.
  @discardableResult
  public mutating func addBody(_ definition: BodyDefinition) throws(PhysicsError) -> BodyID {
    guard definition.isValid else { throw .valueOutOfRange }
    guard bodyCount < configuration.capacity else {
      throw .worldFull(capacity: configuration.capacity)
    }
    return owned().add(definition)
  }

  /// Removes a body and its joints, and wakes what rested on it. Its contacts end in the next step.
  public mutating func removeBody(_ id: BodyID) throws(PhysicsError) {
    guard contains(id) else { throw .unknownBody(id) }
    owned().remove(slot: Int(id.slot))
  }

  /// Whether a body of this name exists.
  public func contains(_ id: BodyID) -> Bool {
    let slot = Int(id.slot)
    return slot < slotCount && storage.slots[slot].exists
      && storage.slots[slot].generation == id.generation
  }

  /// The name of the body in a slot; nil when the slot is free.
  public func bodyID(atSlot slot: Int) -> BodyID? {
    guard slot >= 0, slot < slotCount, storage.slots[slot].exists else { return nil }
    return storage.bodyID(ofSlot: slot)
  }

  /// Calls `action` for every body in slot order.
  public func forEachBody(_ action: (BodyID, BodyState) -> Void) {
    for slot in 0..<slotCount where storage.slots[slot].exists {
      action(storage.bodyID(ofSlot: slot), storage.state(ofSlot: slot))
    }
  }

  /// Where a body is and how it moves. The body must exist: ask `contains` when in doubt.
  public func body(_ id: BodyID) -> BodyState { storage.state(ofSlot: index(id)) }

  /// A body's shape. The body must exist.
  public func shape(of id: BodyID) -> Shape { storage.shape(ofSlot: index(id)) }

  /// A body's properties. The body must exist.
  public func properties(of id: BodyID) -> BodyProperties {
    storage.fullProperties(ofSlot: index(id))
  }

  /// A body's mass; 1 is a 100×100 item of density 1. The body must exist.
  public func mass(of id: BodyID) -> Float {
    let slot = index(id)
    return storage.properties(ofSlot: slot).density * storage.shape(ofSlot: slot).area * 1e-4
  }

  /// Puts a body elsewhere and wakes it. The body must exist, the point must be finite.
  public mutating func setPosition(_ position: Vector2, of id: BodyID) {
    precondition(position.isFinite)
    let slot = index(id)
    owned().setPosition(position, slot: slot)
  }

  /// Turns a body and wakes it. The body must exist, the rotation must be finite.
  public mutating func setRotation(_ rotation: Rotation, of id: BodyID) {
    precondition(rotation.cosine.isFinite && rotation.sine.isFinite)
    let slot = index(id)
    owned().setRotation(rotation.normalized, slot: slot)
  }

  /// Sets a velocity in pt/s and wakes the body; an anchored body stays still. The body must exist.
  public mutating func setVelocity(_ velocity: Vector2, of id: BodyID) {
    precondition(velocity.isFinite)
    let slot = index(id)
    owned().change(slot) { motion, _ in
      if motion.w > 0 {
        motion.x = velocity.x
        motion.y = velocity.y
      }
    }
  }

  /// Sets a spin in rad/s and wakes the body; one that does not rotate stays. The body must exist.
  public mutating func setAngularVelocity(_ spin: Float, of id: BodyID) {
    precondition(spin.isFinite)
    let slot = index(id)
    owned().change(slot) { motion, inertia in if inertia > 0 { motion.z = spin } }
  }

  /// Changes material, mass, damping, filter or kind, and wakes the body. The body must exist.
  public mutating func setProperties(
    _ properties: BodyProperties, of id: BodyID
  ) throws(PhysicsError) {
    guard properties.isValid else { throw .valueOutOfRange }
    let slot = index(id)
    owned().setProperties(properties, slot: slot)
  }

  /// Changes a body's form about its centre of mass, and wakes it. The body must exist.
  public mutating func setShape(_ shape: Shape, of id: BodyID) {
    let slot = index(id)
    owned().setShape(shape, slot: slot)
  }

  /// Wakes a body and what it rests with. The body must exist.
  public mutating func wake(_ id: BodyID) {
    let slot = index(id)
    owned().wake(slot: slot)
  }

  func index(_ id: BodyID) -> Int {
    precondition(contains(id), "no such body")
    return Int(id.slot)
  }
}
