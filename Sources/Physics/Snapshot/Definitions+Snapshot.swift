// What a world and its bodies are made of, as snapshots have it.

extension WorldConfiguration {
  /// Beside the capacity, which has 16 bits: whether there are 120 ticks a second.
  private static let shortTicks: UInt32 = 1 << 16

  func save<Sink: SnapshotSink>(_ out: inout Sink) {
    out.put(UInt32(capacity) | (ticksPerSecond == 120 ? Self.shortTicks : 0))
    out.put(contactFrequency)
    out.put(contactDampingRatio)
    out.put(pushSpeed)
    out.put(restitutionThreshold)
    out.put(rollingResistance)
    out.put(allowsSleep)
    out.put(sleepSpeed)
    out.put(sleepSpin)
    out.put(UInt8(sleepTicks))
  }

  init(_ input: inout SnapshotReader) throws(PhysicsError) {
    self.init()
    let numbers = try input.take(UInt32.self)
    capacity = Int(numbers & 0xFFFF)
    ticksPerSecond = numbers & Self.shortTicks != 0 ? 120 : 60
    contactFrequency = try input.number()
    contactDampingRatio = try input.number()
    pushSpeed = try input.number()
    restitutionThreshold = try input.number()
    rollingResistance = try input.number()
    allowsSleep = try input.flag()
    sleepSpeed = try input.number()
    sleepSpin = try input.number()
    sleepTicks = Int(try input.take(UInt8.self))
    guard isValid else { throw .malformedSnapshot }
  }
}

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

extension BodyShape {
  /// Bytes that a shape takes at most.
  static let savedSize = 80

  func save<Sink: SnapshotSink>(_ out: inout Sink) {
    out.put(kind.rawValue)
    out.put(radius)
    out.put(halfExtents)
    guard hasOwnCore else { return out.put(0 as UInt8) }
    out.put(UInt8(core.count))
    for i in 0..<core.count { out.put(core[i]) }
  }

  init(_ input: inout SnapshotReader) throws(PhysicsError) {
    guard let kind = Kind(rawValue: try input.take(UInt8.self)) else { throw .malformedSnapshot }
    let radius = try input.number()
    let half = try input.vector()
    let count = Int(try input.take(UInt8.self))
    let longest = PhysicsLimit.size.upperBound
    guard radius >= 0, 2 * radius <= longest, half.x >= 0, half.y >= 0, half.x <= longest,
      half.y <= longest
    else { throw .malformedSnapshot }
    if kind == .polygon || count > 0 {
      guard kind == .polygon || (radius > 0 && half == .zero) else { throw .malformedSnapshot }
      self.init(core: try Self.core(kind, count: count, &input), radius: radius)
      guard hasOwnCore else { throw .malformedSnapshot }
    } else {
      guard radius > 0 || (half.x > 0 && half.y > 0) else { throw .malformedSnapshot }
      guard (kind == .box) == (half.x > 0 && half.y > 0), (kind == .circle) == (half.x == 0),
        kind == .box || half.y == 0
      else { throw .malformedSnapshot }
      self.init(roundedBox: half, radius: radius, kind: kind)
    }
    // Rounding may have taken a little of the least area.
    guard area >= 0.5 * PhysicsLimit.area, inertiaPerMass > 0, boundingRadius <= 2 * longest else {
      throw .malformedSnapshot
    }
  }

  /// As many corners as a shape of this kind has.
  private static func core(
    _ kind: Kind, count: Int, _ input: inout SnapshotReader
  ) throws(PhysicsError) -> ConvexCore {
    let allowed = kind == .circle ? 1...1 : kind == .capsule ? 2...2 : 3...8
    guard kind != .box, allowed.contains(count) else { throw .malformedSnapshot }
    var core = ConvexCore(point: .zero)
    core.count = count
    let longest = PhysicsLimit.size.upperBound
    for i in 0..<count {
      let corner = try input.vector()
      guard corner.lengthSquared <= longest * longest else { throw .malformedSnapshot }
      core.x[i] = corner.x
      core.y[i] = corner.y
    }
    for i in count..<8 {
      core.x[i] = core.x[0]
      core.y[i] = core.y[0]
    }
    let isSound = count == 1 || (count == 2 ? core[0] != core[1] : core.isConvex)
    guard isSound else { throw .malformedSnapshot }
    return core
  }
}
