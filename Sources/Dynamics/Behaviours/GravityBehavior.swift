/// Pulls its items one way, all masses alike. UIKit's `UIGravityBehavior`.
///
/// Magnitude 1 is 1000 pt/s². An animator takes one gravity; items that it does not list float.
public struct GravityBehavior: ItemListBehavior {
  /// The items that fall.
  public internal(set) var items: [ItemID]
  var pull = PolarVector(Vector2(0, 1))

  /// Pulls by `direction`; without one, down with magnitude 1.
  public init(items: [ItemID] = [], direction: Vector2 = Vector2(0, 1)) {
    self.items = items
    pull = PolarVector(direction)
  }

  /// Pulls along `angle`, in radians clockwise from the x axis; without one, down.
  public init(items: [ItemID] = [], angle: Float = .pi / 2, magnitude: Float) {
    self.init(items: items)
    setAngle(angle, magnitude: magnitude)
  }

  /// The pull as a vector; (0, 1), the default, is 1000 pt/s² downwards. Setting it updates
  /// `angle` and `magnitude`; the zero vector keeps the angle.
  public var direction: Vector2 {
    get { pull.vector }
    set { pull.set(vector: newValue) }
  }

  /// Radians from the x axis, clockwise on screen: π/2 is down. Setting it updates `direction`.
  public var angle: Float {
    get { pull.angle }
    set { pull.set(angle: newValue, magnitude: pull.magnitude) }
  }

  /// 1, the default, is 1000 pt/s². 0 makes `direction` the zero vector, negative values reverse
  /// it.
  public var magnitude: Float {
    get { pull.magnitude }
    set { pull.set(angle: pull.angle, magnitude: newValue) }
  }

  /// Sets both at once.
  public mutating func setAngle(_ angle: Float, magnitude: Float) {
    pull.set(angle: angle, magnitude: magnitude)
  }

  /// Points a second squared at magnitude 1.
  static let unit: Float = 1000
}
