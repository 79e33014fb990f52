extension PhysicsWorld {
  /// A number that differs when any body's motion, the gravity or the tick differs.
  public func stateHash() -> UInt64 {
    var hasher = StateHasher()
    hasher.add(UInt32(truncatingIfNeeded: tick))
    hasher.add(gravity)
    for slot in 0..<bodies.count where bodies[slot].exists {
      let body = bodies[slot]
      hasher.add(UInt32(slot) << 16 | UInt32(body.generation))
      hasher.add(body.state.position)
      hasher.add(body.state.rotation.cosine)
      hasher.add(body.state.rotation.sine)
      hasher.add(body.state.velocity)
      hasher.add(body.state.angularVelocity)
    }
    return hasher.value
  }

  /// Writes the whole state, caches included, so that a restored world continues bit for bit.
  /// Replaces what `bytes` held and keeps its memory.
  public func save(into bytes: inout [UInt8]) {
    bytes.removeAll(keepingCapacity: true)
    var out = SnapshotWriter(bytes: [])
    swap(&out.bytes, &bytes)
    out.put(Self.snapshotVersion)
    out.put(configuration)
    out.put(tick)
    out.put(gravity)
    out.put(UInt32(bodies.count))
    for body in bodies { out.put(body) }
    out.put(UInt32(edges.count))
    for edge in edges { out.put(edge) }
    out.put(UInt32(contacts.count))
    for contact in contacts { out.put(contact) }
    swap(&out.bytes, &bytes)
  }

  /// The world that `save(into:)` wrote. Throws `malformedSnapshot` for anything else.
  public static func restore(from bytes: [UInt8]) throws(PhysicsError) -> PhysicsWorld {
    var world: PhysicsWorld? = nil
    var failure: PhysicsError? = nil
    bytes.withUnsafeBytes { raw in
      var input = SnapshotReader(bytes: raw)
      do throws(PhysicsError) { world = try read(&input) } catch { failure = error }
    }
    if let failure { throw failure }
    guard let world else { throw .malformedSnapshot }
    return world
  }

  static let snapshotVersion: UInt32 = 0x5350_0001

  private static func read(_ input: inout SnapshotReader) throws(PhysicsError) -> PhysicsWorld {
    guard try input.take(UInt32.self) == snapshotVersion else { throw .malformedSnapshot }
    var world = PhysicsWorld(restored: try input.take(WorldConfiguration.self))
    guard world.configuration.isValid else { throw .malformedSnapshot }
    world.tick = try input.take(UInt64.self)
    let gravity = try input.vector()
    let bodyCount = try input.take(UInt32.self)
    for _ in 0..<bodyCount {
      let body = try input.take(BodyRecord.self)
      world.bodyCount += body.exists ? 1 : 0
      world.bodies.append(body)
    }
    let edgeCount = try input.take(UInt32.self)
    for _ in 0..<edgeCount { world.edges.append(try input.take(EdgeRecord.self)) }
    let contactCount = try input.take(UInt32.self)
    for _ in 0..<contactCount { world.contacts.append(try input.take(Contact.self)) }
    world.gravity = gravity
    return world
  }

  private init(restored configuration: WorldConfiguration) { self.configuration = configuration }
}
