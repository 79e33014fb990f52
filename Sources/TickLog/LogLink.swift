import Determinism

/// Ties each group to the one before it, and tells damage: FNV-1a of 64 bits over words of eight
/// bytes, with the high bits brought down. It finds accidents, not forgers.
package struct LogLink {
  private var hash = FNVHash()

  var value: UInt64 { hash.value }

  mutating func add(_ word: UInt64) { hash.addFolded(word) }

  mutating func add(_ bytes: [UInt8]) {
    add(UInt64(bytes.count))
    bytes.withUnsafeBytes { raw in
      var offset = 0
      while offset + 8 <= raw.count {
        add(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        offset += 8
      }
      var rest: UInt64 = 0
      for byte in raw[offset...].reversed() { rest = rest << 8 | UInt64(byte) }
      add(rest)
    }
  }

  /// The link of a group behind another one.
  static func after(_ before: UInt64, _ group: LogGroup) -> UInt64 {
    var link = LogLink()
    link.add(before)
    link.add(group.first)
    link.add(UInt64(group.count))
    link.add(group.time)
    link.add(group.records)
    return link.value
  }

  /// The link of a message of the log between machines; it holds the link of the one before.
  package static func of(message bytes: [UInt8]) -> UInt64 {
    var link = LogLink()
    link.add(bytes)
    return link.value
  }

  static func of(_ snapshot: LogSnapshot) -> UInt64 {
    var link = LogLink()
    link.add(snapshot.position)
    link.add(snapshot.bytes)
    return link.value
  }
}
