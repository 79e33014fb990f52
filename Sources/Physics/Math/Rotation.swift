/// A turn in the plane as cosine and sine, so that stepping needs no trigonometry.
@frozen
public struct Rotation: Hashable, Sendable, BitwiseCopyable {
  /// Cosine of the angle.
  public var cosine: Float
  /// Sine of the angle; positive turns clockwise on screen.
  public var sine: Float

  /// From cosine and sine, which the caller keeps on the unit circle.
  @inlinable @inline(__always)
  public init(cosine: Float, sine: Float) {
    self.cosine = cosine
    self.sine = sine
  }

  /// From an angle in radians, clockwise on screen, by the package's own polynomials.
  public init(angle: Float) {
    let (sine, cosine) = DeterministicMath.sineAndCosine(angle)
    self.init(cosine: cosine, sine: sine)
  }

  /// No turn.
  @inlinable
  public static var identity: Rotation { Rotation(cosine: 1, sine: 0) }

  /// The angle in −π…π radians.
  public var angle: Float { DeterministicMath.arcTangent(y: sine, x: cosine) }

  /// This turn after another one.
  @inlinable @inline(__always)
  public static func * (a: Rotation, b: Rotation) -> Rotation {
    Rotation(
      cosine: a.cosine * b.cosine - a.sine * b.sine, sine: a.sine * b.cosine + a.cosine * b.sine)
  }

  /// The opposite turn.
  @inlinable @inline(__always)
  public var inverse: Rotation { Rotation(cosine: cosine, sine: -sine) }

  /// The same direction back on the unit circle, for values that drifted or came from outside.
  @inlinable
  public var normalized: Rotation {
    let length = (cosine * cosine + sine * sine).squareRoot()
    return length > 0 ? Rotation(cosine: cosine / length, sine: sine / length) : .identity
  }
}
