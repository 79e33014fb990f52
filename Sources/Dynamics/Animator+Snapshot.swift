extension Animator {
  /// A number that differs when anything of the state differs: items, behaviours or the world.
  public func stateHash() -> UInt64 {
    var sink = HashSink()
    write(&sink)
    sink.put(world.stateHash())
    return sink.value
  }

  /// Writes the whole state, so that a restored animator continues bit for bit. Replaces what
  /// `bytes` held and keeps its memory. The events of the last step are no part of it.
  public func save(into bytes: inout [UInt8]) {
    var sink = WordSink()
    sink.words.reserveCapacity(16 * (items.count + behaviors.count + 4))
    sink.put(Self.snapshotVersion)
    write(&sink)
    var worldBytes: [UInt8] = []
    world.save(into: &worldBytes)
    sink.put(worldBytes.count)
    bytes.removeAll(keepingCapacity: true)
    sink.words.withUnsafeBytes { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: worldBytes)
  }

  /// The animator that `save(into:)` wrote. Throws `malformedSnapshot` for anything else.
  public static func restore(from bytes: [UInt8]) throws(DynamicsError) -> Animator {
    var reader = StateReader(bytes: bytes)
    guard try reader.word() == snapshotVersion else { throw .malformedSnapshot }
    var animator: Animator
    do throws(DynamicsError) {
      animator = try Animator(referenceBounds: try reader.rectangle())
      try animator.readClock(&reader)
      try animator.readItems(&reader)
      try animator.readBehaviors(&reader)
      try animator.readBoundaries(&reader)
      try animator.readWorld(&reader)
      try animator.relink()
    } catch {
      throw .malformedSnapshot
    }
    return animator
  }

  /// "DY" and the version.
  private static let snapshotVersion: UInt32 = 0x4459_0002

  private func write<Sink: StateSink>(_ sink: inout Sink) {
    sink.put(referenceBounds)
    sink.put(stepCount)
    sink.put(isPaused)
    sink.put(hasChanged)
    sink.put(restTicks)
    sink.put(items.count)
    for record in items { record.write(&sink) }
    sink.put(behaviors.count)
    for record in behaviors {
      sink.put(UInt32(record.generation) << 1 | (record.exists ? 1 : 0))
      guard record.exists else { continue }
      sink.put(record.parent)
      sink.put(record.channel)
      record.value.write(&sink)
    }
    sink.put(order.count)
    for slot in order { sink.put(UInt32(slot)) }
    sink.put(boundaryOwners.count)
    for owner in boundaryOwners {
      sink.put(UInt32(owner.life.rawValue))
      sink.put(owner.behavior)
      sink.put(owner.id != nil)
      sink.put(owner.id?.value ?? 0)
    }
  }

  private mutating func readClock(_ reader: inout StateReader) throws(DynamicsError) {
    stepCount = try reader.wide()
    isPaused = try reader.flag()
    hasChanged = try reader.flag()
    restTicks = Int(try reader.word())
    guard restTicks <= Self.restLimit else { throw .malformedSnapshot }
  }

  private mutating func readItems(_ reader: inout StateReader) throws(DynamicsError) {
    let count = try reader.count(of: 4)
    guard count <= WorldConfiguration.hardCapacity else { throw .malformedSnapshot }
    for _ in 0..<count {
      let record = try ItemRecord(&reader)
      itemCount += record.exists ? 1 : 0
      items.append(record)
    }
  }

  private mutating func readBehaviors(_ reader: inout StateReader) throws(DynamicsError) {
    let count = try reader.count(of: 4)
    guard count <= Self.behaviorLimit else { throw .malformedSnapshot }
    for _ in 0..<count {
      let head = try reader.word()
      guard head < 1 << 17 else { throw .malformedSnapshot }
      var record = BehaviorRecord(generation: UInt16(head >> 1), value: .empty)
      record.exists = head & 1 == 1
      if record.exists {
        record.parent = Int32(bitPattern: try reader.word())
        record.channel = Int32(bitPattern: try reader.word())
        record.value = try Behavior(&reader)
      }
      behaviors.append(record)
    }
    for _ in 0..<(try reader.count(of: 4)) {
      let slot = try reader.word()
      guard slot < behaviors.count else { throw .malformedSnapshot }
      order.append(UInt16(slot))
    }
  }

  private mutating func readBoundaries(_ reader: inout StateReader) throws(DynamicsError) {
    for _ in 0..<(try reader.count(of: 16)) {
      let life = try reader.choice(BoundaryOwner.Life.self)
      let behavior = try reader.behaviorID()
      let hasID = try reader.flag()
      let id = BoundaryID(Int32(bitPattern: try reader.word()))
      boundaryOwners.append(BoundaryOwner(life: life, behavior: behavior, id: hasID ? id : nil))
    }
  }

  private mutating func readWorld(_ reader: inout StateReader) throws(DynamicsError) {
    let count = try reader.count(of: 1)
    guard reader.offset + count == reader.bytes.count else { throw .malformedSnapshot }
    let worldBytes = [UInt8](reader.bytes[reader.offset...])
    do throws(PhysicsError) {
      world = try PhysicsWorld.restore(from: worldBytes)
    } catch {
      throw .malformedSnapshot
    }
  }
}

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

  init(_ reader: inout StateReader) throws(DynamicsError) {
    let head = try reader.word()
    guard head < 1 << 17 else { throw .malformedSnapshot }
    let exists = head & 1 == 1
    let outline = exists ? try ItemShape(&reader) : .ellipse(width: 1, height: 1)
    let still = ItemState(
      center: .zero, rotation: .identity, velocity: .zero, angularVelocity: 0)
    self.init(
      generation: UInt16(head >> 1), outline: outline, solid: try SolidShape(outline), tag: 0,
      rest: still)
    self.exists = exists
    guard exists else { return }
    tag = try reader.word()
    densityScale = try reader.number()
    guard densityScale > 0 else { throw .malformedSnapshot }
    for _ in 0..<(try reader.count(of: 20)) {
      let item = try reader.itemID()
      let center = try reader.vector()
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
    }
  }
}
