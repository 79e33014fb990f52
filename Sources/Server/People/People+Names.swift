import Wire

extension People {
  static func person(_ id: UInt16) -> Person {
    // The longest name has 20 bytes of 32; a test goes through all of them.
    Person(id: id, colour: Person.colour(of: id), name: try! Name(name(of: id)))
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
}
