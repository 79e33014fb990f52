import Wire

extension People {
  static func person(_ id: UInt16) -> Person {
    // The longest name has 20 bytes of 32; a test goes through all of them.
    Person(id: id, colour: colour(of: id), name: try! Name(name(of: id)))
  }

  private static let adjectives = [
    "Amber", "Bouncy", "Brave", "Breezy", "Bright", "Bubbly", "Calm", "Cheery", "Clever", "Cosy",
    "Curious", "Dapper", "Dizzy", "Eager", "Fluffy", "Frosty", "Gentle", "Giddy", "Golden", "Happy",
    "Jolly", "Keen", "Lively", "Lucky", "Mellow", "Merry", "Mighty", "Misty", "Nimble", "Peppy",
    "Plucky", "Polite", "Proud", "Quick", "Quiet", "Rosy", "Shiny", "Silky", "Silver", "Snug",
    "Sunny", "Swift", "Tidy", "Velvet", "Warm", "Wild", "Witty",
  ]
  private static let animals = [
    "Alpaca", "Badger", "Beaver", "Bison", "Bunny", "Camel", "Cat", "Cricket", "Crow", "Deer",
    "Dolphin", "Duck", "Falcon", "Ferret", "Finch", "Fox", "Gecko", "Goose", "Hamster", "Hare",
    "Hedgehog", "Heron", "Ibis", "Jackdaw", "Koala", "Lemur", "Llama", "Lynx", "Magpie", "Marmot",
    "Mole", "Moose", "Newt", "Otter", "Owl", "Panda", "Penguin", "Puffin", "Quail", "Raven",
    "Robin", "Seal", "Sloth", "Squirrel", "Stoat", "Swan", "Tapir", "Toad", "Turtle", "Walrus",
    "Wombat", "Wren", "Yak",
  ]

  /// A name for the number. The lists' lengths, 47 and 53, are prime and differ, so the first 2491
  /// numbers all get names of their own; later ones carry a figure as well.
  static func name(of id: UInt16) -> String {
    let number = Int(id) - 1
    let distinct = adjectives.count * animals.count
    let name =
      adjectives[number * 20 % adjectives.count] + " " + animals[number * 31 % animals.count]
    return number < distinct ? name : name + " \(number / distinct + 1)"
  }

  /// A colour for the number: hues a golden ratio apart, so that neighbours never look alike.
  static func colour(of id: UInt16) -> UInt32 {
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
