import Wire

/// Everything from outside that one tick depends on.
public struct TickInputs: Equatable, Sendable {
  /// The blended gravity, or nil to keep the last; scenes that don't tilt keep theirs.
  public var gravity: QuantizedGravity?
  /// Commands in ascending order of (client, sequence).
  public var commands: [StampedCommand]

  public init(gravity: QuantizedGravity? = nil, commands: [StampedCommand] = []) {
    self.gravity = gravity
    self.commands = commands
  }
}

/// A command, with who gave it and when in their own order.
public struct StampedCommand: Equatable, Sendable {
  /// The client's number.
  public var client: UInt16
  /// The command is the client's n-th.
  public var sequence: UInt32
  public var command: Command

  public init(client: UInt16, sequence: UInt32, command: Command) {
    self.client = client
    self.sequence = sequence
    self.command = command
  }

  /// Whether this command is applied before `other`.
  public func precedes(_ other: StampedCommand) -> Bool {
    client != other.client ? client < other.client : sequence < other.sequence
  }
}

/// What a client may ask of the world, in the wire's fixed point; points are in the units of the
/// world's `PointScale`.
public enum Command: Equatable, Sendable {
  /// A new sticker of `kind` (0…15) at a point; a point outside is moved inside.
  case drop(kind: UInt8, x: Int16, y: Int16)
  /// The sticker under a point gets a velocity in pt/s; without one, a new sticker does.
  case throwSticker(x: Int16, y: Int16, velocityX: Int16, velocityY: Int16)
  /// Takes hold of a sticker at a point: nobody else moves it until it is released.
  case grab(slot: UInt16, generation: UInt16, x: Int16, y: Int16)
  /// The finger that holds a slot is at a point now; a point outside is moved inside.
  case move(slot: UInt16, x: Int16, y: Int16)
  /// Lets a slot go with a velocity in pt/s.
  case release(slot: UInt16, velocityX: Int16, velocityY: Int16)
  /// Sends a sticker to a point, where it is free again.
  case snap(slot: UInt16, generation: UInt16, x: Int16, y: Int16)
  /// A keyword was said that stands for stickers of this kind.
  case say(keyword: UInt8)
  /// The client is gone: whatever it holds is free. No client sends this; the server does.
  case leave
}

/// What happened in a tick: all that a replica needs to do the same.
public struct TickRecord: Equatable, Sendable {
  /// The tick, the low 32 bits.
  public var tick: UInt32
  /// The gravity, if it changed.
  public var gravity: QuantizedGravity?
  /// The commands that were carried out, in their order.
  public var commands: [StampedCommand] = []
  /// What happened.
  public var events: [PitEvent] = []
  /// The state's hash after the tick, every 30 ticks.
  public var stateHash: UInt64?
}
