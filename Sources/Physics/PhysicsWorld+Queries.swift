/// Where a ray first met something.
public struct RayHit: Equatable, Sendable {
  /// What it met.
  public var target: ContactPartner
  /// The point of the surface.
  public var point: Vector2
  /// Out of the surface, of length 1.
  public var normal: Vector2
  /// Share of the ray, 0…1.
  public var fraction: Float
}

extension PhysicsWorld {
  /// Puts the bodies whose bounding boxes meet a rectangle into `result`, in slot order.
  public func bodies(in rectangle: Rectangle, into result: inout [BodyID]) {
    result.removeAll(keepingCapacity: true)
    for slot in 0..<bodies.count where bodies[slot].exists {
      let core = placedCore(slot)
      let r = bodies[slot].shape.radius
      let low = Vector2(core.x.min() - r, core.y.min() - r)
      let high = Vector2(core.x.max() + r, core.y.max() + r)
      let bounds = Rectangle(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
      if bounds.intersects(rectangle) {
        result.append(BodyID(slot: UInt16(slot), generation: bodies[slot].generation))
      }
    }
  }

  /// The topmost body that covers a point: of several the one with the highest slot.
  public func body(at point: Vector2) -> BodyID? {
    var slot = bodies.count - 1
    while slot >= 0 {
      if bodies[slot].exists && covers(slot, point) {
        return BodyID(slot: UInt16(slot), generation: bodies[slot].generation)
      }
      slot -= 1
    }
    return nil
  }

  private func covers(_ slot: Int, _ point: Vector2) -> Bool {
    let radius = bodies[slot].shape.boundingRadius
    guard (point - bodies[slot].state.position).lengthSquared <= radius * radius else {
      return false
    }
    let manifold = Manifold.between(
      placedCore(slot), radius: bodies[slot].shape.radius, ConvexCore(point: point), radius: 0,
      reach: 0)
    return manifold.count > 0
  }

  func placedCore(_ slot: Int) -> ConvexCore {
    bodies[slot].shape.core.placed(bodies[slot].state.rotation, at: bodies[slot].state.position)
  }
}
