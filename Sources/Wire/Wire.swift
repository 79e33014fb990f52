/// The bytes of Sticker Pit's protocol: bits, quantized values, every message and every frame.
///
/// This file holds what all of them share: the version, the limits, the message types, why bytes
/// are refused, and how ticks are counted. PROTOCOL.md draws each message byte by byte; the golden
/// tests compare both.

/// What both ends must agree on before anything else is said.
public enum WireVersion {
  /// The version that `Hello` names and `Welcome` confirms: it counts every change that an older
  /// peer could not read. The subprotocol's `v1` names the family: how a connection begins, and how
  /// hello and welcome start.
  public static let current: UInt16 = 9
}

/// Upper bounds of everything that a decoder accepts, each with its reason.
public enum WireLimits {
  /// Slots are 16 bits wide; the server's hard limit of bodies is a quarter of that.
  public static let bodies = 16_384
  /// Twice the worst keyframe of `bodies` bodies (128 bits each), and what a page reserves at most.
  public static let serverMessageBytes = 1 << 20
  /// The longest client message of a fixed length is a hello with a token and a tick (26 bytes);
  /// 128 leaves room for words.
  public static let clientMessageBytes = 128
  /// A name in UTF-8: what fits a label on a phone.
  public static let nameBytes = 32
  /// What somebody says in UTF-8: a sentence in English, twenty characters in Chinese.
  public static let wordsBytes = 64
  /// What the host tells everybody, in UTF-8: two lines on a phone.
  public static let announcementBytes = 120
  /// Events in a message: more than a tick of any scene has.
  public static let events = 64
  /// Commands that one receipt acknowledges: more than a client may send at once (40 commands and
  /// 4 words).
  public static let receipts = 64
  /// People listed in a notice: what fits a phone's corner.
  public static let listedPeople = 12
  /// People whose tilts a notice tells: more dots in a bowl can't be told apart.
  public static let shownTilts = 12
  /// Pictures on the sticker sheet, 4×4: what a client may drop.
  public static let kinds: UInt8 = 16
  /// Kinds of bodies: the pictures, the card (16), the square (17), and room for more.
  public static let bodyKinds: UInt8 = 32
  /// Positions are within ±2¹⁹ lattice steps, which is ±32 768 pt: a world of 16 384 bodies is
  /// 7 200 pt tall.
  public static let coordinateBits = 20
}

/// The first byte of a message that a client sends.
public enum ClientMessageType: UInt8 {
  case hello = 0x01
  case tilt = 0x02
  case drop = 0x03
  case throwSticker = 0x04
  case clock = 0x05
  case grab = 0x06
  case move = 0x07
  case release = 0x08
  case snap = 0x09
  case say = 0x0A
  case stream = 0x0B
  case aimed = 0x0C
  case report = 0x0D
}

/// The first byte of a message that the server sends. From 0x90 to 0x9F it is a run of records, see
/// `RecordCoder`; from 0xC0 on it is a frame of the state stream and names its tick.
public enum ServerMessageType: UInt8 {
  case welcome = 0x81
  case keyframe = 0x82
  case state = 0x83
  case events = 0x85
  case clockEcho = 0x86
  case notice = 0x87
  case held = 0x88
  case receipt = 0x89
  case snapshot = 0x8A
  case comeBack = 0x8B
  case lateTilt = 0x8C
}

/// Why bytes were refused. Decoding never traps: any bytes give a value or one of these.
public enum WireError: Error, Equatable, Sendable {
  /// A message without bytes.
  case empty
  /// The first byte names no message of this direction.
  case unknownType(UInt8)
  /// The bytes ended inside a field.
  case truncated
  /// Bytes, or padding bits that are not zero, follow the message's end.
  case trailing
  /// More bytes than the limit of `WireLimits` allows.
  case tooLong(Int)
  /// A hello of another version; what follows the version is not read.
  case otherVersion(UInt16)
  /// A field holds a value that it must not hold.
  case outOfRange(WireField)
  /// A delta builds on another tick than the last one that was decoded: frames are missing.
  case gap(last: UInt32, base: UInt32)
  /// A delta came before any keyframe.
  case noKeyframe
}

/// The field that a `WireError.outOfRange` speaks of.
public enum WireField: UInt8, Sendable {
  case version, stream, rate, kind, name, people, noticeKind, flags, base
  case slot, generation, size, coordinate, count, length, scenery, held, profile
  case words, events, eventKind, keyword, receipts, outcome, person, command, packing
  case act, announcement, tiltRule, tilt
}

/// How ticks are counted: by the low 32 bits of their number, which begin anew after 828 days. So
/// ticks are never compared by size, and never added to but by what is here or by `&+` and `&-`.
extension UInt32 {
  /// The tick after this one.
  @inlinable
  package var nextTick: UInt32 { self &+ 1 }

  /// How many ticks this one comes after another; negative if it comes before it. Right for ticks
  /// within a year of each other.
  @inlinable
  package func ticks(since other: UInt32) -> Int { Int(Int32(bitPattern: self &- other)) }
}

/// Gives each tick a place on a line that goes on where the ticks' numbers begin anew, for whoever
/// reckons with times and fractions of ticks. The first tick's place is its number.
package struct TickLine: Sendable {
  private var last: (tick: UInt32, place: Double)?

  package init() {}

  /// The place of a tick that is within a year of the tick before.
  package mutating func place(of tick: UInt32) -> Double {
    let place = last.map { $0.place + Double(tick.ticks(since: $0.tick)) } ?? Double(tick)
    last = (tick, place)
    return place
  }
}
