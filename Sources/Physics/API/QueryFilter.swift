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
