/// What the models know when a stream starts and after every restart: each probability in one
/// printable character. The characters stand in TrainedTables+Data.swift; the format's document
/// lists them too, as an implementation needs them.
///
/// A character from `#` to `[` names one of 57 chances, whose log-odds are a quarter apart.
enum TrainedTables {
  private static let firstCharacter: UInt8 = 35

  /// Chances in 1/65 536: 65 536 / (1 + e^(−n/4)) for n from −28 to 28.
  private static let chances: [UInt16] = [
    60, 77, 98, 126, 162, 208, 267, 342, 439, 562,
    720, 922, 1179, 1506, 1921, 2446, 3108, 3938, 4971, 6249,
    7812, 9702, 11_955, 14_595, 17_625, 21_025, 24_743, 28_693, 32_768, 36_843,
    40_793, 44_511, 47_911, 50_941, 53_581, 55_834, 57_724, 59_287, 60_565, 61_598,
    62_428, 63_090, 63_615, 64_030, 64_357, 64_614, 64_816, 64_974, 65_097, 65_194,
    65_269, 65_328, 65_374, 65_410, 65_438, 65_459, 65_476,
  ]

  /// The trained probability at `index`, in the models' order.
  static func probability(at index: Int) -> UInt16 {
    guard index < data.utf8CodeUnitCount else { return 32_768 }
    let level = Int(data.utf8Start[index] &- firstCharacter)
    return level < chances.count ? chances[level] : 32_768
  }

  /// The character whose chance is nearest.
  static func character(for probability: UInt16) -> UInt8 {
    var level = 0
    while level < chances.count - 1,
      Int(probability) * 2 > Int(chances[level]) + Int(chances[level + 1])
    { level += 1 }
    return firstCharacter + UInt8(level)
  }
}
