/// What both ends know of the log before the next record: it makes most records two to four bytes
/// long. A copy goes with every snapshot.
public struct RecordCoder: Equatable, Sendable {
  /// The last tick that was coded, the low 32 bits.
  public private(set) var tick: UInt32
  /// The gravity after it, and after the tick before.
  private var gravity: QuantizedGravity
  private var earlier: QuantizedGravity
  /// How many people's tilts the gravity is made of.
  public private(set) var tilting: UInt16 = 0
  /// Whose tilts those are.
  public private(set) var tiltRule = TiltRule.everybody

  /// - Parameters:
  ///   - tick: the last tick before the first record.
  ///   - gravity: the gravity after it.
  public init(tick: UInt32, gravity: QuantizedGravity) {
    self.tick = tick
    self.gravity = gravity
    earlier = gravity
  }

  /// Bytes of a coder in a snapshot.
  public static let savedBytes = 14 + TiltRule.bytes

  /// The bits of a record's first byte below `RecordCoder.mark`. What is rare shares a second byte.
  private enum Flag {
    static let gravity: UInt8 = 1
    static let commands: UInt8 = 2
    static let stateHash: UInt8 = 4
    static let rare: UInt8 = 8
    static let tilting: UInt8 = 1
    static let dropsCaches: UInt8 = 2
    static let acts: UInt8 = 4
    static let tiltRule: UInt8 = 8
    static let dropNotice: UInt8 = 16
    static let allRare = tilting | dropsCaches | acts | tiltRule | dropNotice
  }

  /// The high half of a record's first byte, by which a message of records is known.
  public static let mark: UInt8 = 0x90
  private static let markMask: UInt8 = 0xF0

  /// Whether a message that begins with this byte is a run of records.
  public static func accepts(_ byte: UInt8) -> Bool { byte & markMask == mark }

  // MARK: Writing

  /// Appends a record, which must be the next tick's.
  public mutating func encode(_ record: TickRecord, into bytes: inout [UInt8]) {
    precondition(record.tick == tick.nextTick)
    let rare =
      (record.tilting != nil ? Flag.tilting : 0) | (record.dropsCaches ? Flag.dropsCaches : 0)
      | (record.acts.isEmpty ? 0 : Flag.acts) | (record.tiltRule != nil ? Flag.tiltRule : 0)
      | (record.dropNotice != nil ? Flag.dropNotice : 0)
    let flags =
      (record.gravity != nil ? Flag.gravity : 0)
      | (record.commands.isEmpty ? 0 : Flag.commands)
      | (record.stateHash != nil ? Flag.stateHash : 0) | (rare != 0 ? Flag.rare : 0)
    let expected = expectedGravity
    BitWriter.append(to: &bytes) { writer in
      writer.write(byte: Self.mark | flags)
      if rare != 0 { writer.write(byte: rare) }
      if let gravity = record.gravity { Self.write(gravity, expected, to: &writer) }
      if let tilting = record.tilting { writer.write(varying: UInt32(tilting)) }
      if let rule = record.tiltRule { rule.write(to: &writer) }
      if let ticks = record.dropNotice { writer.write(byte: ticks) }
      if !record.acts.isEmpty {
        assert(record.acts.count <= HostAct.mostInTick)
        writer.write(varying: UInt32(record.acts.count))
        for act in record.acts { act.write(to: &writer) }
      }
      if !record.commands.isEmpty {
        assert(record.commands.count <= TickRecord.mostCommands)
        writer.write(varying: UInt32(record.commands.count))
        for command in record.commands { command.write(to: &writer) }
      }
      if let hash = record.stateHash {
        writer.write(UInt32(truncatingIfNeeded: hash), bits: 32)
        writer.write(UInt32(truncatingIfNeeded: hash >> 32), bits: 32)
      }
    }
    advance(record)
    assert(tick == record.tick)
  }

  // MARK: Reading

