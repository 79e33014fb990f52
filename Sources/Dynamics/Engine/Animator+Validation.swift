extension Animator {
  /// Refuses a behaviour that can't act. `slot` is its place when it is there already.
  func validate(_ value: Behavior, at slot: Int?) throws(DynamicsError) {
    switch value {
    case .gravity(let gravity):
      try refuseSecondGravity(at: slot)
      try gravity.pull.validate()
    case .collision(let collision):
      try validate(insets: collision.referenceInsets)
      try validate(boundariesOf: collision, at: slot)
    case .item(let item):
      try item.values.validate()
    case .push(let push):
      try push.force.validate()
    case .attachment(let attachment):
      try attachment.validate()
      if let slot, case .attachment(let old) = behaviorRecords[slot].value {
        try attachment.validate(after: old)
      } else {
        try attachment.validateLength()
      }
    case .snap(let snap):
      try snap.validate()
    case .field(let field):
      try field.validate()
    case .composite:
      break
    }
    guard slot == nil else { return }
    try validate(items: value.items)
    try refuseEqual(value)
  }

  func validate(insets: Insets?) throws(DynamicsError) {
    guard let insets else { return }
    let bounds = insets.applied(to: referenceBounds)
    try bounds.width.require(.bounds, in: Float.extent)
    try bounds.height.require(.bounds, in: Float.extent)
  }

  /// The solver has room for the boundaries of a behaviour, which may be there already.
  func validate(boundariesOf value: CollisionBehavior, at slot: Int?) throws(DynamicsError) {
    var others = world.boundaryPieceCount
    if let slot, case .collision(let old) = behaviorRecords[slot].value { others -= old.pieceCount }
    guard others + value.pieceCount <= PhysicsLimit.boundaryPieces else {
      throw .tooManyBoundaryPieces(limit: PhysicsLimit.boundaryPieces)
    }
  }

  private func refuseSecondGravity(at slot: Int?) throws(DynamicsError) {
    for other in order where Int(other) != slot {
      if case .gravity = behaviorRecords[Int(other)].value {
        throw .secondGravity(name(Int(other)))
      }
    }
  }

  /// Every item exists and is there once.
  func validate(items list: [ItemID]) throws(DynamicsError) {
    var seen = [Bool](repeating: false, count: items.count)
    for item in list {
      let slot = try freePlace(item)
      guard !seen[slot] else { throw .duplicateItem(item) }
      seen[slot] = true
    }
  }

  /// Two equal values are a slip: one of them does the same. Empty ones may wait for items.
  private func refuseEqual(_ value: Behavior) throws(DynamicsError) {
    guard !value.items.isEmpty else { return }
    for other in order where behaviorRecords[Int(other)].value == value {
      throw .duplicateBehavior(name(Int(other)))
    }
  }

  /// The name of the behaviour in a slot.
  func name(_ slot: Int) -> BehaviorID {
    assert(behaviorRecords[slot].exists, "a name of nobody")
    return BehaviorID(slot: UInt16(slot), generation: behaviorRecords[slot].generation)
  }
}
