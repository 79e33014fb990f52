/// A world of items and behaviours that steps by 1/60 s. UIKit's `UIDynamicAnimator` as a value.
///
/// ```swift
/// var animator = try Animator(
///   referenceBounds: Rect2(x: 0, y: 0, width: 320, height: 1000))
/// let ball = try animator.addItem(Item(.circle(diameter: 40), center: Vector2(160, 20)))
///
/// try animator.add(GravityBehavior(items: [ball]))
/// try animator.add(CollisionBehavior(items: [ball], translatesReferenceBoundsIntoBoundary: true))
///
/// for _ in 0..<60 { animator.step() }
/// ```
///
/// A copy is a snapshot that continues on its own, bit for bit the same on every machine.
/// Points, seconds, radians; y grows down, angles turn clockwise on screen.
///
/// An item is simulated while a behaviour lists it: the first behaviour makes its body, the end of
/// the last one removes it, and the item stays where it was.
public struct Animator: Sendable {
  /// What the collision behaviours' reference bounds refer to, in points.
  public internal(set) var referenceBounds: Rect2
  /// The solver underneath, for reading.
  public internal(set) var world: PhysicsWorld
  /// What happened in the last step.
  public internal(set) var events = StepEvents()
  /// Items in the animator, simulated or not.
  public internal(set) var itemCount = 0
  /// Shapes of items besides their first ones: those of groups, and of paths that are cut into
  /// convex parts.
  var furtherShapes = 0
  /// Whether everything rests, so that steps do nothing until something changes.
  public internal(set) var isPaused = false
  /// Steps made; pauses do not count.
  public internal(set) var stepCount: UInt64 = 0

  var items: [ItemRecord] = []
  /// The item of each body, by the body's slot.
  var itemOfBody: [ItemID] = []
  var behaviorRecords: [BehaviorRecord] = []
  /// Slots of the behaviours, depth first in order of addition.
  var order: [UInt16] = []
  /// By number of the solver's boundary: whose it is.
  var boundaryOwners: [BoundaryOwner] = []
  /// By collision channel: the behaviour's slot, or −1.
  var channels = [Int32](repeating: -1, count: Animator.channelLimit)
  /// Whether no channel but the first is taken.
  var hasOneChannel = true
  /// Slots of the items that feel a force in this step.
  var forced: [UInt16] = []
  /// Items on their way to where an attachment's anchor jumped; mostly none.
  var dragged: [DraggedItem] = []
  var restTicks = 0
  var hasChanged = false
  /// What is noted while a snapshot is read.
  var notes = RestoreNotes()
  /// Memory for the next restore.
  var spare: AnimatorSpare?

  /// Most collision behaviours: a body has 32 collision bits, two for each.
  static let channelLimit = 16
  /// Most behaviours: beyond that a step spends its time walking lists.
  static let behaviorLimit = 16_384
  /// Most composites inside each other: walking them takes a call for each.
  static let depthLimit = 32

  /// The solver's numbers of an animator that is given none: `WorldConfiguration.default` with a
  /// `restitutionThreshold` of 20 pt/s, so that small bounces bounce, see `bounceThreshold`.
  public static var defaultConfiguration: WorldConfiguration {
    var configuration = WorldConfiguration.default
    configuration.restitutionThreshold = 20
    return configuration
  }

  /// An animator without items.
  ///
  /// `configuration.capacity` limits the items. Throws `valueOutOfRange` for bounds without an area
  /// or a configuration outside its documented ranges, or with other than 60 ticks a second.
  public init(
    referenceBounds: Rect2, configuration: WorldConfiguration = Animator.defaultConfiguration
  ) throws(DynamicsError) {
    try Self.validate(referenceBounds)
    self.referenceBounds = referenceBounds
    // Behaviours count on ticks of 1/60 s.
    guard configuration.ticksPerSecond == 60 else {
      throw .outside(.configuration, Float(configuration.ticksPerSecond), 60...60)
    }
    if let refused = configuration.refused {
      throw .outside(.configuration, refused.value, refused.allowed)
    }
    do throws(PhysicsError) { world = try PhysicsWorld(configuration) } catch {
      preconditionFailure("the configuration was checked")
    }
  }

  /// An animator to become another one.
  package init() {
    referenceBounds = Rect2(x: 0, y: 0, width: 1, height: 1)
    do throws(PhysicsError) { world = try PhysicsWorld() } catch {
      preconditionFailure("the default configuration is valid")
    }
  }

