/// FNV-1a over 32-bit words, 64 bits wide.
struct StateHasher {
  var value: UInt64 = 0xCBF2_9CE4_8422_2325

  @inline(__always)
  mutating func add(_ word: UInt32) { value = (value ^ UInt64(word)) &* 0x100_0000_01B3 }

  @inline(__always)
  mutating func add(_ number: Float) { add(number.bitPattern) }

  mutating func add(_ v: Vector2) {
    add(v.x)
    add(v.y)
  }
}
