extension PhysicsWorld {
  /// Adds a body and returns its name: the lowest free slot. It takes part from the next step on,
  /// awake.
  ///
  /// Throws `worldFull` at the configured capacity, against which each shape of a body counts, and
  /// `valueOutOfRange` for values that are not finite or outside their documented ranges.
  @discardableResult
  public mutating func addBody(_ definition: BodyDefinition) throws(PhysicsError) -> BodyID {
    guard definition.position.isPlace else {
      throw .outside(.position, definition.position, within: PhysicsLimit.place)
    }
    return try addBody(backAt: definition)
  }

  /// Adds a body like `addBody`, also where only motion gets to: as far as `PhysicsLimit.farPlace`.
  package mutating func addBody(
    backAt definition: BodyDefinition
  ) throws(PhysicsError) -> BodyID {
    guard definition.position.isFarPlace else {
      throw .outside(.position, definition.position, within: PhysicsLimit.farPlace)
    }
    if let refusal = definition.refusalAnywhere { throw .valueOutOfRange(refusal) }
    let shapes = 1 + definition.furtherShapes.count
    guard storage.slots.bodyCount + shapes <= configuration.capacity else {
      throw .worldFull(capacity: configuration.capacity)
    }
    return owned().add(definition)
  }

  /// Removes a body and its joints, and wakes what rested on it. Its contacts end in the next step.
  /// Throws `unknownBody`.
  public mutating func removeBody(_ id: BodyID) throws(PhysicsError) {
    guard contains(id) else { throw .unknownBody(id) }
    owned().remove(slot: Int(id.slot))
  }

  /// Whether a body of this name exists.
  public func contains(_ id: BodyID) -> Bool {
    let slot = Int(id.slot)
    return slot < slotCount && storage.isBody(slot)
      && storage.slots[slot].generation == id.generation
  }

  /// The name of the body in a slot; nil when the slot is free.
  public func bodyID(atSlot slot: Int) -> BodyID? {
    guard slot >= 0, slot < slotCount, storage.isBody(slot) else { return nil }
    return storage.bodyID(ofSlot: slot)
  }

  /// Calls `action` for every body in slot order.
  public func forEachBody(_ action: (BodyID, BodyState) -> Void) {
    for slot in 0..<slotCount where storage.isBody(slot) {
      action(storage.bodyID(ofSlot: slot), storage.state(ofSlot: slot))
    }
  }

  /// Where a body is and how it moves; nil for a name that nobody has (any more).
  public func body(_ id: BodyID) -> BodyState? {
    contains(id) ? storage.state(ofSlot: Int(id.slot)) : nil
  }

  /// A body's shape, of several the first; nil for a name that nobody has (any more).
  public func shape(of id: BodyID) -> BodyShape? {
    contains(id) ? storage.shape(ofSlot: Int(id.slot)) : nil
  }

  /// All shapes of a body, in its own frame; none for a name that nobody has (any more).
  public func shapes(of id: BodyID) -> [BodyShape] {
    var shapes: [BodyShape] = []
    guard contains(id) else { return shapes }
    storage.forEachShape(ofBody: Int(id.slot)) { shapes.append(storage.shape(ofSlot: $0)) }
    return shapes
  }

  /// A body's properties; nil for a name that nobody has (any more).
  public func properties(of id: BodyID) -> BodyProperties? {
    contains(id) ? storage.fullProperties(ofSlot: Int(id.slot)) : nil
  }

  /// A body's mass; 1 is a 100×100 item of density 1. Nil for a name that nobody has (any more).
  public func mass(of id: BodyID) -> Float? {
    guard contains(id) else { return nil }
    let slot = Int(id.slot)
    let area = storage.measures(ofSlot: slot, storage.shape(ofSlot: slot)).area
    return storage.properties(ofSlot: slot).density * area * 1e-4
  }

  /// Puts a body's centre of mass elsewhere and wakes it: a jump past whatever lies between, after
  /// which boundaries hold it on the side where it is now. Its velocity stays.
  ///
  /// Throws `unknownBody`, and `valueOutOfRange` for a point beyond `PhysicsLimit.place`.
  public mutating func setPosition(
    _ position: Vector2, of id: BodyID
  ) throws(PhysicsError) {
    guard position.isPlace else {
      _ = try place(of: id)
      throw .outside(.position, position, within: PhysicsLimit.place)
    }
    try setPosition(backAt: position, of: id)
  }

