extension BodyShape {
  /// Bytes that a shape takes at most.
  static let savedSize = 80

  func save<Sink: SnapshotSink>(_ out: inout Sink) {
    out.put(kind.rawValue)
    out.put(radius)
    out.put(halfExtents)
    out.put(UInt8(kind == .polygon ? core.count : 0))
    guard kind == .polygon else { return }
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
    if kind == .polygon {
      guard count >= 3, count <= 8 else { throw .malformedSnapshot }
      var core = ConvexCore(point: .zero)
      core.count = count
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
      guard core.isConvex else { throw .malformedSnapshot }
      self.init(polygon: core, radius: radius)
    } else {
      guard count == 0, radius > 0 || (half.x > 0 && half.y > 0) else { throw .malformedSnapshot }
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
}
