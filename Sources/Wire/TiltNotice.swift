/// Whose tilt counts, as people are told.
public enum TiltNotice: Equatable, Sendable {
  /// Everybody's, together.
  case everybody
  /// One person's at a time, and nobody tilts.
  case nobody
  /// This person's, for so many ticks more; without a name where the server doesn't know it.
  case captain(Person, ticksLeft: UInt16)
}

extension TiltNotice {
  func write(to writer: inout BitWriter) {
    switch self {
    case .everybody: writer.write(byte: 0)
    case .nobody: writer.write(byte: 1)
    case .captain(let person, let ticksLeft):
      writer.write(byte: 2)
      writer.write(ticksLeft)
      person.write(to: &writer)
    }
  }

  /// Throws `truncated`, or `outOfRange(.tiltRule)` for a rule that there isn't.
  init(from reader: inout BitReader) throws(WireError) {
    switch try reader.readByte() {
    case 0: self = .everybody
    case 1: self = .nobody
    case 2:
      let ticksLeft = try reader.readUInt16()
      self = .captain(try Person(from: &reader), ticksLeft: ticksLeft)
    default: throw .outOfRange(.tiltRule)
    }
  }
}
