/// What happened in a tick, at most 64 events.
public struct WireEvents: Equatable, Sendable {
  /// The tick, the low 32 bits.
  public var tick: UInt32
  /// What happened, in order; of more than 64 the first are sent.
  public var events: [WireEvent]

  public init(tick: UInt32, events: [WireEvent]) {
    self.tick = tick
    self.events = events
  }
}

/// Something that happened.
public enum WireEvent: Equatable, Sendable {
  /// Rain: the floor is about to open.
  case floorWarning
  /// Rain: the bounds are open from this tick on.
  case floorOpened
  /// Rain: the bounds are back.
  case floorClosed
  /// Rain: the keyword of a person, `client`, brought stickers of a kind.
  case rainBegan(keyword: UInt8, client: UInt16)
  /// A body touched something.
  case contactBegan(WireContact)
  /// A body ceased to touch something.
  case contactEnded(WireContact)
  /// Somebody else holds what this person wanted.
  case grabRefused(slot: UInt16, holder: UInt16)
}

/// Two that touch.
public struct WireContact: Equatable, Sendable {
  /// The body's slot.
  public var slot: UInt16
  /// The other body's slot, or 0x8000 and the boundary's id.
  public var other: UInt16
  /// Where, in 1/8 pt.
  public var x: Int16
  public var y: Int16

  public init(slot: UInt16, other: UInt16, x: Int16, y: Int16) {
    self.slot = slot
    self.other = other
    self.x = x
    self.y = y
  }
}

extension WireEvents {
  func write(to writer: inout BitWriter) {
    writer.write(byte: ServerMessageType.events.rawValue)
    writer.write(tick, bits: 32)
    let sent = events.prefix(WireLimits.events)
    writer.write(byte: UInt8(sent.count))
    for event in sent { event.write(to: &writer) }
  }

  init(from reader: inout BitReader) throws(WireError) {
    let tick = try reader.read(bits: 32)
    let count = Int(try reader.readByte())
    guard count <= WireLimits.events else { throw .outOfRange(.events) }
    var events: [WireEvent] = []
    for _ in 0..<count { events.append(try WireEvent(from: &reader)) }
    self.init(tick: tick, events: events)
  }
}

extension WireEvent {
  private enum Kind: UInt8 {
    case floorWarning = 1
    case floorOpened = 2
    case floorClosed = 3
    case rainBegan = 4
    case contactBegan = 5
    case contactEnded = 6
    case grabRefused = 7
  }

  /// Kind and two numbers, as a page takes them: of a rain the keyword and the person, of a contact
  /// slot and other, of a refusal slot and holder.
  public var numbers: (kind: UInt8, a: UInt16, b: UInt16) {
    switch self {
    case .floorWarning: (Kind.floorWarning.rawValue, 0, 0)
    case .floorOpened: (Kind.floorOpened.rawValue, 0, 0)
    case .floorClosed: (Kind.floorClosed.rawValue, 0, 0)
    case .rainBegan(let keyword, let client):
      (Kind.rainBegan.rawValue, UInt16(keyword), client)
    case .contactBegan(let contact): (Kind.contactBegan.rawValue, contact.slot, contact.other)
    case .contactEnded(let contact): (Kind.contactEnded.rawValue, contact.slot, contact.other)
    case .grabRefused(let slot, let holder): (Kind.grabRefused.rawValue, slot, holder)
    }
  }

  func write(to writer: inout BitWriter) {
    writer.write(byte: numbers.kind)
    switch self {
    case .floorWarning, .floorOpened, .floorClosed: break
    case .rainBegan(let keyword, let client):
      writer.write(byte: keyword)
      writer.write(client)
    case .contactBegan(let contact), .contactEnded(let contact): contact.write(to: &writer)
    case .grabRefused(let slot, let holder):
      writer.write(slot)
      writer.write(holder)
    }
  }

  init(from reader: inout BitReader) throws(WireError) {
    guard let kind = Kind(rawValue: try reader.readByte()) else { throw .outOfRange(.eventKind) }
    switch kind {
    case .floorWarning: self = .floorWarning
    case .floorOpened: self = .floorOpened
    case .floorClosed: self = .floorClosed
    case .rainBegan:
      let keyword = try reader.readByte()
      guard keyword < WireLimits.bodyKinds else { throw .outOfRange(.keyword) }
      self = .rainBegan(keyword: keyword, client: try reader.readUInt16())
    case .contactBegan: self = .contactBegan(try WireContact(from: &reader))
    case .contactEnded: self = .contactEnded(try WireContact(from: &reader))
    case .grabRefused:
      self = .grabRefused(slot: try reader.readUInt16(), holder: try reader.readUInt16())
    }
  }
}

extension WireContact {
  func write(to writer: inout BitWriter) {
    writer.write(slot)
    writer.write(other)
    writer.write(x)
    writer.write(y)
  }

  init(from reader: inout BitReader) throws(WireError) {
    self.init(
      slot: try reader.readUInt16(), other: try reader.readUInt16(), x: try reader.readInt16(),
      y: try reader.readInt16())
  }
}
