/// What a snapshot leaves out because it follows from the rest, and the checks that the parts of a
/// snapshot fit each other, so that no later call can trap on a forged one.
extension Animator {
  mutating func relink() throws(DynamicsError) {
    guard itemCount + furtherShapes <= world.configuration.capacity else {
      throw .malformedSnapshot
    }
    try linkGroups()
    try linkOrder()
    try linkBehaviors()
    try linkBodies()
    try linkAttachments()
    try linkBoundaries()
    assert(world.bodyCount <= itemCount && order.count <= behaviorRecords.count)
  }

  private mutating func linkGroups() throws(DynamicsError) {
    for group in notes.groups {
      let slot = Int(group)
      for place in 0..<items[slot].members.count {
        let member = try self.place(items[slot].members[place].item)
        guard member != slot, items[member].group < 0, items[member].members.isEmpty,
          items[member].body == nil
        else { throw .malformedSnapshot }
        items[member].group = Int32(slot)
        items[member].groupPlace = place
      }
    }
  }

  /// Whoever is in a behaviour has a body, each its own, and nobody else has one.
  private mutating func linkBodies() throws(DynamicsError) {
    world.bodyNames(into: &notes.bodyNames)
    let count = notes.bodyNames.count
    itemOfBody.resize(to: count, ItemID(slot: .max, generation: 0))
    var (bodies, further) = (0, 0)
    var isSound = true
    notes.bodyNames.withUnsafeMutableBufferPointer { names in
      itemOfBody.withUnsafeMutableBufferPointer { owners in
        owners.update(repeating: ItemID(slot: .max, generation: 0))
        items.withUnsafeBufferPointer { records in
          for slot in records.indices where records[slot].exists {
            guard let body = records[slot].body else {
              isSound = isSound && records[slot].uses == 0
              continue
            }
            let place = Int(body.slot)
            let name = UInt32(body.slot) << 16 | UInt32(body.generation)
            guard place < count, names[place] == name, records[slot].uses > 0 else {
              isSound = false
              break
            }
            names[place] = .max
            owners[place] = ItemID(
              slot: UInt16(truncatingIfNeeded: slot), generation: records[slot].generation)
            bodies += 1
            further += records[slot].solid.shapeCount - 1
          }
        }
      }
    }
    guard isSound, bodies == world.bodyCount, further == world.shapeCount - bodies else {
      throw .malformedSnapshot
    }
    if further > 0 { try compareShapes() }
  }

  /// Each attachment has a joint of its own that holds its items, and there are no others.
  private mutating func linkAttachments() throws(DynamicsError) {
    notes.clearMarks(world.jointSlotCount)
    var linked = 0
    for slot in order {
      guard case .attachment(let value) = behaviorRecords[Int(slot)].value else { continue }
      guard let joint = value.joint, let definition = world.definition(of: joint.id),
        definition.a == items[Int(value.items[0].slot)].body,
        definition.b == (value.items.count == 2 ? items[Int(value.items[1].slot)].body : nil),
        value.isHeld(by: definition.kind),
        value.items.count == 1 || joint.anchor == value.anchorPoint,
        notes.marks[Int(joint.id.slot)] == 0
      else { throw .malformedSnapshot }
      notes.marks[Int(joint.id.slot)] = 1
      linked += 1
    }
    guard linked == world.jointCount else { throw .malformedSnapshot }
  }

  /// A body with other shapes than its item has would leave the world no room for the next item's.
  private func compareShapes() throws(DynamicsError) {
    let counts = world.shapesBySlot()
    for slot in items.indices where items[slot].exists {
      guard let body = items[slot].body else { continue }
      guard counts[Int(body.slot)] == items[slot].solid.shapeCount else {
        throw .malformedSnapshot
      }
    }
  }