  /// Approach speed, in pt/s, under which contacts don't bounce, whatever the elasticity, so that
  /// piles come to rest: 0…20 000. 20 by default, which is the speed after a fall of 0.2 pt under
  /// gravity 1; with a configuration of the caller's, its `restitutionThreshold`. Part of the
  /// state.
  public var bounceThreshold: Float { world.configuration.restitutionThreshold }

  /// Changes the speed under which contacts don't bounce; it acts from the next step on. Throws
  /// `valueOutOfRange` for what is not in 0…20 000.
  public mutating func setBounceThreshold(_ speed: Float) throws(DynamicsError) {
    try speed.require(.bounceThreshold, in: WorldConfiguration.speeds)
    guard speed != bounceThreshold else { return }
    world.setRestitutionThreshold(speed)
    touch()
  }

  /// Seconds that the steps made up; pauses do not count.
  public var elapsedTime: Double { Double(stepCount) / 60 }

  /// Whether anything moves or may move in the next step.
  public var isRunning: Bool { !isPaused || hasChanged }

  static func validate(_ bounds: Rect2) throws(DynamicsError) {
    try Vector2(bounds.x, bounds.y).require(.bounds)
    try Vector2(bounds.maxX, bounds.maxY).require(.bounds)
    try bounds.width.require(.bounds, in: Float.extent)
    try bounds.height.require(.bounds, in: Float.extent)
  }

  /// Notes that something changed, so that the next step runs.
  mutating func touch() {
    hasChanged = true
    restTicks = 0
  }
}

/// Runs a call of the solver whose arguments have been checked before. A free function, because a
/// method would hold the animator that the call changes, and so copy it.
func checked<T>(_ call: () throws(PhysicsError) -> T) -> T {
  do throws(PhysicsError) { return try call() } catch {
    preconditionFailure("the arguments were checked")
  }
}

/// One slot of the animator's list of items.
struct ItemRecord: Equatable, Sendable {
  // What is saved, and checked when it is restored, stands together.
  var exists = true
  var generation: UInt16
  /// How many behaviours list the item.
  var uses: UInt16 = 0
  var body: BodyID?
  var outline: ItemShape
  var tag: UInt32
  /// Of a group: its members. Of a member: the group's slot, else −1, and its place in the group.
  var members: [GroupMember] = []
  var group: Int32 = -1
  var collisionGroup: UInt32 = 0
  var collisionMask: UInt32 = 0
  var falls = false
  /// Waits for its properties to be collected again.
  var isStale = false
  var isForced = false
  /// A velocity field moves it in this step, and nothing else does.
  var isDriven = false
  var solid: SolidShape
  /// Place and motion while there is no body.
  var rest: ItemState
  var properties = ItemProperties()
  var groupPlace = 0
  /// What pushes and fields add up to for the coming step; zero between steps.
  var force = Vector2.zero
  var torque: Float = 0

  /// The convex shapes of an item that has several; nil for any other.
  var parts: CompoundShape? {
    guard solid.shapeCount > 1 else { return nil }
    return checked { () throws(PhysicsError) in try SolidShape.compound(of: outline) }
  }

  var mass: Float { properties.density * solid.area * 1e-4 }

  /// All but the collision mask, which depends on the other behaviours.
  var bodyProperties: BodyProperties {
    var p = BodyProperties()
    p.kind = properties.isAnchored ? .anchored : .dynamic
    p.density = properties.density
    p.restitution = properties.elasticity
    p.friction = properties.friction
    p.linearDamping = properties.resistance
    p.angularDamping = properties.angularResistance
    p.allowsRotation = properties.allowsRotation
    p.gravityScale = falls ? 1 : 0
    p.collisionGroup = collisionGroup
    p.userData = tag
    return p
  }
}

/// One slot of the animator's list of behaviours.
struct BehaviorRecord: Equatable, Sendable {
  var exists = true
  var generation: UInt16
  /// The slot of the composite it belongs to, or −1.
  var parent: Int32 = -1
  /// The collision channel, or −1.
  var channel: Int32 = -1
  var value: Behavior
}

/// Whose boundary the solver reports.
struct BoundaryOwner: Equatable, Sendable {
  enum Life: UInt8, Equatable { case free, alive, retiring }
  var life: Life
  var behavior: BehaviorID
  /// nil is the reference bounds.
  var id: BoundaryID?
}
