extension PhysicsWorld {
  /// A number that differs when any body's motion or name, the gravity or the tick differs (but for
  /// one chance in 2⁶⁴): what people see of a world. Worlds that differ in nothing else go apart
  /// all the same; `stateHash` tells them apart at once.
  package func motionHash() -> UInt64 {
    var hasher = FNVHash()
    hasher.add(UInt32(truncatingIfNeeded: tick))
    hasher.add(gravity)
    for slot in 0..<slotCount where storage.slots[slot].exists {
      let state = storage.state(ofSlot: slot)
      hasher.add(UInt32(slot) << 16 | UInt32(storage.slots[slot].generation))
      hasher.add(state.position)
      hasher.add(state.rotation.cosine)
      hasher.add(state.rotation.sine)
      hasher.add(state.velocity)
      hasher.add(state.angularVelocity)
    }
    return hasher.value
  }

  /// A number that differs when anything differs that the next step depends on (but for one chance
  /// in 2⁶⁴; never when it is one number alone): all that `save(into:)` writes, the impulses that
  /// contacts remember, the ticks at rest and the order of the bodies in memory included.
  public func stateHash() -> UInt64 {
    var hasher = SnapshotHasher()
    storage.save(&hasher)
    return hasher.value
  }

  /// Writes the whole state, caches included, so that a restored world continues bit for bit.
  /// Replaces what `bytes` held and keeps its memory. About 90 bytes a body in a pile, 60 after
  /// `dropCaches`; little endian, the same on every machine.
  ///
  /// The contact events of the last step are not in it: read them before.
  public func save(into bytes: inout [UInt8]) {
    bytes.fill(atMost: savedSizeLimit) { save(to: $0) }
  }

  /// At most this many bytes are written by `save(to:)`.
  package var savedSizeLimit: Int { storage.savedSizeLimit }

  /// Writes what `save(into:)` does into memory that is large enough; returns how many bytes.
  /// - Parameter leavesOutShapes: whether the bodies' shapes, one of each, are left out, because
  ///   their `userData` tells them.
  package func save(
    to memory: UnsafeMutableRawBufferPointer, leavesOutShapes: Bool = false
  ) -> Int {
    var out = SnapshotWriter(memory)
    storage.save(&out, leavesOutShapes: leavesOutShapes)
    return out.count
  }

  /// Forgets what only speeds up or refines the next step: the order of the bodies in memory, where
  /// neighbours were looked up, and of the contacts' impulses all but their first 8 bits. A
  /// snapshot right after it takes two thirds of the bytes. As it changes how the world goes on,
  /// every copy has to do it in the same tick.
  public mutating func dropCaches() { owned().dropCaches() }

  /// The world that `save(into:)` wrote. Throws `malformedSnapshot` for anything else. Whatever the
  /// bytes say, at most 512 bytes of memory are allocated for each of them, and a megabyte besides.
  public static func restore(from bytes: [UInt8]) throws(PhysicsError) -> PhysicsWorld {
    var world = try PhysicsWorld()
    try world.restore(from: bytes)
    return world
  }

  /// Becomes the world that `save(into:)` wrote, its configuration included. Throws
  /// `malformedSnapshot` for anything else, and stays what it was. `contactEvents` are empty until
  /// the next step. From the second time on it takes place in memory that is kept: nothing is
  /// allocated for a world of the same size.
  public mutating func restore(from bytes: [UInt8]) throws(PhysicsError) {
    let target = spareStorage()
    var failure: PhysicsError?
    bytes.withUnsafeBytes { raw in
      var input = SnapshotReader(raw)
      do throws(PhysicsError) { try target.restore(&input) } catch { failure = error }
    }
    if let failure { throw failure }
    move(to: target)
  }

  /// Becomes the world that `save` wrote, in its own memory if no copy knows it. On an error half a
  /// world is left, which must not be used.
  /// - Parameters:
  ///   - leavesOutShapes: as `save` was told.
  ///   - shapeOf: what shape a body of such `userData` has, where shapes were left out.
  package mutating func read(
    _ bytes: UnsafeRawBufferPointer, leavesOutShapes: Bool = false,
    shapeOf: (UInt32) -> BodyShape? = { _ in nil }
  ) throws(PhysicsError) {
    var input = SnapshotReader(bytes)
    try overwritten().restore(&input, leavesOutShapes: leavesOutShapes, shapeOf: shapeOf)
  }

  /// By slot the bodies' names, the slot above the generation in a word, into memory that is kept.
  /// Of a free slot it is `UInt32.max`, which no body has.
  package func bodyNames(into names: inout [UInt32]) {
    let (records, count) = (storage.slots.records.base, storage.slots.count)
    assert(count <= WorldConfiguration.hardCapacity, "the slot of `UInt32.max` is beyond all")
    names.resize(to: count, .max)
    names.withUnsafeMutableBufferPointer { names in
      for slot in 0..<count {
        let name = UInt32(truncatingIfNeeded: slot) << 16 | UInt32(records[slot].generation)
        names[slot] = storage.isBody(slot) ? name : .max
      }
    }
  }

  /// Becomes a copy of another world in the memory that is there: what prediction does in every
  /// frame. From the second time on nothing is allocated for a world of the same size. A plain
  /// assignment shares the memory instead, and the next change of either makes a whole copy.
  public mutating func assign(_ other: PhysicsWorld) {
    if storage === other.storage { return }
    overwritten().assign(other.storage)
  }
}

extension [UInt8] {
  /// Becomes the bytes that `write` puts into memory of `room` bytes; it returns how many. The
  /// memory is kept.
  package mutating func fill(
    atMost room: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int
  ) {
    if count < room { append(contentsOf: repeatElement(0, count: room - count)) }
    var written = 0
    withUnsafeMutableBytes { written = write($0) }
    removeLast(count - written)
  }
}
