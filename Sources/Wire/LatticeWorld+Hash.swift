extension LatticeWorld {
  /// A hash of tick, bodies and places (FNV-1a over 32-bit words), by which decoders are compared
  /// across builds.
  public var placesHash: UInt64 {
    var hash = 0xCBF2_9CE4_8422_2325 as UInt64
    func mix(_ word: UInt32) { hash = (hash ^ UInt64(word)) &* 0x0000_0100_0000_01B3 }
    mix(tick)
    for body in bodies {
      mix(UInt32(body.slot) &<< 16 | UInt32(body.generation))
      mix(UInt32(bitPattern: body.x))
      mix(UInt32(bitPattern: body.y))
      mix(UInt32(body.kind) &<< 24 | UInt32(body.size) &<< 16 | UInt32(body.angle))
    }
    return hash
  }
}