  /// Reads the next record and moves the offset behind it. Throws `unknownType`, `truncated`,
  /// `trailing` or `outOfRange`; the coder is what it was then.
  public mutating func decode(
    _ bytes: UnsafeRawBufferPointer, at offset: inout Int
  ) throws(WireError) -> TickRecord {
    var record = TickRecord(tick: tick)
    try decode(bytes, at: &offset, into: &record)
    return record
  }

  /// The same; what was in `record` is replaced, and its memory serves again. After an error there
  /// may be anything in it.
  public mutating func decode(
    _ bytes: UnsafeRawBufferPointer, at offset: inout Int, into record: inout TickRecord
  ) throws(WireError) {
    guard offset < bytes.count else { throw .truncated }
    guard Self.accepts(bytes[offset]) else { throw .unknownType(bytes[offset]) }
    let flags = bytes[offset]
    var reader = BitReader(UnsafeRawBufferPointer(rebasing: bytes[(offset + 1)...]))
    record.clear(for: tick.nextTick)
    let rare = flags & Flag.rare != 0 ? try reader.readByte() : 0
    guard rare & ~Flag.allRare == 0, flags & Flag.rare == 0 || rare != 0
    else { throw .outOfRange(.flags) }
    if flags & Flag.gravity != 0 { record.gravity = try Self.read(expectedGravity, from: &reader) }
    if rare & Flag.tilting != 0 { record.tilting = try Self.readTilting(from: &reader) }
    if rare & Flag.tiltRule != 0 { record.tiltRule = try TiltRule(from: &reader) }
    record.dropsCaches = rare & Flag.dropsCaches != 0
    if rare & Flag.dropNotice != 0 { record.dropNotice = try Self.readNotice(from: &reader) }
    if rare & Flag.acts != 0 { try Self.readActs(from: &reader, into: &record.acts) }
    if flags & Flag.commands != 0 {
      try Self.readCommands(from: &reader, into: &record.commands)
    }
    if flags & Flag.stateHash != 0 {
      let low = try reader.read(bits: 32)
      record.stateHash = UInt64(low) | UInt64(try reader.read(bits: 32)) << 32
    }
    try reader.skipPadding()
    offset = bytes.count - reader.remainingBits / 8
    assert(offset <= bytes.count && reader.remainingBits % 8 == 0)
    advance(record)
  }

  private static func readTilting(from reader: inout BitReader) throws(WireError) -> UInt16 {
    guard let tilting = UInt16(exactly: try reader.readVarying()) else {
      throw .outOfRange(.count)
    }
    return tilting
  }

  private static func readNotice(from reader: inout BitReader) throws(WireError) -> UInt8 {
    let ticks = try reader.readByte()
    guard ticks > 0 else { throw .outOfRange(.count) }
    return ticks
  }

  private static func readActs(
    from reader: inout BitReader, into acts: inout [HostAct]
  ) throws(WireError) {
    let count = try reader.readVarying()
    guard count > 0, count <= UInt32(HostAct.mostInTick) else { throw .outOfRange(.count) }
    for _ in 0..<count { acts.append(try HostAct(from: &reader)) }
  }

  private static func readCommands(
    from reader: inout BitReader, into commands: inout [StampedCommand]
  ) throws(WireError) {
    let count = try reader.readVarying()
    guard count > 0, count <= UInt32(TickRecord.mostCommands) else { throw .outOfRange(.count) }
    for _ in 0..<count { commands.append(try StampedCommand(from: &reader)) }
  }

  // MARK: Gravity

  /// Where the gravity goes if it moves on as it did in the last tick.
  private var expectedGravity: QuantizedGravity {
    QuantizedGravity(
      x: gravity.x &+ (gravity.x &- earlier.x), y: gravity.y &+ (gravity.y &- earlier.y))
  }

  private mutating func advance(_ record: TickRecord) {
    tick = tick.nextTick
    earlier = gravity
    if let changed = record.gravity { gravity = changed }
    if let changed = record.tilting { tilting = changed }
    if let changed = record.tiltRule { tiltRule = changed }
  }

