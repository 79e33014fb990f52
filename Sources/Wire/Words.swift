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
