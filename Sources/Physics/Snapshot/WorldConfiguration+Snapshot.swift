extension WorldConfiguration {
  func save<Sink: SnapshotSink>(_ out: inout Sink) {
    out.put(UInt32(capacity))
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
    capacity = Int(try input.take(UInt32.self) & 0xFFFF)
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
