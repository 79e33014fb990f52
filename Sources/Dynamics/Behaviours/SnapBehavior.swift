/// Lets an item fly to a point and end there upright. UIKit's `UISnapBehavior`.
///
/// A spring of 4 Hz in place and in rotation whose damping ratio is `damping`, stepped by its exact
/// solution. The gravity behaviour does not pull the item aside meanwhile, so it ends on the point.
public struct SnapBehavior: DynamicBehavior {
  /// The item that flies.
  public internal(set) var items: [ItemID]
  /// Where the item's centre ends, in points. May be moved at any time.
  public var snapPoint: Vector2
  /// Damping ratio 0…1: 0 swings for ever, 1 does not swing over. Default 0.5.
  public var damping: Float

  /// Hertz of the spring (measured on UIKit's).
  public static let frequency: Float = 4

  /// Snaps `item` to a point.
  public init(item: ItemID, snapTo point: Vector2, damping: Float = 0.5) {
    items = [item]
    snapPoint = point
    self.damping = damping
  }

  func validate() throws(DynamicsError) {
    try snapPoint.require(.position)
    try damping.require(.damping, in: 0...1)
  }
}
