// What the servers of one world tell each other over NATS; PROTOCOL-cluster.md draws the bytes.
// A *member* is one of these servers: the *leader* runs the world and writes its log, *edges*
// follow the log and serve clients of their own.

/// The limits of what members tell each other.
public enum ClusterLimits {
  /// Members of one world at a time: each has at least one block of numbers.
  public static let members = NumberBlock.count
  /// Inputs of one message. An edge has more in a tick only if each of thousands of clients does
  /// something in it; the rest goes with the next message.
  public static let inputs = 4096
  /// People that a presence lists, the newest first: as many as a notice.
  public static let listedPeople = WireLimits.listedPeople
  /// Commands of one tick that were left out and are told in the log. More are not told: their
  /// clients wait for a receipt that never comes, as they do when a connection is lost.
  public static let leftOut = 1024
  /// Late tilts of one tick that are told in the log. The clients of more learn of the next ones.
  public static let lateTilts = 1024
}

/// 256 numbers that one member gives to its people. Block 0 has 255: nobody has number 0.
public struct NumberBlock: Hashable, Sendable {
  /// 0…255: the upper half of its numbers.
  public let index: UInt8

  /// How many blocks there are.
  public static let count = 256

  public init(index: UInt8) { self.index = index }

  /// The block that has a person's number.
  public init(of person: UInt16) { index = UInt8(person >> 8) }

  /// Its numbers.
  public var numbers: ClosedRange<UInt16> {
    let first = UInt16(index) << 8
    return max(first, 1)...(first | 0xFF)
  }
}

/// A member's messages up to a number have been taken into the log.
public struct InputsTaken: Equatable, Sendable {
  public var member: MemberID
  /// The number of the last message; a member's first is 1.
  public var count: UInt32

  public init(member: MemberID, count: UInt32) {
    self.member = member
    self.count = count
  }
}

/// A member's name: drawn by chance at its start, so that one that is started again is another.
public struct MemberID: Hashable, Sendable {
  public let value: UInt32

  public init(_ value: UInt32) { self.value = value }
}

extension BitWriter {
  mutating func write(wide value: UInt64) {
    write(UInt32(truncatingIfNeeded: value), bits: 32)
    write(UInt32(truncatingIfNeeded: value >> 32), bits: 32)
  }

  mutating func write(_ taken: [InputsTaken]) {
    assert(taken.count <= ClusterLimits.members)
    write(UInt16(taken.count))
    for one in taken {
      write(one.member.value, bits: 32)
      write(one.count, bits: 32)
    }
  }
}

extension BitReader {
  mutating func readWide() throws(WireError) -> UInt64 {
    let low = try read(bits: 32)
    return UInt64(low) | UInt64(try read(bits: 32)) << 32
  }

  mutating func readTaken() throws(WireError) -> [InputsTaken] {
    let count = Int(try readUInt16())
    guard count <= ClusterLimits.members else { throw .outOfRange(.count) }
    var taken: [InputsTaken] = []
    for _ in 0..<count {
      taken.append(
        InputsTaken(member: MemberID(try read(bits: 32)), count: try read(bits: 32)))
    }
    return taken
  }

  /// Reads a position or a number in the log, which grow by one: half of 64 bits is more than any
  /// world's age, and leaves room to count on. Throws `outOfRange`.
  mutating func readPlace() throws(WireError) -> UInt64 {
    let place = try readWide()
    guard place <= UInt64(Int64.max) else { throw .outOfRange(.count) }
    return place
  }

  /// Reads an epoch, behind which there must be another one. Throws `outOfRange`.
  mutating func readEpoch() throws(WireError) -> UInt32 {
    let epoch = try read(bits: 32)
    guard epoch < .max else { throw .outOfRange(.count) }
    return epoch
  }

  /// Reads the version that all these messages begin with. Throws `otherVersion`.
  mutating func readClusterVersion() throws(WireError) {
    let version = try readByte()
    guard version == BitWriter.clusterVersion else { throw .otherVersion(UInt16(version)) }
  }

  /// The bytes behind what was read, which must end on a byte.
  mutating func readRest() throws(WireError) -> [UInt8] {
    assert(remainingBits % 8 == 0)
    var rest: [UInt8] = []
    rest.reserveCapacity(remainingBits / 8)
    while remainingBits > 0 { rest.append(try readByte()) }
    return rest
  }
}

extension BitWriter {
  /// Of all messages between members. Members of different versions don't understand each other:
  /// they are of different builds, whose worlds differ anyway.
  static let clusterVersion: UInt8 = 2
}
