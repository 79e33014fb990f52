/// What each member tells all others once a second, and when its people change.
public struct PresenceMessage: Equatable, Sendable {
  public var member: MemberID
  /// What it is.
  public var role: Role
  /// How many people are there.
  public var people: UInt16
  /// The newest of them, the newest first.
  public var listed: [Person]
  /// The blocks that its clients' numbers are from.
  public var blocks: [NumberBlock]

  /// What a member does.
  public enum Role: UInt8, Sendable {
    case leader, standby, edge
    /// It ends: it is no longer to be waited for.
    case leaving
  }

  public init(
    member: MemberID, role: Role, people: UInt16 = 0, listed: [Person] = [],
    blocks: [NumberBlock] = []
  ) {
    precondition(blocks.count <= NumberBlock.count)
    self.member = member
    self.role = role
    self.people = people
    self.listed = listed
    self.blocks = blocks
  }

  /// The message's bytes.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    BitWriter.append(to: &bytes) { writer in
      writer.write(byte: BitWriter.clusterVersion)
      writer.write(member.value, bits: 32)
      writer.write(byte: role.rawValue)
      writer.write(people)
      let shown = listed.prefix(ClusterLimits.listedPeople)
      writer.write(byte: UInt8(shown.count))
      for person in shown { person.write(to: &writer) }
      writer.write(UInt16(blocks.count))
      for block in blocks { writer.write(byte: block.index) }
    }
    return bytes
  }

  /// Reads a message. Throws `WireError` for bytes that are none.
  public init(_ bytes: [UInt8]) throws(WireError) {
    self = try decodeArray(bytes) { (raw) throws(WireError) in
      var reader = BitReader(raw)
      let message = try PresenceMessage(from: &reader)
      try reader.finish()
      return message
    }
  }

  private init(from reader: inout BitReader) throws(WireError) {
    try reader.readClusterVersion()
    member = MemberID(try reader.read(bits: 32))
    guard let role = Role(rawValue: try reader.readByte()) else { throw .outOfRange(.kind) }
    self.role = role
    people = try reader.readUInt16()
    let shown = Int(try reader.readByte())
    guard shown <= ClusterLimits.listedPeople else { throw .outOfRange(.people) }
    listed = []
    for _ in 0..<shown { listed.append(try Person(from: &reader)) }
    let count = Int(try reader.readUInt16())
    guard count <= NumberBlock.count else { throw .outOfRange(.count) }
    blocks = []
    for _ in 0..<count { blocks.append(NumberBlock(index: try reader.readByte())) }
  }
}
