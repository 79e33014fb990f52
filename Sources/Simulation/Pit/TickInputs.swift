import Wire

/// Everything from outside that one tick depends on.
public struct TickInputs: Equatable, Sendable {
  /// The blended gravity, or nil to keep the last; scenes that don't tilt keep theirs.
  public var gravity: QuantizedGravity?
  /// What the host does to the world, in order.
  public var acts: [HostAct] = []
  /// Commands in ascending order of (person, sequence).
  public var commands: [StampedCommand]
  /// Whether the world drops its caches at the end: see `PhysicsWorld.dropCaches`.
  public var dropsCaches = false
  /// Whether the record gets the hash of the state when it is its turn. Not in a predicted tick,
  /// whose hash nobody compares.
  public var hashesState = true

  public init(gravity: QuantizedGravity? = nil, commands: [StampedCommand] = []) {
    self.gravity = gravity
    self.commands = commands
  }

  /// What a record says that a tick depended on.
  public init(_ record: TickRecord) {
    gravity = record.gravity
    acts = record.acts
    commands = record.commands
    dropsCaches = record.dropsCaches
  }
}

/// What became of a tick.
public struct TickOutcome: Equatable, Sendable {
  /// All that a replica needs to do the same.
  public var record: TickRecord
  /// Those of its commands that were carried out, in their order.
  public var carriedOut: [StampedCommand] = []
  /// How many of its acts were carried out.
  public var actsCarriedOut = 0
  /// Whether the world is a new one from this tick on: another scene, of another size perhaps.
  public var begins = false
  /// The stickers that commands brought, in the order of the commands.
  public var arrivals: [Arrival] = []
  /// What happened.
  public var events: [PitEvent] = []

  /// A sticker and the command that brought it.
  public struct Arrival: Equatable, Sendable {
    public var person: UInt16
    public var sequence: UInt32
    public var slot: UInt16
    public var generation: UInt16
  }
}
