extension Animator {
  /// A number that differs when anything differs that the next step depends on (but for one chance
  /// in 2⁶⁴): all that `save(into:)` writes, the world included.
  public func stateHash() -> UInt64 {
    var sink = HashSink()
    write(&sink)
    sink.put(world.stateHash())
    return sink.value
  }

  /// Writes the whole state, so that a restored animator continues bit for bit. Replaces what
  /// `bytes` held and keeps its memory. The events of the last step are no part of it.
  public func save(into bytes: inout [UInt8]) {
    bytes.fill(atMost: savedSizeLimit()) { save(to: $0) }
  }

  /// At most this many bytes are written by `save(to:)`.
  package func savedSizeLimit(leavesOutOutlines: Bool = false) -> Int {
    var count = WordCount()
    write(&count, leavesOutOutlines: leavesOutOutlines)
    return 4 * (count.words + 2) + world.savedSizeLimit
  }

  /// Writes what `save(into:)` does into memory that is large enough; returns how many bytes.
  /// - Parameter leavesOutOutlines: whether the items' outlines, each of one convex shape, are left
  ///   out, because their tags tell them.
  package func save(
    to memory: UnsafeMutableRawBufferPointer, leavesOutOutlines: Bool = false
  ) -> Int {
    guard let start = memory.baseAddress else { return 0 }
    assert(!leavesOutOutlines || furtherShapes == 0, "a tag tells one shape")
    var sink = WordWriter(start)
    sink.put(Self.snapshotVersion)
    write(&sink, leavesOutOutlines: leavesOutOutlines)
    let own = sink.at - start + 4
    assert(own <= memory.count, "the size of a snapshot was estimated too low")
    let size = world.save(
      to: UnsafeMutableRawBufferPointer(rebasing: memory[own...]),
      leavesOutShapes: leavesOutOutlines)
    sink.put(size)
    assert(own + size <= memory.count, "the size of a snapshot was estimated too low")
    return own + size
  }

  /// The animator that `save(into:)` wrote. Throws `malformedSnapshot` for anything else.
  public static func restore(from bytes: [UInt8]) throws(DynamicsError) -> Animator {
    var animator = Animator()
    try animator.read(bytes)
    return animator
  }

  /// Becomes the animator that `save(into:)` wrote. Throws `malformedSnapshot` for anything else,
  /// and stays what it was. There are no events until the next step. From the second time on it
  /// takes place in memory that is kept: next to nothing is allocated for an animator like the
  /// last.
  public mutating func restore(from bytes: [UInt8]) throws(DynamicsError) {
    let spare = AnimatorSpare.kept(&self.spare)
    var target = spare.take() ?? Animator()
    defer {
      spare.put(target)
      self.spare = spare
    }
    try target.read(bytes)
    swap(&self, &target)
  }