  /// The order names every behaviour once, parents before their children.
  private mutating func linkOrder() throws(DynamicsError) {
    notes.clearMarks(behaviorRecords.count)
    for slot in order {
      let (exists, parent) = (behaviorRecords[Int(slot)].exists, behaviorRecords[Int(slot)].parent)
      guard exists, notes.marks[Int(slot)] == 0 else { throw .malformedSnapshot }
      notes.marks[Int(slot)] = 1
      guard parent != -1 else { continue }
      guard parent >= 0, Int(parent) < behaviorRecords.count, notes.marks[Int(parent)] == 1,
        isComposite(Int(parent)), depth(of: parent) <= Self.depthLimit
      else { throw .malformedSnapshot }
    }
    for slot in 0..<behaviorRecords.count
    where behaviorRecords[slot].exists && notes.marks[slot] == 0 {
      throw .malformedSnapshot
    }
  }

  /// Checks the behaviours' values and items, and counts them for their items.
  private mutating func linkBehaviors() throws(DynamicsError) {
    notes.clearMarks(items.count)
    var links = ItemLinks()
    var lists: UInt16 = 0
    for slot in order {
      let value = behaviorRecords[Int(slot)].value
      try validate(value, at: Int(slot))
      let list = value.items
      if !list.isSame(as: links.items) {
        lists += 1
        try apply(links, mark: lists)
        links = ItemLinks()
        links.items = list
      }
      links.behaviors += 1
      try link(value, Int(slot), &links)
    }
    try apply(links, mark: lists + 1)
  }

  /// Checks a behaviour's channel, and notes what it means for its items.
  private mutating func link(
    _ value: Behavior, _ slot: Int, _ links: inout ItemLinks
  ) throws(DynamicsError) {
    let channel = behaviorRecords[slot].channel
    switch value {
    case .gravity: links.falls = true
    case .item(let value):
      links.properties.overlay(value.values, where: value.stated)
      links.stated.formUnion(value.stated)
    case .collision(let collision):
      guard channel >= 0, Int(channel) < Self.channelLimit, channels[Int(channel)] == -1 else {
        throw .malformedSnapshot
      }
      channels[Int(channel)] = Int32(slot)
      if channel > 0 { hasOneChannel = false }
      let bits = Self.bits(channel, collision.mode)
      links.collisionGroup |= bits.group
      links.collisionMask |= bits.mask
      return
    default: break
    }
    guard channel == -1 else { throw .malformedSnapshot }
  }

  /// Every item exists, is there once, and is in no group; it takes what its behaviours mean for
  /// it, whose properties the solver has already.
  private mutating func apply(_ links: ItemLinks, mark: UInt16) throws(DynamicsError) {
    assert(links.behaviors <= Self.behaviorLimit && mark > 0)
    let count = items.count
    var isSound = true
    links.items.withUnsafeBufferPointer { list in
      notes.marks.withUnsafeMutableBufferPointer { marks in
        items.withUnsafeMutableBufferPointer { records in
          for item in list {
            let slot = Int(item.slot)
            guard slot < count, records[slot].exists,
              records[slot].generation == item.generation, records[slot].group < 0,
              marks[slot] != mark
            else {
              isSound = false
              break
            }
            marks[slot] = mark
            records[slot].take(links)
          }
        }
      }
    }
    guard isSound else { throw .malformedSnapshot }
  }

  /// Whether a list names every item, each once.
  package mutating func isEveryItem(_ list: [ItemID]) -> Bool {
    guard list.count == itemCount else { return false }
    let count = items.count
    notes.clearMarks(count)
    var isSound = true
    list.withUnsafeBufferPointer { list in
      notes.marks.withUnsafeMutableBufferPointer { marks in
        items.withUnsafeBufferPointer { records in
          for item in list {
            let slot = Int(item.slot)
            guard slot < count, records[slot].exists,
              records[slot].generation == item.generation, marks[slot] == 0
            else {
              isSound = false
              break
            }
            marks[slot] = 1
          }
        }
      }
    }
    return isSound
  }
}

/// What behaviours with the same list of items, one after the other, mean for each of them: the
/// behaviours of a scene mostly list all of its items, so these are gone through once.
struct ItemLinks {
  var items: [ItemID] = []
  var behaviors: UInt16 = 0
  var falls = false
  var collisionGroup: UInt32 = 0
  var collisionMask: UInt32 = 0
  var properties = ItemProperties()
  var stated = StatedProperties()
}

