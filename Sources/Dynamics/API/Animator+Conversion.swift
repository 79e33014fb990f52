/// Between the world's points and an item's own. UIKit's `convert(_:to:)` of views.
extension Animator {
  /// A point of the world as one of the item's own frame, from its centre: the offset at which an
  /// attachment or a push takes hold of the item there. The item must exist.
  public func convert(_ point: Vector2, to item: ItemID) -> Vector2 {
    let state = state(of: item)
    return (point - state.center).unrotated(by: state.rotation)
  }

  /// A point of the item's own frame, from its centre, as a point of the world. The item must
  /// exist.
  public func convert(_ point: Vector2, from item: ItemID) -> Vector2 {
    let state = state(of: item)
    return state.center + point.rotated(by: state.rotation)
  }
}
