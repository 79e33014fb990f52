/// News for people rather than for the world.
public enum Notice: Equatable, Sendable {
  /// Who is here: how many, and up to 12 of them, the newest first.
  case people(count: UInt16, listed: [Person])
  /// Something to tell this client's person.
  case message(NoticeCode)
  /// What the host has decided: to everybody when it changes, and after a welcome unless all is as
  /// ever.
  case host(HostNotice)
  /// The host gave this client's person another name.
  case renamed(Person)
  /// Whose pit it is: to everybody when it changes, and after a welcome unless it is everybody's.
  case tilt(TiltNotice)
  /// How people tilt, of whom up to 12 are told in ascending order: when it changes, up to four
  /// times a second, in crowds each two seconds, and after a welcome unless nobody tilts.
  case tilts([PersonTilt])
}

/// A connected person as the others see them.
public struct Person: Equatable, Sendable {
  /// The person's number.
  public var id: UInt16
  /// Colour, 0xRRGGBB.
  public var colour: UInt32
  /// Name that the server gave.
  public var name: Name

  public init(id: UInt16, colour: UInt32, name: Name) {
    self.id = id
    self.colour = colour
    self.name = name
  }
}

/// What a message notice says. Codes that a client doesn't know are ignored.
public struct NoticeCode: RawRepresentable, Equatable, Sendable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The server sends fewer frames because this client reads too slowly.
  public static let slowedDown = NoticeCode(rawValue: 1)
  /// The client reads well again and gets the rate that it asked for.
  public static let fullSpeed = NoticeCode(rawValue: 2)
  /// The resume token was accepted: same number, name and colour as before.
  public static let resumed = NoticeCode(rawValue: 5)
}

extension Notice {
  private enum Kind: UInt8 {
    case people = 0
    case message = 1
    case host = 2
    case renamed = 3
    case tilt = 4
    case tilts = 5
  }

  func write(to writer: inout BitWriter) {
    writer.write(byte: ServerMessageType.notice.rawValue)
    switch self {
    case .people(let count, let listed):
      writer.write(byte: Kind.people.rawValue)
      writer.write(count)
      let shown = listed.prefix(WireLimits.listedPeople)
      writer.write(byte: UInt8(shown.count))
      for person in shown { person.write(to: &writer) }
    case .message(let code):
      writer.write(byte: Kind.message.rawValue)
      writer.write(byte: code.rawValue)
    case .host(let notice):
      writer.write(byte: Kind.host.rawValue)
      notice.write(to: &writer)
    case .renamed(let person):
      writer.write(byte: Kind.renamed.rawValue)
      person.write(to: &writer)
    case .tilt(let notice):
      writer.write(byte: Kind.tilt.rawValue)
      notice.write(to: &writer)
    case .tilts(let tilts):
      writer.write(byte: Kind.tilts.rawValue)
      tilts.write(to: &writer)
    }
  }

  init(from reader: inout BitReader) throws(WireError) {
    guard let kind = Kind(rawValue: try reader.readByte()) else { throw .outOfRange(.noticeKind) }
    switch kind {
    case .people:
      let count = try reader.readUInt16()
      let listedCount = Int(try reader.readByte())
      guard listedCount <= WireLimits.listedPeople else { throw .outOfRange(.people) }
      var listed: [Person] = []
      for _ in 0..<listedCount { listed.append(try Person(from: &reader)) }
      self = .people(count: count, listed: listed)
    case .message:
      self = .message(NoticeCode(rawValue: try reader.readByte()))
    case .host: self = .host(try HostNotice(from: &reader))
    case .renamed: self = .renamed(try Person(from: &reader))
    case .tilt: self = .tilt(try TiltNotice(from: &reader))
    case .tilts: self = .tilts(try [PersonTilt](from: &reader))
    }
  }
}

extension Person {
  func write(to writer: inout BitWriter) {
    writer.write(id)
    writer.write(colour, bits: 24)
    name.write(to: &writer)
  }

  init(from reader: inout BitReader) throws(WireError) {
    self.init(
      id: try reader.readUInt16(), colour: try reader.read(bits: 24), name: try Name(from: &reader))
  }
}

extension Person {
  /// The colour of the person with a number, 0xRRGGBB: hues a golden ratio apart, so that
  /// neighbours never look alike. A page knows it of people, too, for whom its list has no room.
  public static func colour(of id: UInt16) -> UInt32 {
    // 0.618… of 1536 steps around the hexagon of red, yellow, green, cyan, blue, magenta.
    let hue = Int(id) * 949 % 1536
    let sector = hue / 256
    let rising = hue % 256
    let falling = 255 - rising
    let (red, green, blue) =
      switch sector {
      case 0: (255, rising, 0)
      case 1: (falling, 255, 0)
      case 2: (0, 255, rising)
      case 3: (0, falling, 255)
      case 4: (rising, 0, 255)
      default: (255, 0, falling)
      }
    // Pulled towards a middle grey: readable on light and on dark ground.
    let soft = { (channel: Int) in UInt32(channel * 5 / 8 + 48) }
    return soft(red) << 16 | soft(green) << 8 | soft(blue)
  }
}