extension ItemRecord {
  @inline(__always)
  fileprivate mutating func take(_ links: ItemLinks) {
    uses &+= links.behaviors
    falls = falls || links.falls
    collisionGroup |= links.collisionGroup
    collisionMask |= links.collisionMask
    if !links.stated.isEmpty { properties.overlay(links.properties, where: links.stated) }
  }
}

extension [ItemID] {
  /// Whether two lists are equal, in a loop without branches.
  fileprivate func isSame(as other: [ItemID]) -> Bool {
    guard count == other.count else { return false }
    var difference: UInt16 = 0
    withUnsafeBufferPointer { own in
      other.withUnsafeBufferPointer { other in
        for place in own.indices {
          difference |= own[place].slot ^ other[place].slot
          difference |= own[place].generation ^ other[place].generation
        }
      }
    }
    return difference == 0
  }
}

/// The boundaries of a snapshot: the solver, their owners and the behaviours say the same of them.
/// Otherwise one would belong to nobody, and could neither be taken out nor make room for others.
extension Animator {
  mutating func linkBoundaries() throws(DynamicsError) {
    notes.pieces.resize(to: boundaryOwners.count, 0)
    guard world.countPieces(ofBoundaries: &notes.pieces) else { throw .malformedSnapshot }
    let listed = try numberBoundaries()
    var owned = 0
    for number in 0..<boundaryOwners.count {
      let pieces = Int(notes.pieces[number])
      guard boundaryOwners[number].life == .alive else {
        guard pieces == 0 else { throw .malformedSnapshot }
        continue
      }
      try link(boundaryOwners[number], pieces)
      owned += 1
    }
    // None is owned twice, so if they are as many, each is owned.
    guard owned == listed else { throw .malformedSnapshot }
  }

  /// Gives each behaviour's boundaries, and its reference bounds after them, marks of their own,
  /// none of which is set. Returns how many boundaries the behaviours list.
  private mutating func numberBoundaries() throws(DynamicsError) -> Int {
    notes.firstBoundaries.resize(to: behaviorRecords.count, 0)
    var (listed, marks) = (0, 0)
    for slot in order {
      guard case .collision(let value) = behaviorRecords[Int(slot)].value else { continue }
      notes.firstBoundaries[Int(slot)] = Int32(truncatingIfNeeded: marks)
      listed += value.entries.count + (value.referenceInsets == nil ? 0 : 1)
      marks += value.entries.count + 1
    }
    // Each has a piece at least.
    guard listed <= PhysicsLimit.boundaryPieces else { throw .malformedSnapshot }
    notes.clearMarks(marks)
    return listed
  }

  /// The behaviour lists the boundary, which has as many pieces there as in the solver and is met
  /// for the first time.
  private mutating func link(_ owner: BoundaryOwner, _ pieces: Int) throws(DynamicsError) {
    let slot = try place(owner.behavior)
    guard case .collision(let value) = behaviorRecords[slot].value else { throw .malformedSnapshot }
    var (place, listed) = (value.entries.count, value.referenceInsets == nil ? 0 : 4)
    if let id = owner.id {
      guard let found = value.place(of: id) else { throw .malformedSnapshot }
      (place, listed) = (found, value.entries[found].path.pieceCount)
    }
    let mark = Int(notes.firstBoundaries[slot]) + place
    guard listed > 0, pieces == listed, notes.marks[mark] == 0 else { throw .malformedSnapshot }
    notes.marks[mark] = 1
  }
}

extension AttachmentBehavior {
  /// Whether a joint of a kind is what such an attachment has.
  fileprivate func isHeld(by joint: JointDefinition.Kind) -> Bool {
    switch (kind, joint) {
    case (.distance, .distance), (.limit, .rope), (.fixed, .weld), (.pin, .revolute),
      (.sliding, .prismatic):
      true
    default: false
    }
  }
}
