/// Everything from outside that one tick depended on: who has the world before the tick and this
/// record has the world after it, bit for bit.
///
/// The records of all ticks are the one log of the world. Replicas follow it over the wire.
public struct TickRecord: Equatable, Sendable {
  /// The tick, the low 32 bits.
  public var tick: UInt32
  /// The gravity, if it changed.
  public var gravity: QuantizedGravity?
  /// How many people's tilts the gravity is made of, if that changed: what one tilt is worth.
  public var tilting: UInt16?
  /// Whose tilts those are, if that changed: what one tilt is worth depends on it too.
  public var tiltRule: TiltRule?
  /// What the host did to the world, in order; it comes before everything else in the tick.
  public var acts: [HostAct]
  /// Every command that the world was given in this tick, those that it refused too, in ascending
  /// order of (person, sequence).
  public var commands: [StampedCommand]
  /// Whether the world shortens its caches at the end of the tick, so that a snapshot is short.
  public var dropsCaches: Bool
  /// In how many ticks the world will do that, 1…255, if it was decided in this one: who runs ahead
  /// does it in the same tick.
  public var dropNotice: UInt8?
  /// The hash of the state after the tick, every 30 ticks.
  public var stateHash: UInt64?

  /// Most commands of a tick: more than any server lets in, see its `CommandQueue`. As a rule they
  /// are 16, a move for each of 256 hands, and an end of each connection.
  public static let mostCommands = 8192

  /// Most records of a message: half a minute. Who was away for longer begins with a snapshot,
  /// instead of replaying for a long time.
  public static let mostInMessage = 1800

  public init(
    tick: UInt32, gravity: QuantizedGravity? = nil, tilting: UInt16? = nil,
    tiltRule: TiltRule? = nil, acts: [HostAct] = [], commands: [StampedCommand] = [],
    dropsCaches: Bool = false, dropNotice: UInt8? = nil, stateHash: UInt64? = nil
  ) {
    self.tick = tick
    self.gravity = gravity
    self.tilting = tilting
    self.tiltRule = tiltRule
    self.acts = acts
    self.commands = commands
    self.dropsCaches = dropsCaches
    self.dropNotice = dropNotice
    self.stateHash = stateHash
  }

  /// Becomes the record of a tick in which nothing happened, in the memory that it has.
  public mutating func clear(for tick: UInt32) {
    self.tick = tick
    (gravity, tilting, tiltRule, stateHash) = (nil, nil, nil, nil)
    (dropsCaches, dropNotice) = (false, nil)
    acts.removeAll(keepingCapacity: true)
    commands.removeAll(keepingCapacity: true)
  }
}

/// Whose tilt counts.
public enum TiltRule: Equatable, Sendable {
  /// Everybody's, together.
  case everybody
  /// One person's at a time; nil while nobody tilts.
  case captain(Captain?)
}

/// Somebody whose pit it is.
public struct Captain: Equatable, Sendable {
  /// The person's number.
  public var person: UInt16
  /// The tick from which on it is the next one's, the low 32 bits.
  public var ends: UInt32

  public init(person: UInt16, ends: UInt32) {
    self.person = person
    self.ends = ends
  }
}

// MARK: Bytes

extension TiltRule {
  /// Bytes of a rule; a captain that isn't there is zeros, so that a snapshot's world begins at the
  /// same place always.
  static let bytes = 7

  func write(to writer: inout BitWriter) {
    let (kind, captain): (UInt8, Captain?) =
      switch self {
      case .everybody: (0, nil)
      case .captain(let captain): (captain == nil ? 1 : 2, captain)
      }
    writer.write(byte: kind)
    writer.write(captain?.person ?? 0)
    writer.write(captain?.ends ?? 0, bits: 32)
  }

  /// Throws `truncated`, or `outOfRange(.tiltRule)` for a rule that there isn't.
  init(from reader: inout BitReader) throws(WireError) {
    let kind = try reader.readByte()
    let captain = Captain(person: try reader.readUInt16(), ends: try reader.read(bits: 32))
    let isNobody = captain == Captain(person: 0, ends: 0)
    switch kind {
    case 0 where isNobody: self = .everybody
    case 1 where isNobody: self = .captain(nil)
    case 2: self = .captain(captain)
    default: throw .outOfRange(.tiltRule)
    }
  }
}
