/// How a phone's screen is turned: where the top of the phone points while the picture is upright.
public enum ScreenTurn: Sendable, CaseIterable {
  /// The top of the phone is the top of the picture.
  case upright
  /// The top of the phone points to the left; UIKit's interface orientation `landscapeRight`.
  case topLeft
  /// The top of the phone points to the right; UIKit's interface orientation `landscapeLeft`.
  case topRight
  /// The phone is upside down.
  case upsideDown

  /// The tilt of a phone, for `PitClient.tilt`.
  /// - Parameters:
  ///   - x: gravity along the phone's short side, to the right of an upright phone; of a phone at
  ///     rest −1…1, as CoreMotion's `gravity` has it.
  ///   - y: the same along the long side, to the phone's top.
  public func tilt(gravityX x: Double, y: Double) -> PitVector {
    switch self {
    case .upright: PitVector(Float(x), Float(-y))
    case .topLeft: PitVector(Float(-y), Float(-x))
    case .topRight: PitVector(Float(y), Float(x))
    case .upsideDown: PitVector(Float(-x), Float(y))
    }
  }
}
