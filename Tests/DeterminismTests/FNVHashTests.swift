import Determinism
import Testing

@Suite struct FNVHashTests {
  /// The values that the algorithm's authors publish, of 64 and of 32 bits.
  private static let published: [(text: String, long: UInt64, short: UInt32)] = [
    ("", 0xCBF2_9CE4_8422_2325, 0x811C_9DC5),
    ("a", 0xAF63_DC4C_8601_EC8C, 0xE40C_292C),
    ("foobar", 0x8594_4171_F739_67E8, 0xBF9C_F968),
  ]

  @Test func bytesHaveThePublishedHashes() {
    for (text, long, short) in Self.published {
      let bytes = [UInt8](text.utf8)
      var hash = FNVHash()
      for byte in bytes { hash.add(byte) }
      #expect(hash.value == long, "\(text)")
      #expect(bytes.withUnsafeBufferPointer { FNVHash.short(of: $0) } == short, "\(text)")
    }
  }

  @Test func aWordOf32BitsIsOneOf64() {
    var (narrow, wide) = (FNVHash(), FNVHash())
    for word in [0, 1, UInt32.max] {
      narrow.add(word)
      wide.add(UInt64(word))
      #expect(narrow.value == wide.value)
    }
  }

  /// Without folding, the top bit of a word would change the top bit of the hash alone.
  @Test func foldingBringsHighBitsDown() {
    var (a, b) = (FNVHash(value: 1), FNVHash(value: 1))
    a.addFolded(0)
    b.addFolded(1 << 63)
    #expect(UInt32(truncatingIfNeeded: a.value) != UInt32(truncatingIfNeeded: b.value))
    var (c, d) = (FNVHash(value: 1), FNVHash(value: 1))
    c.add(0 as UInt64)
    d.add(1 << 63 as UInt64)
    #expect(c.value ^ d.value == 1 << 63)
  }
}
