/// What a ray, a shape on its way or an overlap meets.
public struct QueryFilter: Equatable, Sendable, BitwiseCopyable {
  /// Groups, a bit each: it meets bodies and boundaries whose collision group has one of them. All
  /// groups by default.
  public var collisionMask: UInt32 = .max
  /// A body that is left out, as whoever looks ahead from inside of it.
  public var excluded: BodyID?
  /// Whether bodies are met.
  public var meetsBodies = true
  /// Whether boundaries are met.
  public var meetsBoundaries = true
  /// Whether bodies that are sensors are met.
  public var meetsSensors = false

  /// Meets everything but sensors.
  public init() {}

  /// Meets everything but sensors.
  public static let all = QueryFilter()

  /// Meets everything but sensors and one body.
  public static func excluding(_ body: BodyID) -> QueryFilter {
    var filter = QueryFilter()
    filter.excluded = body
    return filter
  }

  /// Whether a body is met.
  func meets(_ world: WorldStorage, slot: Int) -> Bool {
    guard meetsBodies else { return false }
    // Where nothing is filtered no properties are looked up. Sensors are among what is filtered.
    if collisionMask != .max || world.state.demands.filtered > 0 {
      let properties = world.properties(ofSlot: slot)
      if properties.collisionGroup & collisionMask == 0 { return false }
      if properties.isSensor && !meetsSensors { return false }
    }
    return excluded == nil || excluded != world.bodyID(ofSlot: slot)
  }

  /// Whether a piece of a boundary is met.
  func meets(_ edge: EdgeRecord) -> Bool {
    meetsBoundaries && edge.exists && edge.collisionGroup & collisionMask != 0
  }
}

extension PhysicsWorld {
  /// Puts the bodies whose bounding boxes meet a rectangle into `result`, in slot order. Replaces
  /// what was there and keeps its memory.
  public func bodies(in rectangle: Rect2, into result: inout [BodyID]) {
    result.removeAll(keepingCapacity: true)
    for slot in 0..<slotCount where storage.isBody(slot) {
      if storage.bounds(ofSlot: slot).intersects(rectangle) {
        result.append(storage.bodyID(ofSlot: slot))
      }
    }
  }

  /// The topmost body that covers a point, outline included: of several the one with the highest
  /// slot, as they are drawn in slot order. Nil where there is none.
  public func body(at point: Vector2) -> BodyID? {
    var slot = slotCount - 1
    while slot >= 0 {
      if storage.isBody(slot) && storage.covers(slot, point) {
        return storage.bodyID(ofSlot: slot)
      }
      slot -= 1
    }
    return nil
  }

  /// The smallest axis-parallel rectangle around a body, in points; nil for a name that nobody has
  /// (any more).
  public func bounds(of id: BodyID) -> Rect2? {
    contains(id) ? storage.bounds(ofSlot: Int(id.slot)) : nil
  }
}

extension WorldStorage {
  func bounds(ofSlot slot: Int) -> Rect2 {
    var low = Vector2(.infinity, .infinity)
    var high = low * -1
    forEachShape(ofBody: slot) { shape in
      let core = placedCore(row: Int(slots[shape].row))
      let r = self.shape(ofSlot: shape).radius
      low = Vector2(min(low.x, core.x.min() - r), min(low.y, core.y.min() - r))
      high = Vector2(max(high.x, core.x.max() + r), max(high.y, core.y.max() + r))
    }
    return Rect2(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
  }

  func covers(_ slot: Int, _ point: Vector2) -> Bool {
    let row = Int(slots[slot].row)
    let radius = bodies.forms[row].w
    guard (point - position(ofRow: row)).lengthSquared <= radius * radius else { return false }
    return anyShape(ofBody: slot) { row in
      let manifold = Manifold.between(
        placedCore(row: row), radius: bodies.forms[row].z, ConvexCore(point: point), radius: 0,
        reach: 0)
      return manifold.count > 0
    }
  }

}
