// What people are told of tilts: whose counts, and how everybody tilts.

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

/// How one person tilts, as exactly as a dot in a bowl shows it.
public struct PersonTilt: Equatable, Sendable {
  /// The person's number.
  public var person: UInt16
  /// To the right and down, in 1/64: −64…64, together no longer than `longest`.
  public var x: Int8
  public var y: Int8

  /// Steps of a tilt of length 1: one of them is 0.9°, more than a hand trembles and less than the
  /// width of a dot.
  public static let unit: Int8 = 64
  /// The longest tilt, in 1/64: of length 1, and rounded.
  public static let longest = 65

  /// - Parameters:
  ///   - person: the person's number.
  ///   - x: to the right, −64…64.
  ///   - y: down, −64…64.
  public init(person: UInt16, x: Int8, y: Int8) {
    self.person = person
    self.x = x
    self.y = y
    assert(isPossible)
  }

  /// Whether anybody can tilt so.
  var isPossible: Bool {
    Int(x) * Int(x) + Int(y) * Int(y) <= Self.longest * Self.longest
  }
}

extension [PersonTilt] {
  /// Writes at most `WireLimits.shownTilts` of them, which stand in ascending order of people.
  func write(to writer: inout BitWriter) {
    assert(zip(self, dropFirst()).allSatisfy { $0.person < $1.person })
    let shown = prefix(WireLimits.shownTilts)
    writer.write(byte: UInt8(shown.count))
    for tilt in shown {
      writer.write(tilt.person)
      writer.write(byte: UInt8(bitPattern: tilt.x))
      writer.write(byte: UInt8(bitPattern: tilt.y))
    }
  }

  /// Throws `truncated`, `outOfRange(.people)` for too many or for people out of order, or
  /// `outOfRange(.tilt)` for a tilt longer than one can be.
  init(from reader: inout BitReader) throws(WireError) {
    self = []
    let count = Int(try reader.readByte())
    guard count <= WireLimits.shownTilts else { throw .outOfRange(.people) }
    for _ in 0..<count {
      var tilt = PersonTilt(person: try reader.readUInt16(), x: 0, y: 0)
      guard last.map({ $0.person < tilt.person }) ?? true else { throw .outOfRange(.people) }
      tilt.x = Int8(bitPattern: try reader.readByte())
      tilt.y = Int8(bitPattern: try reader.readByte())
      guard tilt.isPossible else { throw .outOfRange(.tilt) }
      append(tilt)
    }
  }
}
