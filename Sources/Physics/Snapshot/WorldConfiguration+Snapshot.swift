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
