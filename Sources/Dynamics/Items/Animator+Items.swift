extension Animator {
  /// Adds an item and returns its name: the lowest free slot. It stands still until a behaviour
  /// lists it.
  ///
  /// Throws `tooManyItems`, `sizeOutOfRange`, `emptyPath`, `pathUnusable`, `tooManyShapes`,
  /// `valueOutOfRange`.
  public mutating func addItem(_ item: Item) throws(DynamicsError) -> ItemID {
    try Self.validate(item)
    let solid = try SolidShape(item.shape)
    try makeRoom(for: solid.shapeCount)
    var slot = itemCount == items.count ? itemCount : 0
    while slot < items.count && items[slot].exists { slot += 1 }
    let generation = slot < items.count ? items[slot].generation &+ 1 : 0
    let record = ItemRecord(
      generation: generation, outline: item.shape, tag: item.tag, solid: solid,
      rest: ItemState(
        center: item.center, rotation: Rotation(angle: item.angle), velocity: .zero,
        angularVelocity: 0))
    if slot == items.count { items.append(record) } else { items[slot] = record }
    itemCount += 1
    furtherShapes += solid.shapeCount - 1
    assert(itemCount <= items.count && itemCount <= world.configuration.capacity)
    return ItemID(slot: UInt16(slot), generation: generation)
  }

  /// Throws `tooManyItems` where the solver would not have room for so many more shapes.
  func makeRoom(for shapes: Int) throws(DynamicsError) {
    guard itemCount + furtherShapes + shapes <= world.configuration.capacity else {
      throw .tooManyItems(limit: world.configuration.capacity)
    }
  }

  /// Adds several items, or none: throws what `addItem` throws for the first that can't be.
  public mutating func addItems(_ list: [Item]) throws(DynamicsError) -> [ItemID] {
    let backup = self
    var names: [ItemID] = []
    do throws(DynamicsError) {
      for item in list { names.append(try addItem(item)) }
      return names
    } catch {
      self = backup
      throw error
    }
  }

  /// Removes an item from its behaviours and from the animator; attachments and snaps of the item
  /// go with it, and a group's members are free again. Throws `unknownItem`, `itemInGroup`.
  public mutating func removeItem(_ id: ItemID) throws(DynamicsError) {
    let slot = try freePlace(id)
    freeMembers(slot)
    try removeTies(of: id)
    for behavior in order { drop(id, from: Int(behavior)) }
    releaseBody(slot)
    assert(items[slot].uses == 0 && items[slot].body == nil, "no behaviour holds who goes")
    items[slot].exists = false
    itemCount -= 1
    furtherShapes -= items[slot].solid.shapeCount - 1
    touch()
  }

  /// Whether an item of this name exists.
  public func contains(_ id: ItemID) -> Bool {
    let slot = Int(id.slot)
    return slot < items.count && items[slot].exists && items[slot].generation == id.generation
  }

  /// Whether a behaviour lists the item, so that it has a body.
  public func isSimulated(_ id: ItemID) -> Bool { contains(id) && items[Int(id.slot)].body != nil }

  /// Every item's slot is below this number.
  public var itemSlotCount: Int { items.count }

  /// The name of the item in a slot; nil when the slot is free.
  public func itemID(atSlot slot: Int) -> ItemID? {
    guard slot >= 0, slot < items.count, items[slot].exists else { return nil }
    return ItemID(slot: UInt16(slot), generation: items[slot].generation)
  }

  /// Calls `action` for every item in slot order.
  public func forEachItem(_ action: (ItemID, ItemState) -> Void) {
    for slot in 0..<items.count where items[slot].exists {
      action(
        ItemID(slot: UInt16(slot), generation: items[slot].generation), state(slot))
    }
  }

  /// Where an item is and how it moves; nil when there is no item of this name (any more).
  public subscript(id: ItemID) -> ItemState? { contains(id) ? state(Int(id.slot)) : nil }

  /// Where an item is and how it moves. The item must exist: ask `contains`, or `animator[item]`,
  /// when in doubt.
  public func state(of id: ItemID) -> ItemState { state(known(id)) }

  /// An item's centre in points. The item must exist.
  public func center(of id: ItemID) -> Vector2 { state(known(id)).center }

  /// An item's turn in −π…π radians. The item must exist.
  public func angle(of id: ItemID) -> Float { state(known(id)).angle }

  /// The velocity of an item's centre of mass in pt/s. The item must exist.
  public func linearVelocity(of id: ItemID) -> Vector2 { state(known(id)).velocity }

  /// An item's spin in rad/s, clockwise on screen. The item must exist.
  public func angularVelocity(of id: ItemID) -> Float { state(known(id)).angularVelocity }

  /// The outline that an item was given; of a group, the compound of its members'. The item must
  /// exist.
  public func shape(of id: ItemID) -> ItemShape { items[known(id)].outline }

  /// The caller's number of an item. The item must exist.
  public func tag(of id: ItemID) -> UInt32 { items[known(id)].tag }

  /// What the item behaviours state about an item, defaults where they don't. The item must exist.
  public func properties(of id: ItemID) -> ItemProperties { items[known(id)].properties }

  /// An item's mass: density × area / 10 000 pt², where the area of a group or another compound is
  /// the sum of its parts'. The item must exist.
  public func mass(of id: ItemID) -> Float {
    mass(known(id))
  }

  /// The solver's body of an item; nil when no behaviour lists it. The item must exist.
  public func body(of id: ItemID) -> BodyID? { items[known(id)].body }

  /// The item of one of the solver's bodies; nil when there is none.
  public func item(of body: BodyID) -> ItemID? {
    guard Int(body.slot) < itemOfBody.count else { return nil }
    let id = itemOfBody[Int(body.slot)]
    return contains(id) && items[Int(id.slot)].body == body ? id : nil
  }

  func known(_ id: ItemID) -> Int {
    guard contains(id) else { trap(on: id) }
    return Int(id.slot)
  }

  /// Stops the program, and says which item is not there (any more).
  private func trap(on id: ItemID) -> Never {
    #if hasFeature(Embedded)
      fatalError("the animator has no such item")
    #else
      let now = itemID(atSlot: Int(id.slot)).map { "item \($0.slot)/\($0.generation)" }
      fatalError(
        "the animator has no item \(id.slot)/\(id.generation) (slot/generation); "
          + "in its slot is \(now ?? "nothing")")
    #endif
  }

  func place(_ id: ItemID) throws(DynamicsError) -> Int {
    guard contains(id) else { throw .unknownItem(id) }
    return Int(id.slot)
  }

  func state(_ slot: Int) -> ItemState {
    assert(items[slot].exists)
    guard let body = items[slot].body else {
      return items[slot].group >= 0 ? memberState(slot) : items[slot].rest
    }
    let state = world.body(body)!
    let drag = drag(of: slot)
    return ItemState(
      center: state.position - items[slot].solid.centerOfMass.rotated(by: state.rotation),
      rotation: state.rotation, velocity: state.velocity + (drag?.velocity ?? .zero),
      angularVelocity: state.angularVelocity + (drag?.spin ?? 0))
  }

  /// An item that is not part of a group.
  func freePlace(_ id: ItemID) throws(DynamicsError) -> Int {
    let slot = try place(id)
    guard items[slot].group < 0 else { throw .itemInGroup(id) }
    return slot
  }

  private static func validate(_ item: Item) throws(DynamicsError) {
    try item.center.require(.position)
    try item.angle.require(.angle)
  }

  /// Makes the solver's body when the first behaviour lists the item.
  mutating func makeBody(_ slot: Int) {
    guard items[slot].body == nil else { return }
    assert(items[slot].exists && items[slot].uses > 0 && items[slot].group < 0)
    let record = items[slot]
    let center = record.rest.center + record.solid.centerOfMass.rotated(by: record.rest.rotation)
    var definition = BodyDefinition(
      shape: record.solid.shape, position: center, properties: bodyProperties(slot))
    if let parts = record.parts {
      definition = BodyDefinition(
        shape: parts, position: center, properties: bodyProperties(slot))
    }
    definition.velocity = record.rest.velocity
    definition.angularVelocity = record.rest.angularVelocity
    let body = checked { () throws(PhysicsError) in
      try world.addBody(backAt: definition)
    }
    assert(world.bodyCount <= itemCount, "a body for an item")
    checked { () throws(PhysicsError) in try world.setRotation(record.rest.rotation, of: body) }
    items[slot].body = body
    while itemOfBody.count <= Int(body.slot) {
      itemOfBody.append(ItemID(slot: .max, generation: 0))
    }
    itemOfBody[Int(body.slot)] = ItemID(slot: UInt16(slot), generation: record.generation)
  }

  /// Takes the body away; the item stays where it was, without motion.
  mutating func releaseBody(_ slot: Int) {
    guard let body = items[slot].body else { return }
    assert(items[slot].uses == 0, "who is used keeps its body")
    assert(world.contains(body) && Int(itemOfBody[Int(body.slot)].slot) == slot)
    var rest = state(slot)
    rest.velocity = .zero
    rest.angularVelocity = 0
    forgetDrag(slot)
    checked { () throws(PhysicsError) in try world.removeBody(body) }
    items[slot].rest = rest
    items[slot].body = nil
  }
}