  /// Bits of a difference's two halves by class. With the two bits of the class, the second fills
  /// two bytes: what twenty phones' tilts come to between two ticks.
  private static let widths = [3, 7, 11, 16]

  private static func write(
    _ gravity: QuantizedGravity, _ expected: QuantizedGravity, to writer: inout BitWriter
  ) {
    let (x, y) = (gravity.x &- expected.x, gravity.y &- expected.y)
    let fitting = widths.firstIndex { fits(x, $0) && fits(y, $0) }!
    writer.write(UInt32(fitting), bits: 2)
    writer.write(signed: Int32(x), bits: widths[fitting])
    writer.write(signed: Int32(y), bits: widths[fitting])
  }

  private static func fits(_ value: Int16, _ bits: Int) -> Bool {
    let limit = Int32(1) << Int32(bits - 1)
    return Int32(value) >= -limit && Int32(value) < limit
  }

  private static func read(
    _ expected: QuantizedGravity, from reader: inout BitReader
  ) throws(WireError) -> QuantizedGravity {
    let width = widths[Int(try reader.read(bits: 2))]
    let x = Int16(truncatingIfNeeded: try reader.read(signedBits: width))
    let y = Int16(truncatingIfNeeded: try reader.read(signedBits: width))
    return QuantizedGravity(x: expected.x &+ x, y: expected.y &+ y)
  }
}

// MARK: In a snapshot

extension RecordCoder {
  /// Appends the coder: the tick, both gravities, how many tilt, whose tilts count; `savedBytes` in
  /// all.
  public func save(into bytes: inout [UInt8]) {
    BitWriter.append(to: &bytes) { writer in
      writer.write(tick, bits: 32)
      for number in [gravity.x, gravity.y, earlier.x, earlier.y] { writer.write(number) }
      writer.write(tilting)
      tiltRule.write(to: &writer)
    }
  }

  /// The coder at the start of what `save(into:)` wrote. Throws `truncated`, or
  /// `outOfRange(.tiltRule)`.
  public init(from bytes: [UInt8]) throws(WireError) {
    self = try decodeArray(bytes) { (raw) throws(WireError) in try RecordCoder(raw) }
  }

  private init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
    var reader = BitReader(bytes)
    tick = try reader.read(bits: 32)
    gravity = QuantizedGravity(x: try reader.readInt16(), y: try reader.readInt16())
    earlier = QuantizedGravity(x: try reader.readInt16(), y: try reader.readInt16())
    tilting = try reader.readUInt16()
    tiltRule = try TiltRule(from: &reader)
  }
}

// MARK: Numbers of any size

extension BitWriter {
  /// Writes a number in groups of four bits, the lowest first, each with a bit that says whether
  /// another one follows.
  mutating func write(varying value: UInt32) {
    var rest = value
    while rest > 15 {
      write(rest & 15 | 16, bits: 5)
      rest >>= 4
    }
    write(rest, bits: 5)
  }
}

extension BitReader {
  /// Reads a number that `write(varying:)` wrote. Throws `truncated`, or `outOfRange` when it has
  /// more than 32 bits or a last group of zeros, which no writer writes.
  mutating func readVarying() throws(WireError) -> UInt32 {
    var (value, shift) = (UInt32(0), UInt32(0))
    while true {
      let group = try read(bits: 5)
      let digit = group & 15
      guard shift < 28 || (shift == 28 && group < 16) else { throw .outOfRange(.length) }
      value |= digit << shift
      guard group > 15 else {
        guard digit != 0 || shift == 0 else { throw .outOfRange(.length) }
        return value
      }
      shift += 4
    }
  }

  /// Skips the zero bits that fill the last byte. Throws `trailing` if they are none.
  mutating func skipPadding() throws(WireError) {
    guard try read(bits: remainingBits % 8) == 0 else { throw .trailing }
  }
}
