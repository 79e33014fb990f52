/// What the host tells everybody: up to 120 bytes of valid UTF-8; none says nothing.
public struct Announcement: Equatable, Sendable {
  /// The text in UTF-8.
  public let utf8: [UInt8]

  /// Nothing is announced.
  public static let none = Announcement()

  private init() { utf8 = [] }

  /// An announcement of the given UTF-8 bytes. Throws `outOfRange(.announcement)` for more than 120
  /// bytes or for bytes that are not UTF-8.
  public init(utf8: [UInt8]) throws(WireError) {
    guard utf8.count <= WireLimits.announcementBytes, Name.isValid(utf8) else {
      throw .outOfRange(.announcement)
    }
    self.utf8 = utf8
  }

  #if !hasFeature(Embedded)
    /// An announcement of the given text. Throws `outOfRange(.announcement)` for more than 120
    /// bytes of UTF-8.
    public init(_ text: String) throws(WireError) {
      try self.init(utf8: Array(text.utf8))
    }

    /// The announcement as text.
    public var text: String { String(decoding: utf8, as: UTF8.self) }
  #endif
}

extension Announcement {
  func write(to writer: inout BitWriter) {
    assert(utf8.count <= WireLimits.announcementBytes)
    writer.write(byte: UInt8(utf8.count))
    for byte in utf8 { writer.write(byte: byte) }
  }

  init(from reader: inout BitReader) throws(WireError) {
    let count = Int(try reader.readByte())
    guard count <= WireLimits.announcementBytes else { throw .outOfRange(.announcement) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for _ in 0..<count { bytes.append(try reader.readByte()) }
    try self.init(utf8: bytes)
  }
}

/// What everybody is to know of the host's decisions.
public struct HostNotice: Equatable, Sendable {
  /// Whether the world stands still.
  public var isFrozen: Bool
  /// Whether nobody new may join.
  public var isLocked: Bool
  /// What the host has to say.
  public var announcement: Announcement

  public init(isFrozen: Bool = false, isLocked: Bool = false, announcement: Announcement = .none) {
    self.isFrozen = isFrozen
    self.isLocked = isLocked
    self.announcement = announcement
  }

  private static let frozenFlag: UInt8 = 1
  private static let lockedFlag: UInt8 = 2

  func write(to writer: inout BitWriter) {
    writer.write(byte: (isFrozen ? Self.frozenFlag : 0) | (isLocked ? Self.lockedFlag : 0))
    announcement.write(to: &writer)
  }

  init(from reader: inout BitReader) throws(WireError) {
    let flags = try reader.readByte()
    guard flags & ~(Self.frozenFlag | Self.lockedFlag) == 0 else { throw .outOfRange(.flags) }
    self.init(
      isFrozen: flags & Self.frozenFlag != 0, isLocked: flags & Self.lockedFlag != 0,
      announcement: try Announcement(from: &reader))
  }
}
