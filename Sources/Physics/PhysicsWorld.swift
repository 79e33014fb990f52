/// A world of bodies, boundaries and joints that steps by 1/60 s, bit for bit the same everywhere.
///
/// A value: a copy is a snapshot that continues on its own. Points, seconds, radians; y grows down.
/// Forces in mass·pt/s², where mass 1 is a 100×100 item of density 1.
public struct PhysicsWorld: Sendable {
  /// Length of a tick in seconds.
  public static let tickLength: Float = 1 / 60
  /// Sub-steps of a tick.
  public static let subSteps = 6
  /// Fastest that a body may move, in pt/s: 56 pt a sub-step, less than a cell of the broad phase.
  public static let speedLimit: Float = 20_000
  /// Fastest that a body may spin, in rad/s: a sixth of a turn a sub-step.
  public static let spinLimit: Float = 360

  /// The numbers that the world was built with.
  public let configuration: WorldConfiguration
  /// Ticks stepped since the beginning.
  public internal(set) var tick: UInt64 = 0
  /// Acceleration in pt/s². A change wakes every body.
  public var gravity = Vector2.zero {
    didSet { if gravity != oldValue { wakeAll() } }
  }
  /// What began and ceased to touch in the last step.
  public internal(set) var contactEvents = ContactEvents()

  var bodies: [BodyRecord] = []
  var edges: [EdgeRecord] = []
  var contacts: [Contact] = []
  var previous: [Contact] = []
  var table: [Int32] = []
  var order: [Int32] = []
  /// Contacts that ended between steps, by the removal of a boundary.
  var pendingEnded: [ContactEvent] = []
  /// Bodies that exist.
  public internal(set) var bodyCount = 0

  /// An empty world. Throws `valueOutOfRange` for a configuration outside its documented ranges.
  public init(_ configuration: WorldConfiguration = .default) throws(PhysicsError) {
    guard configuration.isValid else { throw .valueOutOfRange }
    self.configuration = configuration
  }

  /// Every slot that was ever used is below this number.
  public var slotCount: Int { bodies.count }
}

/// One slot of the world's list.
struct BodyRecord: Equatable, Sendable, BitwiseCopyable {
  var exists = false
  var isAsleep = false
  var generation: UInt16 = 0
  var state: BodyState
  var shape: Shape
  var properties: BodyProperties
  var inverseMass: Float = 0
  var inverseInertia: Float = 0
  var force = Vector2.zero
  var torque: Float = 0
  /// Motion since the contacts were found, for the separation of the sub-steps.
  var moved = Vector2.zero
  var turned: Float = 0

  init(_ definition: BodyDefinition, generation: UInt16) {
    exists = true
    self.generation = generation
    shape = definition.shape
    properties = definition.properties
    state = BodyState(
      position: definition.position, rotation: Rotation(angle: definition.angle),
      velocity: definition.velocity, angularVelocity: definition.angularVelocity, isAsleep: false)
    updateMass()
  }

  var mass: Float { properties.density * shape.area * 1e-4 }

  mutating func updateMass() {
    let moves = properties.kind == .dynamic
    inverseMass = moves ? 1 / mass : 0
    inverseInertia =
      moves && properties.allowsRotation ? 1 / (mass * shape.inertiaPerMass) : 0
    if !moves {
      state.velocity = .zero
      state.angularVelocity = 0
    } else if !properties.allowsRotation {
      state.angularVelocity = 0
    }
  }
}

/// A straight piece of a boundary.
struct EdgeRecord: Equatable, Sendable {
  var id: BoundaryID
  var isHalfPlane: Bool
  /// Of a half-plane: a point on the line, and the normal in `b`.
  var a: Vector2
  var b: Vector2
}
