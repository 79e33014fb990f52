/// Pushes its items: a steady force or one blow. UIKit's `UIPushBehavior`.
///
/// Magnitude 1 accelerates a 100×100 item of density 1 by 100 pt/s² while a continuous push is
/// active, or adds 100 pt/s to it at once.
public struct PushBehavior: ItemListBehavior {
  /// How a push acts.
  public enum Mode: UInt8, Equatable, Sendable {
    /// A force for as long as the push is active.
    case continuous
    /// An impulse in the next step; then the push is inactive. Activate it again to repeat it.
    case instantaneous
  }

  /// The items that are pushed.
  public internal(set) var items: [ItemID]
  /// Where the force acts on each item, from its centre, in the item's own frame.
  var offsets: [Vector2]
  /// A steady force or one blow.
  public let mode: Mode
  /// Whether the push acts; true by default. An instantaneous one turns itself off after its blow.
  public var isActive = true
  var force = PolarVector(.zero)

  /// A push by `direction`, or of no force yet.
  public init(
    items: [ItemID] = [], mode: Mode, direction: Vector2 = .zero, isActive: Bool = true
  ) {
    self.items = items
    self.mode = mode
    self.isActive = isActive
    offsets = [Vector2](repeating: .zero, count: items.count)
    force = PolarVector(direction)
  }

  /// A push along `angle`, in radians clockwise from the x axis.
  public init(
    items: [ItemID] = [], mode: Mode, angle: Float, magnitude: Float, isActive: Bool = true
  ) {
    self.init(items: items, mode: mode, isActive: isActive)
    setAngle(angle, magnitude: magnitude)
  }

  /// The push as a vector of the world; (0, 0) by default. Setting it updates `angle` and
  /// `magnitude`; the zero vector keeps the angle.
  public var direction: Vector2 {
    get { force.vector }
    set { force.set(vector: newValue) }
  }

  /// Radians from the x axis, clockwise on screen. Setting it updates `direction`.
  public var angle: Float {
    get { force.angle }
    set { force.set(angle: newValue, magnitude: force.magnitude) }
  }

  /// 1 is 100 mass·pt/s² or 100 mass·pt/s. Negative values push the other way.
  public var magnitude: Float {
    get { force.magnitude }
    set { force.set(angle: force.angle, magnitude: newValue) }
  }

  /// Sets both at once.
  public mutating func setAngle(_ angle: Float, magnitude: Float) {
    force.set(angle: angle, magnitude: magnitude)
  }

  /// Where the push acts on an item, in points from its centre in the item's own frame; (0, 0) by
  /// default. Throws `itemNotInBehavior`, `valueOutOfRange`.
  public mutating func setTargetOffsetFromCenter(
    _ offset: Vector2, for item: ItemID
  ) throws(DynamicsError) {
    try offset.require(.offset)
    guard let place = items.firstIndex(of: item) else { throw .itemNotInBehavior(item) }
    assert(offsets.count == items.count)
    offsets[place] = offset
  }

  /// Where the push acts on an item. Throws `itemNotInBehavior`.
  public func targetOffsetFromCenter(for item: ItemID) throws(DynamicsError) -> Vector2 {
    guard let place = items.firstIndex(of: item) else { throw .itemNotInBehavior(item) }
    return offsets[place]
  }

  /// Mass·pt/s² (or mass·pt/s) at magnitude 1.
  static let unit: Float = 100
}
