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
