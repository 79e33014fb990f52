extension BodyProperties {
  /// Bytes that a set of properties takes at most.
  static let savedSize = 40

  func save<Sink: SnapshotSink>(_ out: inout Sink) {
    out.put(kind.rawValue)
    out.put((allowsRotation ? 1 : 0) | (isSensor ? 2 : 0) as UInt8)
    out.put(density)
    out.put(restitution)
    out.put(friction)
    out.put(linearDamping)
    out.put(angularDamping)
    out.put(gravityScale)
    out.put(collisionGroup)
    out.put(collisionMask)
  }

  init(_ input: inout SnapshotReader) throws(PhysicsError) {
    self.init()
    guard let kind = BodyKind(rawValue: try input.take(UInt8.self)) else {
      throw .malformedSnapshot
    }
    self.kind = kind
    let flags = try input.take(UInt8.self)
    guard flags < 4 else { throw .malformedSnapshot }
    allowsRotation = flags & 1 != 0
    isSensor = flags & 2 != 0
    density = try input.number()
    restitution = try input.number()
    friction = try input.number()
    linearDamping = try input.number()
    angularDamping = try input.number()
    gravityScale = try input.number()
    collisionGroup = try input.take(UInt32.self)
    collisionMask = try input.take(UInt32.self)
    guard isValid else { throw .malformedSnapshot }
  }
}
