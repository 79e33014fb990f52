extension Animator {
  /// The topmost simulated item that covers a point: of several the one whose body came last.
  public func item(at point: Vector2) -> ItemID? {
    guard let body = world.body(at: point) else { return nil }
    return item(of: body)
  }

  /// The simulated items whose bounding boxes meet a rectangle. UIKit's `items(in:)`.
  public func items(in rectangle: Rectangle) -> [ItemID] {
    var bodies: [BodyID] = []
    var result: [ItemID] = []
    items(in: rectangle, into: &result, scratch: &bodies)
    return result
  }

  /// The same into memory that the caller keeps.
  public func items(
    in rectangle: Rectangle, into result: inout [ItemID], scratch: inout [BodyID]
  ) {
    result.removeAll(keepingCapacity: true)
    world.bodies(in: rectangle, into: &scratch)
    for body in scratch {
      if let id = item(of: body) { result.append(id) }
    }
  }
}
