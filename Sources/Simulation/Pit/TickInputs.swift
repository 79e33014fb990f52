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

  /// That of a tick in which nothing has happened yet.
  public init(tick: UInt32) {
    record = TickRecord(tick: tick)
  }

  /// Becomes the same, in the memory that it has.
  mutating func clear(for tick: UInt32) {
    record.clear(for: tick)
    (actsCarriedOut, begins) = (0, false)
    carriedOut.removeAll(keepingCapacity: true)
    arrivals.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
  }

  /// A sticker and the command that brought it.
  public struct Arrival: Equatable, Sendable {
    public var person: UInt16
    public var sequence: UInt32
    public var slot: UInt16
    public var generation: UInt16
  }
}

/// Something that happened in a tick and that clients are told.
public enum PitEvent: Equatable, Sendable {
  /// Rain: so many stickers fell that the floor is about to go.
  case floorWarning
  /// Rain: all four bounds are open from this tick on.
  case floorOpened
  /// Rain: the bounds are back, and what was outside is gone.
  case floorClosed
  /// Rain: somebody's keyword brought stickers of the kind `keyword`.
  case rainBegan(keyword: UInt8, person: UInt16)
  /// Gallery: an item touched something.
  case contactBegan(WireContact)
  /// Gallery: an item ceased to touch something.
  case contactEnded(WireContact)
  /// Somebody wanted a sticker that somebody else holds: for the former only.
  case grabRefused(person: UInt16, slot: UInt16, holder: UInt16)

  /// The person for whom this event is meant; nil for everybody.
  public var onlyPerson: UInt16? {
    if case .grabRefused(let person, _, _) = self { return person }
    return nil
  }

  /// The event as clients are told it.
  public var told: WireEvent {
    switch self {
    case .floorWarning: .floorWarning
    case .floorOpened: .floorOpened
    case .floorClosed: .floorClosed
    case .rainBegan(let keyword, let person): .rainBegan(keyword: keyword, client: person)
    case .contactBegan(let contact): .contactBegan(contact)
    case .contactEnded(let contact): .contactEnded(contact)
    case .grabRefused(_, let slot, let holder): .grabRefused(slot: slot, holder: holder)
    }
  }
}
