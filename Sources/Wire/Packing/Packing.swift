/// Packs the bytes of a saved world for the wire, without loss: a third of them is left. The
/// world knows nothing of it, and this knows nothing of worlds; see `PackingModel` for how.
///
/// Packed are: the number of bytes and their check, four bytes each, the lowest first; then what
/// the range coder wrote.
public enum Packing {
  /// Most bytes that are packed, and that anybody makes room for who unpacks: nearly twice
  /// what the largest pit with all its caches takes, 16 384 stickers.
  public static let mostBytes = 1 << 22

  private static let headBytes = 8

  /// Appends the packed form of at most `mostBytes` bytes.
  public static func pack(_ bytes: [UInt8], into packed: inout [UInt8]) {
    precondition(bytes.count <= mostBytes, "more bytes than anybody unpacks")
    var model = PackingModel(count: bytes.count)
    defer { model.deallocate() }
    bytes.withUnsafeBytes { model.fill($0) }
    for word in [UInt32(bytes.count), model.check] {
      for place in 0..<4 { packed.append(UInt8(truncatingIfNeeded: word >> UInt32(8 * place))) }
    }
    let room = UnsafeMutablePointer<UInt8>.allocate(capacity: mostPacked(bytes.count))
    defer { room.deallocate() }
    var encoder = RangeEncoder(into: room)
    model.code(with: &encoder)
    assert(encoder.count <= mostPacked(bytes.count))
    packed.append(contentsOf: UnsafeBufferPointer(start: room, count: encoder.finish()))
  }

  /// The bytes that `pack` packed.
  ///
  /// - Parameters:
  ///   - packed: the packed form, up to its end.
  ///   - offset: where it begins.
  ///   - limit: more bytes than these are refused before there is room for them.
  /// - Throws: `truncated`, `outOfRange(.length)`, `outOfRange(.packing)` where bytes are not as
  ///   they were written, `trailing`.
  public static func unpack(
    _ packed: [UInt8], from offset: Int = 0, atMost limit: Int = mostBytes
  ) throws(WireError) -> [UInt8] {
    try decodeArray(packed) { (raw) throws(WireError) in
      guard raw.count - offset >= headBytes else { throw .truncated }
      return try unpack(UnsafeRawBufferPointer(rebasing: raw[offset...]), limit)
    }
  }

  private static func unpack(
    _ packed: UnsafeRawBufferPointer, _ limit: Int
  ) throws(WireError) -> [UInt8] {
    let stated = UInt32(littleEndian: packed.loadUnaligned(as: UInt32.self))
    guard let count = Int(exactly: stated), count <= limit, count <= mostBytes else {
      throw .outOfRange(.length)
    }
    var model = PackingModel(count: count)
    defer { model.deallocate() }
    var decoder = RangeDecoder(UnsafeRawBufferPointer(rebasing: packed[headBytes...]))
    model.code(with: &decoder)
    guard decoder.isAtEnd else { throw .trailing }
    let check = packed.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    guard UInt32(littleEndian: check) == model.check else { throw .outOfRange(.packing) }
    return model.unpacked
  }

  /// Bytes that packing takes at worst: a bit that is not foreseen costs at most 11, a byte has
  /// nine of them, and few more say how its row is.
  private static func mostPacked(_ count: Int) -> Int { 13 * count + 64 }
}
