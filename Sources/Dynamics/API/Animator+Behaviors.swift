extension Animator {
  /// Adds a behaviour and returns its handle. It acts from the next step on. The animator has its
  /// own copy: what is done to `behavior` afterwards does nothing there, `update` does.
  ///
  /// Throws `unknownItem`, `duplicateItem`, `duplicateBehavior`, `secondGravity`,
  /// `tooManyBehaviors`, `tooManyCollisionBehaviors`, `tooManyBoundaryPieces`, and
  /// `valueOutOfRange` and `meaninglessProperty` for its values.
  @discardableResult
  public mutating func add<Kind: DynamicBehavior>(
    _ behavior: Kind
  ) throws(DynamicsError) -> BehaviorHandle<Kind> {
    BehaviorHandle(id: try insert(behavior.behavior, parent: -1))
  }

  /// Adds an attachment, so that `add(.pin(…))` is understood, as `add(_:)` of any kind does.
  @discardableResult
  public mutating func add(
    _ attachment: AttachmentBehavior
  ) throws(DynamicsError) -> AttachmentBehavior.Handle {
    BehaviorHandle(id: try insert(attachment.behavior, parent: -1))
  }

  /// Adds a field, so that `add(.vortex())` is understood, as `add(_:)` of any kind does.
  @discardableResult
  public mutating func add(_ field: FieldBehavior) throws(DynamicsError) -> FieldBehavior.Handle {
    BehaviorHandle(id: try insert(field.behavior, parent: -1))
  }

  /// Removes a behaviour; a composite's children go with it. Items that no other behaviour lists
  /// lose their bodies, and with them their velocities. Throws `unknownBehavior`.
  public mutating func remove<Kind: DynamicBehavior>(
    _ handle: BehaviorHandle<Kind>
  ) throws(DynamicsError) {
    _ = try place(handle)
    try removeBehavior(handle.id)
  }

  /// Removes a behaviour of any kind; a composite's children go with it. Throws `unknownBehavior`.
  public mutating func removeBehavior(_ id: BehaviorID) throws(DynamicsError) {
    let slot = try place(id)
    while let child = children(slot).last { try removeBehavior(name(child)) }
    assert(children(slot).isEmpty, "children go first")
    let value = behaviorRecords[slot].value
    withdraw(slot)
    behaviorRecords[slot].exists = false
    behaviorRecords[slot].value = .empty
    order.removeAll { Int($0) == slot }
    if case .item(let old) = value { refreshProperties(of: old.items) }
    for item in value.items { release(Int(item.slot)) }
    touch()
  }

  /// Removes every behaviour. The items stay, without bodies.
  public mutating func removeAllBehaviors() {
    while let last = order.last {
      do throws(DynamicsError) { try removeBehavior(name(Int(last))) } catch { return }
    }
  }

  /// A behaviour as it now is. Throws `unknownBehavior`.
  public func behavior<Kind: DynamicBehavior>(
    _ handle: BehaviorHandle<Kind>
  ) throws(DynamicsError) -> Kind {
    guard let value = Kind(try behavior(handle.id)) else {
      throw .unknownBehavior(handle.id)
    }
    return value
  }

  /// The behaviours' names, depth first in order of addition.
  public var behaviorIDs: [BehaviorID] {
    var result: [BehaviorID] = []
    for slot in order {
      result.append(BehaviorID(slot: slot, generation: behaviorRecords[Int(slot)].generation))
    }
    return result
  }

  /// A behaviour of any kind in its envelope. Throws `unknownBehavior`.
  public func behavior(_ id: BehaviorID) throws(DynamicsError) -> Behavior {
    let slot = try place(id)
    return isComposite(slot) ? .composite(composite(slot)) : behaviorRecords[slot].value
  }

  /// A behaviour's handle from its name; nil when it is gone or of another kind.
  public func handle<Kind: DynamicBehavior>(
    _ id: BehaviorID, as kind: Kind.Type
  ) -> BehaviorHandle<Kind>? {
    let handle = BehaviorHandle<Kind>(id: id)
    do throws(DynamicsError) {
      _ = try place(handle)
      return handle
    } catch { return nil }
  }

  /// Changes a behaviour's values, items, boundaries or velocities in place:
  ///
  /// ```swift
  /// try animator.update(gravity) { $0.angle = 0 }
  /// try animator.update(walls) { try $0.addBoundary(from: low, to: high, id: 7) }
  /// ```
  ///
  /// Throws `unknownBehavior`, what `add` throws for the new values and items, and what `change`
  /// throws; the behaviour is unchanged then. Throws `itemsAreFixed` for an attachment or a snap of
  /// other items, and `childrenChanged` for another list of children.
  public mutating func update<Kind: DynamicBehavior>(
    _ handle: BehaviorHandle<Kind>, _ change: (inout Kind) throws(DynamicsError) -> Void
  ) throws(DynamicsError) {
    var value = try behavior(handle)
    try change(&value)
    try replace(try place(handle.id), with: value.behavior)
  }

  #if !hasFeature(Embedded)
    /// The same for a change that throws errors of any kind, as what Swift makes of a closure with
    /// `try` in it does unless the closure says `throws(DynamicsError)`. What the change throws
    /// comes out of `update`, and the behaviour is unchanged then. Not in Embedded Swift, which has
    /// no errors of any kind.
    public mutating func update<Kind: DynamicBehavior>(
      _ handle: BehaviorHandle<Kind>, _ change: (inout Kind) throws(any Error) -> Void
    ) throws(any Error) {
      var value = try behavior(handle)
      try change(&value)
      try replace(try place(handle.id), with: value.behavior)
    }
  #endif

  /// Of a handle from another animator the kind may not fit.
  func place<Kind: DynamicBehavior>(
    _ handle: BehaviorHandle<Kind>
  ) throws(DynamicsError) -> Int {
    let slot = try place(handle.id)
    guard Kind(behaviorRecords[slot].value) != nil else { throw .unknownBehavior(handle.id) }
    return slot
  }

  func place(_ id: BehaviorID) throws(DynamicsError) -> Int {
    let slot = Int(id.slot)
    guard slot < behaviorRecords.count, behaviorRecords[slot].exists,
      behaviorRecords[slot].generation == id.generation
    else { throw .unknownBehavior(id) }
    return slot
  }

  /// Adds a behaviour under a composite, or under none (−1).
  mutating func insert(_ value: Behavior, parent: Int32) throws(DynamicsError) -> BehaviorID {
    if case .composite(let composite) = value, !composite.children.isEmpty {
      return try insert(composite, parent: parent)
    }
    try validate(value, at: nil)
    guard order.count < Self.behaviorLimit else {
      throw .tooManyBehaviors(limit: Self.behaviorLimit)
    }
    guard depth(of: parent) < Self.depthLimit else {
      throw .compositesTooDeep(limit: Self.depthLimit)
    }
    let channel = try freeChannel(for: value)
    var slot = 0
    while slot < behaviorRecords.count && behaviorRecords[slot].exists { slot += 1 }
    assert(!order.contains(UInt16(slot)), "what is free has no place in the order")
    assert(parent < 0 || isComposite(Int(parent)), "only composites have children")
    let generation = slot < behaviorRecords.count ? behaviorRecords[slot].generation &+ 1 : 0
    let record = BehaviorRecord(
      generation: generation, parent: parent, channel: channel, value: value)
    order.insert(UInt16(slot), at: orderEnd(of: parent))
    if slot == behaviorRecords.count {
      behaviorRecords.append(record)
    } else {
      behaviorRecords[slot] = record
    }
    if channel >= 0 { setChannel(channel, Int32(slot)) }
    for item in value.items { countUse(Int(item.slot)) }
    assert(order.count <= Self.behaviorLimit && behaviorRecords[slot].exists)
    enact(slot)
    touch()
    return name(slot)
  }
}
