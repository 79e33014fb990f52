extension LatticeWorld {
  /// Whether the same bodies are at about the same places as in `other`: as near as they stay to
  /// the last frame while frames are held back.
  public func isCalm(since other: LatticeWorld) -> Bool {
    guard bodies.count == other.bodies.count, profile == other.profile else { return false }
    for index in 0..<bodies.count where !bodies[index].isCalm(since: other.bodies[index]) {
      return false
    }
    return true
  }
}

extension LatticeBody {
  func isCalm(since other: LatticeBody) -> Bool {
    let turned = StreamShape.calmSteps &+ Int32(angle) &- Int32(other.angle)
    return isSameSticker(as: other)
      && abs(x &- other.x) <= StreamShape.calmSteps
      && abs(y &- other.y) <= StreamShape.calmSteps
      && turned & 1023 <= 2 &* StreamShape.calmSteps
  }
}

extension QuantizedGravity {
  func isNear(_ other: QuantizedGravity) -> Bool {
    abs(Int32(x) &- Int32(other.x)) <= StreamShape.calmGravity
      && abs(Int32(y) &- Int32(other.y)) <= StreamShape.calmGravity
  }
}
