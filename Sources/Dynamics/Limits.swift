/// The largest coordinate, speed, size or factor that a caller may set, either way: 100 000. There
/// a point's lattice is still finer than a hundredth, angles keep their phase, and no product of
/// three such numbers leaves single precision.
let largestValue: Float = 100_000

extension Float {
  /// Whether a caller may set this number.
  var isInRange: Bool { self >= -largestValue && self <= largestValue }
}

extension Vector2 {
  /// Whether a caller may set these coordinates.
  var isInRange: Bool { x.isInRange && y.isInRange }
}
