extension Person {
  /// The colour of the person with a number, 0xRRGGBB: hues a golden ratio apart, so that
  /// neighbours never look alike. A page knows it of people, too, for whom its list has no room.
  public static func colour(of id: UInt16) -> UInt32 {
    // 0.618… of 1536 steps around the hexagon of red, yellow, green, cyan, blue, magenta.
    let hue = Int(id) * 949 % 1536
    let sector = hue / 256
    let rising = hue % 256
    let falling = 255 - rising
    let (red, green, blue) =
      switch sector {
      case 0: (255, rising, 0)
      case 1: (falling, 255, 0)
      case 2: (0, 255, rising)
      case 3: (0, falling, 255)
      case 4: (rising, 0, 255)
      default: (255, 0, falling)
      }
    // Pulled towards a middle grey: readable on light and on dark ground.
    let soft = { (channel: Int) in UInt32(channel * 5 / 8 + 48) }
    return soft(red) << 16 | soft(green) << 8 | soft(blue)
  }
}