  /// Puts a body like `setPosition`, also where only motion gets to: as far as
  /// `PhysicsLimit.farPlace`, to which what is farther off is brought. (A body at that limit has a
  /// centre of mass beside an item's centre: turned about that, it would be beyond.)
  package mutating func setPosition(
    backAt position: Vector2, of id: BodyID
  ) throws(PhysicsError) {
    let slot = try place(of: id)
    guard position.isFinite else { throw .infinite(.position, position) }
    let limit = PhysicsLimit.farPlace
    let place = Vector2(position.x.brought(within: limit), position.y.brought(within: limit))
    owned().setPosition(place, slot: slot)
  }

  /// Turns a body about its centre of mass and wakes it. Throws `unknownBody`, and
  /// `valueOutOfRange` for a rotation whose cosine and sine are not near the unit circle (within a
  /// tenth).
  public mutating func setRotation(_ rotation: Rotation, of id: BodyID) throws(PhysicsError) {
    let slot = try place(of: id)
    let squared = rotation.cosine * rotation.cosine + rotation.sine * rotation.sine
    guard (squared - 1).isWithin(SnapshotLimit.skew) else {
      throw .outside(.rotation, squared, (1 - SnapshotLimit.skew)...(1 + SnapshotLimit.skew))
    }
    owned().setRotation(rotation.normalized, slot: slot)
  }

  /// Sets a velocity in pt/s and wakes the body; an anchored body stays still, a kinematic one
  /// keeps the velocity for good and wakes what it touches or is joined to; the rest of the world
  /// sleeps on until it gets there. What is faster than `speedLimit` is slowed down to it. Throws
  /// `unknownBody`, and `valueOutOfRange` for what is not finite.
  public mutating func setVelocity(_ velocity: Vector2, of id: BodyID) throws(PhysicsError) {
    let slot = try place(of: id)
    guard velocity.isFinite else { throw .infinite(.velocity, velocity) }
    if storage.properties(ofSlot: slot).kind == .kinematic {
      let spin = storage.state(ofSlot: slot).angularVelocity
      return owned().drive(slot, Lanes(velocity.x, velocity.y, spin, 0))
    }
    owned().change(slot) { motion, _ in
      if motion.w > 0 {
        motion.x = velocity.x
        motion.y = velocity.y
      }
    }
  }

  /// Sets a spin in rad/s and wakes the body; one that does not rotate stays. What is faster than
  /// `spinLimit` is slowed down to it. Throws `unknownBody`, and `valueOutOfRange` for what is not
  /// finite.
  public mutating func setAngularVelocity(_ spin: Float, of id: BodyID) throws(PhysicsError) {
    let slot = try place(of: id)
    guard spin.isFinite else { throw .infinite(.angularVelocity, spin) }
    let properties = storage.properties(ofSlot: slot)
    if properties.kind == .kinematic {
      let velocity = storage.state(ofSlot: slot).velocity
      let turn = properties.allowsRotation ? spin : 0
      return owned().drive(slot, Lanes(velocity.x, velocity.y, turn, 0))
    }
    owned().change(slot) { motion, inertia in if inertia > 0 { motion.z = spin } }
  }

  /// Changes material, mass, damping, filter or kind, and wakes the body. Throws `unknownBody`, and
  /// `valueOutOfRange` for numbers outside their documented ranges.
  public mutating func setProperties(
    _ properties: BodyProperties, of id: BodyID
  ) throws(PhysicsError) {
    let slot = try place(of: id)
    if let refusal = properties.refusal { throw .valueOutOfRange(refusal) }
    owned().setProperties(properties, slot: slot)
  }

  /// Changes a body's form about its centre of mass, and with it the mass, and wakes it. A body of
  /// several shapes has the one from then on. Throws `unknownBody`.
  public mutating func setShape(_ shape: BodyShape, of id: BodyID) throws(PhysicsError) {
    let slot = try place(of: id)
    owned().setShape(shape, slot: slot)
  }

  /// Makes a body one of several shapes, as `setShape(_:of:)` makes it one of one. Throws
  /// `unknownBody`, and `worldFull` where there is no room for so many shapes.
  public mutating func setShape(_ shape: CompoundShape, of id: BodyID) throws(PhysicsError) {
    let slot = try place(of: id)
    var former = 0
    storage.forEachShape(ofBody: slot) { _ in former += 1 }
    guard storage.slots.bodyCount - former + shape.shapes.count <= configuration.capacity else {
      throw .worldFull(capacity: configuration.capacity)
    }
    owned().setShape(shape, slot: slot)
  }

  /// Wakes a body and what it rests with. Throws `unknownBody`.
  public mutating func wake(_ id: BodyID) throws(PhysicsError) {
    let slot = try place(of: id)
    owned().wake(slot: slot)
  }

  /// The slot of a body that is to be changed.
  func place(of id: BodyID) throws(PhysicsError) -> Int {
    guard contains(id) else { throw .unknownBody(id) }
    return Int(id.slot)
  }
}
