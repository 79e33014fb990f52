extension FNVHash {
  @inline(__always)
  mutating func add(_ number: Float) { add(number.bitPattern) }

  mutating func add(_ v: Vector2) {
    add(v.x)
    add(v.y)
  }
}
