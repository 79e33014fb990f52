/// A short name: at most 32 bytes of valid UTF-8.
public struct Name: Equatable, Sendable {
  /// The name in UTF-8.
  public let utf8: [UInt8]

  /// Nobody's name.
  public static let none = Name()

  private init() { utf8 = [] }

  /// A name of the given UTF-8 bytes. Throws `outOfRange(.name)` for more than 32 bytes or for
  /// bytes that are not UTF-8.
  public init(utf8: [UInt8]) throws(WireError) {
    guard utf8.count <= WireLimits.nameBytes, Name.isValid(utf8) else { throw .outOfRange(.name) }
    self.utf8 = utf8
  }

  #if !hasFeature(Embedded)
    /// A name of the given text. Throws `outOfRange(.name)` for more than 32 bytes of UTF-8.
    public init(_ text: String) throws(WireError) {
      try self.init(utf8: Array(text.utf8))
    }

    /// The name as text.
    public var text: String { String(decoding: utf8, as: UTF8.self) }
  #endif
}

extension Name {
  func write(to writer: inout BitWriter) {
    assert(utf8.count <= WireLimits.nameBytes)
    writer.write(byte: UInt8(utf8.count))
    for byte in utf8 { writer.write(byte: byte) }
  }

  init(from reader: inout BitReader) throws(WireError) {
    let count = Int(try reader.readByte())
    guard count <= WireLimits.nameBytes else { throw .outOfRange(.name) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for _ in 0..<count { bytes.append(try reader.readByte()) }
    try self.init(utf8: bytes)
  }

  /// Whether `bytes` are UTF-8 as the Unicode standard's table 3-7 has it: no overlong forms, no
  /// surrogates, nothing beyond U+10FFFF. (The standard library's decoder needs more of the runtime
  /// than the page's module carries.)
  static func isValid(_ bytes: [UInt8]) -> Bool {
    var index = 0
    while index < bytes.count {
      let length = sequenceLength(at: index, of: bytes)
      if length == 0 { return false }
      index += length
    }
    assert(index == bytes.count, "the last character ends with the bytes")
    return true
  }

  /// Length of the sequence that starts at `index`, 0 if there is no valid one.
  private static func sequenceLength(at index: Int, of bytes: [UInt8]) -> Int {
    assert(index < bytes.count)
    let lead = bytes[index]
    var second: ClosedRange<UInt8> = 0x80...0xBF
    let length: Int
    switch lead {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if lead == 0xE0 { second = 0xA0...0xBF }
      if lead == 0xED { second = 0x80...0x9F }
    case 0xF0...0xF4:
      length = 4
      if lead == 0xF0 { second = 0x90...0xBF }
      if lead == 0xF4 { second = 0x80...0x8F }
    default: return 0
    }
    guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return 0 }
    for follower in (index + 2)..<max(index + 2, index + length)
    where bytes[follower] & 0xC0 != 0x80 { return 0 }
    return length
  }
}

/// Which set of stickers a world has, for whoever fetches its pictures.
public struct StickerSetName: Equatable, Sendable {
  /// A sum of all that is in the set's folder: another sum is another set, or another version.
  public var digest: UInt64
  /// The name of the set, for people.
  public var name: Name

  public init(digest: UInt64, name: Name) {
    self.digest = digest
    self.name = name
  }
}

extension StickerSetName {
  func write(to writer: inout BitWriter) {
    writer.write(UInt32(truncatingIfNeeded: digest), bits: 32)
    writer.write(UInt32(truncatingIfNeeded: digest >> 32), bits: 32)
    name.write(to: &writer)
  }

  init(from reader: inout BitReader) throws(WireError) {
    let low = UInt64(try reader.read(bits: 32))
    self.init(
      digest: low | UInt64(try reader.read(bits: 32)) << 32, name: try Name(from: &reader))
  }
}

/// What somebody said: 1 to 64 bytes of valid UTF-8. It goes to the server and no further.
public struct Words: Equatable, Sendable {
  /// The words in UTF-8.
  public let utf8: [UInt8]

  /// Words of the given UTF-8 bytes. Throws `outOfRange(.words)` for none, for more than 64 bytes,
  /// or for bytes that are not UTF-8.
  public init(utf8: [UInt8]) throws(WireError) {
    guard !utf8.isEmpty, utf8.count <= WireLimits.wordsBytes, Name.isValid(utf8) else {
      throw .outOfRange(.words)
    }
    self.utf8 = utf8
  }

  #if !hasFeature(Embedded)
    /// Words of the given text. Throws `outOfRange(.words)` for none, or for more than 64 bytes of
    /// UTF-8.
    public init(_ text: String) throws(WireError) {
      try self.init(utf8: Array(text.utf8))
    }

    /// The words as text.
    public var text: String { String(decoding: utf8, as: UTF8.self) }
  #endif

  /// The words that fill the rest of a message.
  init(from reader: inout BitReader) throws(WireError) {
    let count = reader.remainingBits / 8
    guard count <= WireLimits.wordsBytes else { throw .outOfRange(.words) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for _ in 0..<count { bytes.append(try reader.readByte()) }
    try self.init(utf8: bytes)
  }
}
