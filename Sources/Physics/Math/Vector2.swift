/// A point or a direction in the plane, in points; x grows to the right, y grows down.
@frozen
public struct Vector2: Hashable, Sendable, BitwiseCopyable {
  /// Rightwards, in points (or points a second, or what the owner says).
  public var x: Float
  /// Downwards, in the same unit as `x`.
  public var y: Float

  /// A vector from its two components.
  @inlinable @inline(__always)
  public init(x: Float, y: Float) {
    self.x = x
    self.y = y
  }

  /// A vector from its two components, short enough for lists of corners.
  @inlinable @inline(__always)
  public init(_ x: Float, _ y: Float) {
    self.x = x
    self.y = y
  }

  /// (0, 0).
  @inlinable
  public static var zero: Vector2 { Vector2(0, 0) }

  /// The sum, component by component.
  @inlinable @inline(__always)
  public static func + (a: Vector2, b: Vector2) -> Vector2 { Vector2(a.x + b.x, a.y + b.y) }

  /// The difference, component by component.
  @inlinable @inline(__always)
  public static func - (a: Vector2, b: Vector2) -> Vector2 { Vector2(a.x - b.x, a.y - b.y) }

  /// The opposite vector.
  @inlinable @inline(__always)
  public static prefix func - (a: Vector2) -> Vector2 { Vector2(-a.x, -a.y) }

  /// The vector scaled by a number.
  @inlinable @inline(__always)
  public static func * (a: Vector2, k: Float) -> Vector2 { Vector2(a.x * k, a.y * k) }

  /// The vector scaled by a number.
  @inlinable @inline(__always)
  public static func * (k: Float, a: Vector2) -> Vector2 { Vector2(a.x * k, a.y * k) }

  /// The vector divided by a number; zero gives infinities as IEEE 754 says.
  @inlinable @inline(__always)
  public static func / (a: Vector2, k: Float) -> Vector2 { Vector2(a.x / k, a.y / k) }

  /// Adds in place.
  @inlinable @inline(__always)
  public static func += (a: inout Vector2, b: Vector2) { a = a + b }

  /// Subtracts in place.
  @inlinable @inline(__always)
  public static func -= (a: inout Vector2, b: Vector2) { a = a - b }

  /// Scales in place.
  @inlinable @inline(__always)
  public static func *= (a: inout Vector2, k: Float) { a = a * k }

  /// The scalar product.
  @inlinable @inline(__always)
  public func dot(_ b: Vector2) -> Float { x * b.x + y * b.y }

  /// The third component of the cross product: positive when `b` lies clockwise (on screen) of
  /// `self`.
  @inlinable @inline(__always)
  public func cross(_ b: Vector2) -> Float { x * b.y - y * b.x }

  /// The square of the length, without the root.
  @inlinable @inline(__always)
  public var lengthSquared: Float { x * x + y * y }

  /// The length.
  @inlinable @inline(__always)
  public var length: Float { (x * x + y * y).squareRoot() }

  /// The vector of length 1 in the same direction; a zero vector stays zero.
  @inlinable
  public var normalized: Vector2 {
    let length = self.length
    return length > 0 ? self / length : .zero
  }

  /// The vector turned a quarter clockwise on screen: x becomes y.
  @inlinable @inline(__always)
  public var perpendicular: Vector2 { Vector2(-y, x) }

  /// The vector turned by a rotation.
  @inlinable @inline(__always)
  public func rotated(by r: Rotation) -> Vector2 {
    Vector2(r.cosine * x - r.sine * y, r.sine * x + r.cosine * y)
  }

  /// The vector turned back by a rotation: the inverse of `rotated(by:)`.
  @inlinable @inline(__always)
  public func unrotated(by r: Rotation) -> Vector2 {
    Vector2(r.cosine * x + r.sine * y, r.cosine * y - r.sine * x)
  }

  /// Whether neither component is infinite or not a number.
  @inlinable
  public var isFinite: Bool { x.isFinite && y.isFinite }
}

extension FNVHash {
  @inline(__always)
  mutating func add(_ number: Float) { add(number.bitPattern) }

  mutating func add(_ v: Vector2) {
    add(v.x)
    add(v.y)
  }
}
