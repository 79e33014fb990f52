import Wire

/// Packed bytes of strangers: they are unpacked or refused. And any bytes come back when they were
/// packed.
enum PackingFuzzing {
  /// Stated lengths up to here are taken, so that an input takes no more than milliseconds.
  private static let mostBytes = 1 << 14

  static func run(_ bytes: UnsafeRawBufferPointer) {
    let bytes = Array(bytes)
    check(bytes)
    if let unpacked = try? Packing.unpack(bytes, atMost: mostBytes) { check(unpacked) }
  }

  private static func check(_ bytes: [UInt8]) {
    var packed: [UInt8] = []
    Packing.pack(bytes, into: &packed)
    precondition((try? Packing.unpack(packed)) == bytes, "what was packed is lost")
  }

  /// Packed worlds, and worlds.
  static func seeds() throws -> [[UInt8]] {
    try SnapshotFuzzing.worldSeeds().prefix(6).flatMap { world in
      var packed: [UInt8] = []
      Packing.pack(world, into: &packed)
      return [packed, world]
    }
  }
}
