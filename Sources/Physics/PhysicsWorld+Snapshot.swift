extension PhysicsWorld {
  /// A number that differs when any body's motion or name, the gravity or the tick differs (but for
  /// one chance in 2⁶⁴). Not in it: shapes, properties, boundaries, joints and what contacts
  /// remember; where those differ, the motion soon does.
  public func stateHash() -> UInt64 {
    var hasher = StateHasher()
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

  /// Writes the whole state, caches included, so that a restored world continues bit for bit.
  /// Replaces what `bytes` held and keeps its memory. About 130 bytes a body in a pile, 60 after
  /// `dropCaches`; little endian, the same on every machine.
  ///
  /// The contact events of the last step are not in it: read them before.
  public func save(into bytes: inout [UInt8]) {
    let room = storage.savedSizeLimit
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: repeatElement(0, count: room))
    var written = 0
    bytes.withUnsafeMutableBytes { memory in
      var out = SnapshotWriter(memory)
      storage.save(&out)
      written = out.count
    }
    bytes.removeLast(room - written)
  }

  /// Forgets what only speeds up or refines the next step: the order of the bodies in memory and
  /// the impulses of contacts. A snapshot right after it needs less than half the bytes. As it
  /// changes how the world goes on, every copy has to do it in the same tick.
  public mutating func dropCaches() { owned().dropCaches() }

  /// The world that `save(into:)` wrote. Throws `malformedSnapshot` for anything else.
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
}
