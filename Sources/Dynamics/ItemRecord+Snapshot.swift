/// Items as words.
extension ItemRecord {
  func write<Sink: StateSink>(_ sink: inout Sink) {
    sink.put(UInt32(generation) << 1 | (exists ? 1 : 0))
    guard exists else { return }
    outline.write(&sink)
    sink.put(tag)
    sink.put(densityScale)
    sink.put(members.count)
    for member in members {
      sink.put(member.item)
      sink.put(member.center)
      sink.put(member.rotation)
    }
    sink.put(body != nil)
    if let body {
      sink.put(UInt32(body.slot) << 16 | UInt32(body.generation))
    } else {
      sink.put(rest.center)
      sink.put(rest.rotation)
      sink.put(rest.velocity)
      sink.put(rest.angularVelocity)
    }
  }

  static let still = ItemState(
    center: .zero, rotation: .identity, velocity: .zero, angularVelocity: 0)

  /// Becomes an item of the same shape that nothing else is known of.
  mutating func reset(generation: UInt16, exists: Bool) {
    self.exists = exists
    self.generation = generation
    uses = 0
    body = nil
    tag = 0
    rest = ItemRecord.still
    properties = ItemProperties()
    members.removeAll()
    group = -1
    groupPlace = 0
    densityScale = 1
    falls = false
    collisionGroup = 0
    collisionMask = 0
    isStale = false
    force = .zero
    torque = 0
    isForced = false
    isDriven = false
    tie = -1
  }

  /// Reads what comes after the outline.
  mutating func read(_ reader: inout StateReader) throws(DynamicsError) {
    tag = try reader.word()
    densityScale = try reader.number()
    guard densityScale > 0 else { throw .malformedSnapshot }
    for _ in 0..<(try reader.count(of: 20)) {
      let item = try reader.itemID()
      let center = try reader.vector()
      guard center.isInRange else { throw .malformedSnapshot }
      members.append(GroupMember(item: item, center: center, rotation: try reader.rotation()))
    }
    if try reader.flag() {
      let id = try reader.itemID()
      body = BodyID(slot: id.slot, generation: id.generation)
    } else {
      let center = try reader.vector()
      let rotation = try reader.rotation()
      let velocity = try reader.vector()
      rest = ItemState(
        center: center, rotation: rotation, velocity: velocity,
        angularVelocity: try reader.number())
      // The body that it gets with its first behaviour takes no others.
      let turn = rotation.cosine * rotation.cosine + rotation.sine * rotation.sine
      guard center.isInRange, velocity.isInRange, rest.angularVelocity.isInRange, turn > 0.95,
        turn < 1.05
      else { throw .malformedSnapshot }
    }
  }
}

/// Remembers which of the items before has an outline of the same kind and width: it often has the
/// very same outline.
struct OutlineTwins {
  private var places: [Int16] = []

  mutating func clear() {
    places.removeAll(keepingCapacity: true)
    places.append(contentsOf: repeatElement(-1, count: 64))
  }

  /// The solid shape of the item in a slot, after those that were noted.
  func solid(
    _ outline: ItemShape, _ items: [ItemRecord], _ slot: Int
  ) throws(DynamicsError) -> SolidShape {
    assert(places.count == 64 && outline.bucket >= 0 && outline.bucket < 64)
    let place = Int(places[outline.bucket])
    if place >= 0, place < slot, items[place].outline == outline { return items[place].solid }
    return try SolidShape(outline)
  }

  mutating func note(_ outline: ItemShape, _ slot: Int) {
    places[outline.bucket] = Int16(truncatingIfNeeded: slot)
  }
}

extension ItemShape {
  /// A number that is mostly different for different outlines.
  fileprivate var bucket: Int {
    switch self {
    case .rectangle(let width, _, _): (Int(truncatingIfNeeded: width.bitPattern >> 17) ^ 32) & 63
    case .ellipse(let width, _): Int(truncatingIfNeeded: width.bitPattern >> 17) & 63
    case .path: 0
    }
  }
}
