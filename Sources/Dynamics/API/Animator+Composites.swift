/// Composite behaviours: a composite is a record of its own, and its children name it as parent.
extension Animator {
  /// Adds a child to a composite behaviour, after its other children. Throws `unknownBehavior` and
  /// what `add` throws.
  @discardableResult
  public mutating func addChild<Kind: DynamicBehavior>(
    _ behavior: Kind, to composite: BehaviorHandle<CompositeBehavior>
  ) throws(DynamicsError) -> BehaviorHandle<Kind> {
    BehaviorHandle(id: try insert(child: behavior.behavior, of: composite))
  }

  /// Adds an attachment as a child, so that `addChild(.pin(…), to: …)` is understood.
  @discardableResult
  public mutating func addChild(
    _ attachment: AttachmentBehavior, to composite: BehaviorHandle<CompositeBehavior>
  ) throws(DynamicsError) -> AttachmentBehavior.Handle {
    BehaviorHandle(id: try insert(child: attachment.behavior, of: composite))
  }

  /// Adds a field as a child, so that `addChild(.vortex(), to: …)` is understood.
  @discardableResult
  public mutating func addChild(
    _ field: FieldBehavior, to composite: BehaviorHandle<CompositeBehavior>
  ) throws(DynamicsError) -> FieldBehavior.Handle {
    BehaviorHandle(id: try insert(child: field.behavior, of: composite))
  }

  private mutating func insert(
    child: Behavior, of composite: BehaviorHandle<CompositeBehavior>
  ) throws(DynamicsError) -> BehaviorID {
    let parent = try place(composite)
    return try insert(child, parent: Int32(parent))
  }

  /// The names of a composite's children in order. Throws `unknownBehavior`.
  public func children(
    of composite: BehaviorHandle<CompositeBehavior>
  ) throws(DynamicsError) -> [BehaviorID] {
    var names: [BehaviorID] = []
    for child in children(try place(composite)) { names.append(name(child)) }
    return names
  }

  /// Adds a composite and its children, or nothing: a refused child takes all of it back.
  mutating func insert(
    _ composite: CompositeBehavior, parent: Int32
  ) throws(DynamicsError) -> BehaviorID {
    assert(parent < 0 || isComposite(Int(parent)))
    let backup = self
    do throws(DynamicsError) {
      let id = try insert(.composite(CompositeBehavior()), parent: parent)
      for child in composite.children { _ = try insert(child, parent: Int32(id.slot)) }
      return id
    } catch {
      self = backup
      throw error
    }
  }

  /// Composites around a new child of `parent`.
  func depth(of parent: Int32) -> Int {
    var depth = 0
    var ancestor = parent
    while ancestor >= 0 {
      depth += 1
      assert(depth <= Self.depthLimit + 1, "nobody is his own ancestor")
      ancestor = behaviorRecords[Int(ancestor)].parent
    }
    return depth
  }

  func children(_ slot: Int) -> [Int] {
    var result: [Int] = []
    for other in order where Int(behaviorRecords[Int(other)].parent) == slot {
      result.append(Int(other))
    }
    return result
  }

  func isComposite(_ slot: Int) -> Bool {
    if case .composite = behaviorRecords[slot].value { return true }
    return false
  }

  /// A composite with its children as they now are.
  func composite(_ slot: Int) -> CompositeBehavior {
    assert(isComposite(slot))
    var result = CompositeBehavior()
    for child in children(slot) {
      result.children.append(
        isComposite(child) ? .composite(composite(child)) : behaviorRecords[child].value)
    }
    return result
  }

  /// Where in the depth-first order a new child of `parent` comes.
  func orderEnd(of parent: Int32) -> Int {
    guard parent >= 0, let start = order.firstIndex(of: UInt16(parent)) else {
      return order.count
    }
    var end = start + 1
    while end < order.count && descends(Int(order[end]), from: parent) { end += 1 }
    assert(end <= order.count)
    return end
  }

  private func descends(_ slot: Int, from ancestor: Int32) -> Bool {
    var parent = behaviorRecords[slot].parent
    while parent >= 0 {
      if parent == ancestor { return true }
      assert(isComposite(Int(parent)), "only composites have children")
      parent = behaviorRecords[Int(parent)].parent
    }
    return false
  }

  /// Removes the attachments and snaps of an item that goes.
  mutating func removeTies(of item: ItemID) throws(DynamicsError) {
    var i = 0
    while i < order.count {
      let slot = Int(order[i])
      let value = behaviorRecords[slot].value
      if !value.hasItemList && value.items.contains(item) {
        try removeBehavior(name(slot))
      } else {
        i += 1
      }
    }
  }
}
