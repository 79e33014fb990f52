extension Animator {
  /// Reads an item's shape, centre, angle and tag again after somebody outside changed them. Its
  /// motion goes on. Throws `unknownItem`, `itemInGroup`, `groupUnusable` for another outline of a
  /// group, and what `addItem` throws.
  public mutating func updateItem(
    _ id: ItemID, usingCurrentState item: Item
  ) throws(DynamicsError) {
    let slot = try freePlace(id)
    try item.center.require(.position)
    try item.angle.require(.angle)
    guard items[slot].members.isEmpty || items[slot].outline == item.shape else {
      throw .groupUnusable
    }
    if items[slot].outline != item.shape {
      let solid = try SolidShape(item.shape)
      let more = solid.shapeCount - items[slot].solid.shapeCount
      try makeRoom(for: more)
      furtherShapes += more
      items[slot].solid = solid
      items[slot].outline = item.shape
      assert(items[slot].members.isEmpty, "a group has its outline from its members")
      if let body = items[slot].body {
        checked { () throws(PhysicsError) in
          if let parts = items[slot].parts {
            try world.setShape(parts, of: body)
          } else {
            try world.setShape(items[slot].solid.shape, of: body)
          }
        }
      }
    }
    if items[slot].tag != item.tag {
      items[slot].tag = item.tag
      writeProperties(slot)
    }
    move(slot, to: item.center, rotation: Rotation(angle: item.angle))
  }

  /// Puts an item's centre elsewhere; its motion goes on. Throws `unknownItem`, `valueOutOfRange`.
  public mutating func setCenter(_ center: Vector2, of id: ItemID) throws(DynamicsError) {
    let slot = try freePlace(id)
    try center.require(.position)
    move(slot, to: center, rotation: state(slot).rotation)
  }

  /// Turns an item about its centre. Throws `unknownItem`, `valueOutOfRange`.
  public mutating func setAngle(_ angle: Float, of id: ItemID) throws(DynamicsError) {
    let slot = try freePlace(id)
    try angle.require(.angle)
    move(slot, to: state(slot).center, rotation: Rotation(angle: angle))
  }

  /// Sets an item's velocity in pt/s. An anchored item stays; one without a body keeps the velocity
  /// for its first behaviour. Throws `unknownItem`, `valueOutOfRange`.
  public mutating func setLinearVelocity(
    _ velocity: Vector2, of id: ItemID
  ) throws(DynamicsError) {
    let slot = try freePlace(id)
    try velocity.require(.velocity)
    forgetDrag(slot)
    if let body = items[slot].body {
      checked { () throws(PhysicsError) in try world.setVelocity(velocity, of: body) }
    } else {
      items[slot].rest.velocity = velocity
    }
    touch()
  }

  /// Sets an item's spin about its centre in rad/s. An item that does not rotate stays; one without
  /// a body keeps the spin for its first behaviour. What turns about a pin beside its centre needs
  /// the velocity that goes with it as well, `(center - pin).perpendicular * spin`, or the pin
  /// shares the spin out. Throws `unknownItem`, `valueOutOfRange`.
  public mutating func setAngularVelocity(
    _ spin: Float, of id: ItemID
  ) throws(DynamicsError) {
    let slot = try freePlace(id)
    try spin.require(.velocity)
    forgetDrag(slot)
    assert(items[slot].exists && items[slot].group < 0, "members move with their group")
    if let body = items[slot].body {
      checked { () throws(PhysicsError) in try world.setAngularVelocity(spin, of: body) }
    } else {
      items[slot].rest.angularVelocity = spin
    }
    touch()
  }

  /// Adds to an item's velocity, in pt/s. Throws `unknownItem`, `valueOutOfRange`.
  public mutating func addLinearVelocity(
    _ velocity: Vector2, for id: ItemID
  ) throws(DynamicsError) {
    try setLinearVelocity(state(try freePlace(id)).velocity + velocity, of: id)
  }

  /// Adds to an item's spin, in rad/s. Throws `unknownItem`, `valueOutOfRange`.
  public mutating func addAngularVelocity(_ spin: Float, for id: ItemID) throws(DynamicsError) {
    try setAngularVelocity(state(try freePlace(id)).angularVelocity + spin, of: id)
  }

  private mutating func move(_ slot: Int, to center: Vector2, rotation: Rotation) {
    if let body = items[slot].body {
      let place = center + items[slot].solid.centerOfMass.rotated(by: rotation)
      checked { () throws(PhysicsError) in
        try world.setPosition(backAt: place, of: body)
        try world.setRotation(rotation, of: body)
      }
    } else {
      items[slot].rest.center = center
      items[slot].rest.rotation = rotation
    }
    touch()
  }
}
