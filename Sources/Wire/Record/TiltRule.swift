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