  private mutating func read(_ bytes: [UInt8]) throws(DynamicsError) {
    var failure: DynamicsError?
    bytes.withUnsafeBytes { raw in
      do throws(DynamicsError) { try read(raw) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Becomes the animator that `save` wrote, in its own memory. On an error half an animator is
  /// left, which must not be used.
  /// - Parameters:
  ///   - leavesOutOutlines: as `save` was told. Then the memory's items have the outlines that
  ///     `outlineOf` tells, too.
  ///   - outlineOf: the outline of an item of such a tag, where outlines were left out; nil for a
  ///     tag that no item can have.
  package mutating func read(
    _ bytes: UnsafeRawBufferPointer, leavesOutOutlines: Bool = false,
    outlineOf: (UInt32) -> ItemShape? = { _ in nil }
  ) throws(DynamicsError) {
    var reader = StateReader(bytes)
    guard try reader.word() == Self.snapshotVersion else { throw .malformedSnapshot }
    clear()
    do throws(DynamicsError) {
      referenceBounds = try reader.rectangle()
      try Self.validate(referenceBounds)
      let anyAreDragged = try readClock(&reader)
      try readItems(&reader, leavesOutOutlines, outlineOf)
      try readBehaviors(&reader)
      try readBoundaries(&reader)
      if anyAreDragged { try readDragged(&reader) }
      try readWorld(&reader, leavesOutOutlines, outlineOf)
      try relink()
    } catch {
      throw .malformedSnapshot
    }
  }

  /// "DY" and the version.
  private static let snapshotVersion: UInt32 = 0x4459_0004

  private func write<Sink: WordSink>(_ sink: inout Sink, leavesOutOutlines: Bool = false) {
    sink.put(referenceBounds)
    sink.put(stepCount)
    sink.put(isPaused)
    // A second flag in the same word, so that who has nothing to tell writes nothing.
    sink.put((hasChanged ? 1 : 0) | (dragged.isEmpty ? 0 : 2 as UInt32))
    sink.put(restTicks)
    sink.put(items.count)
    writeItems(&sink, leavesOutOutlines)
    sink.put(behaviorRecords.count)
    for record in behaviorRecords {
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
    writeDragged(&sink)
  }

  private func writeItems<Sink: WordSink>(_ sink: inout Sink, _ leavesOutOutlines: Bool) {
    // In a variable of its own the sink stays in registers.
    var own = sink
    items.withUnsafeBufferPointer { records in
      guard let first = records.baseAddress else { return }
      for slot in records.indices {
        ItemRecord.write(first + slot, &own, leavesOutOutline: leavesOutOutlines)
      }
    }
    sink = own
  }

  /// Returns whether the motion of dragged items stands behind the boundaries.
  private mutating func readClock(_ reader: inout StateReader) throws(DynamicsError) -> Bool {
    stepCount = try reader.wide()
    isPaused = try reader.flag()
    let flags = try reader.word(upTo: 3)
    hasChanged = flags & 1 == 1
    restTicks = Int(try reader.word(upTo: UInt32(Self.restLimit)))
    return flags & 2 == 2
  }

  private mutating func readItems(
    _ reader: inout StateReader, _ leavesOutOutlines: Bool, _ outlineOf: (UInt32) -> ItemShape?
  ) throws(DynamicsError) {
    let count = try reader.count(of: 4)
    guard count <= WorldConfiguration.hardCapacity else { throw .malformedSnapshot }
    items.reserveCapacity(count)
    notes.clear()
    var slot = 0
    while slot < count {
      let alike = readAlike(&reader, from: slot, to: count, leavesOutOutlines)
      itemCount += alike
      slot += alike
      guard slot < count else { break }
      try readItem(slot, &reader, leavesOutOutlines, outlineOf)
      slot += 1
    }
    items.removeLast(items.count - count)
    assert(itemCount <= items.count)
  }

  /// Reads plain items whose outlines the memory's items before have too, as most do, up to the
  /// first other one. Returns how many.
  private mutating func readAlike(
    _ reader: inout StateReader, from first: Int, to end: Int, _ leavesOutOutlines: Bool
  ) -> Int {
    let count = (items.count < end ? items.count : end) - first
    guard count > 0 else { return 0 }
    let left = reader.left
    var (read, offset) = (0, 0)
    items.withUnsafeMutableBufferPointer { records in
      while read < count, left.count - offset >= 4 * ItemRecord.plainWords {
        let words =
          leavesOutOutlines
          ? records[first + read].readTwin(left, at: offset)
          : records[first + read].readAlike(left, at: offset)
        if words == 0 { break }
        offset += 4 * words
        read += 1
      }
    }
    reader.skip(offset)
    return read
  }

  private mutating func readItem(
    _ slot: Int, _ reader: inout StateReader, _ leavesOutOutlines: Bool,
    _ outlineOf: (UInt32) -> ItemShape?
  ) throws(DynamicsError) {
    let head = try reader.word(upTo: 1 << 17 - 1)
    let exists = head & 1 == 1
    var outline = ItemShape.ellipse(width: 1, height: 1)
    if exists, leavesOutOutlines {
      // The tag is the next word, which is read again with the rest of the item.
      var ahead = reader
      guard let known = outlineOf(try ahead.word()) else { throw .malformedSnapshot }
      outline = known
    } else if exists {
      outline = try ItemShape(&reader)
    }
    // The memory's item before may have the same shape, which need not be worked out again.
    if slot >= items.count || items[slot].outline != outline {
      let solid = try notes.twins.solid(outline, items, slot)
      let record = ItemRecord(
        generation: 0, outline: outline, tag: 0, solid: solid, rest: ItemRecord.still)
      if slot < items.count { items[slot] = record } else { items.append(record) }
    }
    notes.twins.note(outline, slot)
    // Equal to the bit: 0 and −0 are equal otherwise.
    items[slot].outline = outline
    items[slot].reset(generation: UInt16(head >> 1), exists: exists)
    guard exists else { return }
    try items[slot].read(&reader)
    guard !leavesOutOutlines || items[slot].solid.shapeCount == 1 else { throw .malformedSnapshot }
    if !items[slot].members.isEmpty { notes.groups.append(UInt16(slot)) }
    itemCount += 1
    furtherShapes += items[slot].solid.shapeCount - 1
  }

  private mutating func readBehaviors(_ reader: inout StateReader) throws(DynamicsError) {
    let count = try reader.count(of: 4)
    guard count <= Self.behaviorLimit else { throw .malformedSnapshot }
    for slot in 0..<count {
      let head = try reader.word(upTo: 1 << 17 - 1)
      var record = BehaviorRecord(generation: UInt16(head >> 1), value: .empty)
      record.exists = head & 1 == 1
      if slot < behaviorRecords.count { reader.keep(behaviorRecords[slot].value.takeItems()) }
      if record.exists {
        record.parent = Int32(bitPattern: try reader.word())
        record.channel = Int32(bitPattern: try reader.word())
        record.value = try Behavior(&reader)
      }
      if slot < behaviorRecords.count {
        behaviorRecords[slot] = record
      } else {
        behaviorRecords.append(record)
      }
    }
    behaviorRecords.removeLast(behaviorRecords.count - count)
    for _ in 0..<(try reader.count(of: 4)) {
      let slot = try reader.word()
      guard slot < behaviorRecords.count else { throw .malformedSnapshot }
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

  private mutating func readWorld(
    _ reader: inout StateReader, _ leavesOutOutlines: Bool, _ outlineOf: (UInt32) -> ItemShape?
  ) throws(DynamicsError) {
    let count = try reader.count(of: 1)
    guard reader.offset + count == reader.bytes.count else { throw .malformedSnapshot }
    do throws(PhysicsError) {
      try world.read(
        UnsafeRawBufferPointer(rebasing: reader.bytes[reader.offset...]),
        leavesOutShapes: leavesOutOutlines
      ) { tag in
        outlineOf(tag).flatMap { try? SolidShape($0).shape }
      }
    } catch {
      throw .malformedSnapshot
    }
    guard world.configuration.ticksPerSecond == 60 else { throw .malformedSnapshot }
  }
}
