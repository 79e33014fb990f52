/// One tick as it stands in the log between machines: the record, what it follows on, and what
/// became of messages that led to it.
public struct LogMessage: Equatable, Sendable {
  /// The leader's term: each leader has a higher one than all before.
  public var epoch: UInt32
  /// The tick's position: its number without the wrap of 32 bits.
  public var position: UInt64
  /// The link of the message before, which says that nothing is missing between them.
  public var before: UInt64
  /// Members whose messages this tick took, and up to which: whoever sent them need not repeat
  /// them, and another leader goes on behind them.
  public var taken: [InputsTaken]
  /// Commands that the leader gave to no tick because too many waited, by person and sequence.
  public var leftOut: [LeftOutCommand]
  /// Tilts that the tick took and that were meant for another one.
  public var lateTilts: [PersonsLateTilt]
  /// The record as a `RecordCoder` wrote it. Nothing in a message with which a leader begins: from
  /// there on the log takes nothing from the leader before, and the position is still the last
  /// tick's.
  public var record: [UInt8]

  /// Whether there is a tick in it.
  public var isTick: Bool { !record.isEmpty }

  public init(
    epoch: UInt32, position: UInt64, before: UInt64, taken: [InputsTaken] = [],
    leftOut: [LeftOutCommand] = [], lateTilts: [PersonsLateTilt] = [], record: [UInt8] = []
  ) {
    self.epoch = epoch
    self.position = position
    self.before = before
    self.taken = taken
    self.leftOut = leftOut
    self.lateTilts = lateTilts
    self.record = record
  }

  /// The message's bytes.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    BitWriter.append(to: &bytes) { writer in
      writer.write(byte: BitWriter.clusterVersion)
      writer.write(epoch, bits: 32)
      writer.write(wide: position)
      writer.write(wide: before)
      writer.write(taken)
      let told = leftOut.prefix(ClusterLimits.leftOut)
      writer.write(UInt16(told.count))
      for command in told {
        writer.write(command.person)
        writer.write(command.sequence, bits: 32)
      }
      let late = lateTilts.prefix(ClusterLimits.lateTilts)
      writer.write(UInt16(late.count))
      for tilt in late {
        writer.write(tilt.person)
        writer.write(tilt.meant, bits: 32)
      }
    }
    bytes.append(contentsOf: record)
    return bytes
  }

  /// Reads a message. Throws `WireError` for bytes that are none; the record is not looked into.
  public init(_ bytes: [UInt8]) throws(WireError) {
    self = try decodeArray(bytes) { (raw) throws(WireError) in
      var reader = BitReader(raw)
      return try LogMessage(from: &reader)
    }
  }

  private init(from reader: inout BitReader) throws(WireError) {
    try reader.readClusterVersion()
    epoch = try reader.readEpoch()
    position = try reader.readPlace()
    before = try reader.readWide()
    taken = try reader.readTaken()
    let count = Int(try reader.readUInt16())
    guard count <= ClusterLimits.leftOut else { throw .outOfRange(.count) }
    leftOut = []
    for _ in 0..<count {
      leftOut.append(
        LeftOutCommand(person: try reader.readUInt16(), sequence: try reader.read(bits: 32)))
    }
    let late = Int(try reader.readUInt16())
    guard late <= ClusterLimits.lateTilts else { throw .outOfRange(.count) }
    lateTilts = []
    for _ in 0..<late {
      lateTilts.append(
        PersonsLateTilt(person: try reader.readUInt16(), meant: try reader.read(bits: 32)))
    }
    record = try reader.readRest()
  }
}

/// A command that was given to no tick.
public struct LeftOutCommand: Equatable, Sendable {
  public var person: UInt16
  public var sequence: UInt32

  public init(person: UInt16, sequence: UInt32) {
    self.person = person
    self.sequence = sequence
  }
}

/// A tilt that a tick took and that was meant for another one.
public struct PersonsLateTilt: Equatable, Sendable {
  public var person: UInt16
  /// The tick that its client named, the low 32 bits.
  public var meant: UInt32

  public init(person: UInt16, meant: UInt32) {
    self.person = person
    self.meant = meant
  }
}

/// The world after a tick, beside the log: whoever joins begins with it.
public struct WorldMessage: Equatable, Sendable {
  public var epoch: UInt32
  /// The position of the tick after which the world is so.
  public var position: UInt64
  /// Where that tick's message stands in the log: its sequence number there, 0 before the first.
  public var sequence: UInt64
  /// The link of that message.
  public var link: UInt64
  /// `CoreVersion.goldens` of the program: with another core the records make another world.
  public var core: UInt64
  /// Which messages of members the world knows.
  public var taken: [InputsTaken]
  /// What `SavedWorld.packed()` gave.
  public var world: [UInt8]

  public init(
    epoch: UInt32, position: UInt64, sequence: UInt64, link: UInt64, core: UInt64,
    taken: [InputsTaken] = [], world: [UInt8]
  ) {
    self.epoch = epoch
    self.position = position
    self.sequence = sequence
    self.link = link
    self.core = core
    self.taken = taken
    self.world = world
  }

  /// The message's bytes.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    BitWriter.append(to: &bytes) { writer in
      writer.write(byte: BitWriter.clusterVersion)
      writer.write(epoch, bits: 32)
      for number in [position, sequence, link, core] { writer.write(wide: number) }
      writer.write(taken)
    }
    bytes.append(contentsOf: world)
    return bytes
  }

  /// Reads a message. Throws `WireError` for bytes that are none; the world is not looked into.
  public init(_ bytes: [UInt8]) throws(WireError) {
    self = try decodeArray(bytes) { (raw) throws(WireError) in
      var reader = BitReader(raw)
      return try WorldMessage(from: &reader)
    }
  }

  private init(from reader: inout BitReader) throws(WireError) {
    try reader.readClusterVersion()
    epoch = try reader.readEpoch()
    position = try reader.readPlace()
    sequence = try reader.readPlace()
    link = try reader.readWide()
    core = try reader.readWide()
    taken = try reader.readTaken()
    world = try reader.readRest()
  }
}
