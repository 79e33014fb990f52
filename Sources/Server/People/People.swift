import TickLog
import Transport
import Wire

/// Somebody in the pit. Names and colours are the server's, so nobody types one but the host.
struct PersonRecord {
  var identity: Person
  /// Whether the host hid the name.
  var isHidden = false
  /// What a returning page shows to be the same person again.
  var token: SessionToken
  /// Commands received so far; it stamps the next one and goes on after a reconnect.
  var commands: UInt32 = 0
  /// How often others may show the token while its person is here.
  var takeOvers: TokenBucket
  /// Whether the token was made by the server before, whose world was another one, and nobody has
  /// been welcomed with it here yet.
  var isFromBefore = false
  /// Whether it only looks on, as its last hello said: then it is neither counted nor listed.
  var isWatching = false

  var id: UInt16 { identity.id }
}

/// Who may come back, and which numbers are free. Each call costs the same however many there are,
/// unless all numbers are taken.
///
/// Tokens are signed (`TokenMint`). One of this server counts while its person is here or may come
/// back. One of the server before, with the same key, counts in the first minute of this one: then
/// nobody knows any more who was there, and whoever was may come back.
struct People: Sendable {
  private var absent = AbsentPeople()
  private var numbers: Numbers
  private let takeOvers: TokenBucket
  private let mint: TokenMint
  /// Milliseconds since 1970.
  private let wallClock: @Sendable () -> UInt64
  /// When this server was started, in milliseconds since 1970: every token made later is its own.
  private let began: UInt64
  /// Until when tokens of the server before count, in awake nanoseconds.
  private let othersCountUntil: UInt64
  /// When the last token for a number was made: no two are alike.
  private var lastMade: [UInt16: UInt64] = [:]
  /// Tokens of people who were removed while tokens of the server before counted: these do not.
  /// Each was an act of the host in a server's first minute.
  private var void: Set<SessionToken> = []

  /// Most that there may be: each of them, and as many who may return, needs a number of 16 bits.
  static let mostPeople = 32_000

  /// - Parameters:
  ///   - capacity: how many may be here at a time, 1…`mostPeople`.
  ///   - takeOvers: what a person's token may be used for while the person is here.
  ///   - mint: makes the tokens.
  ///   - wallClock: milliseconds since 1970.
  ///   - othersCountUntil: until when tokens count that a server before made with the same key, in
  ///     awake nanoseconds; 0 where there was none.
  ///   - usesBlocks: whether numbers are those of blocks, because servers share the world.
  init(
    capacity: Int, takeOvers: TokenBucket, mint: TokenMint,
    wallClock: @escaping @Sendable () -> UInt64, othersCountUntil: UInt64 = 0,
    usesBlocks: Bool = false
  ) {
    precondition((1...Self.mostPeople).contains(capacity))
    began = wallClock()
    // Absent people hold numbers too, as many as there may be connections. Number 0 is nobody.
    numbers = usesBlocks ? Numbers() : Numbers(bound: 2 * capacity, began: began)
    self.takeOvers = takeOvers
    self.mint = mint
    self.wallClock = wallClock
    self.othersCountUntil = othersCountUntil
  }

  /// A new person, or the one who left with this token; nil when all numbers are taken.
  /// - Parameter now: awake nanoseconds.
  mutating func admit(token: SessionToken?, at now: UInt64) -> PersonRecord? {
    token.flatMap { comeBack($0, at: now) } ?? newcomer(at: now)
  }

  /// The one who left with this token; nil if nobody did, or too long ago.
  /// - Parameter now: awake nanoseconds.
  mutating func comeBack(_ token: SessionToken, at now: UInt64) -> PersonRecord? {
    giveBackExpired(at: now)
    guard let content = mint.content(of: token) else { return nil }
    if let returned = absent.remove(token) { return returned }
    guard now < othersCountUntil, content.made <= began, !void.contains(token) else { return nil }
    makeRoom()
    guard numbers.take(content.number) else {
      numbers.leaveRange(of: content.number)
      return nil
    }
    return PersonRecord(
      identity: Self.person(content.number), token: token, takeOvers: takeOvers,
      isFromBefore: true)
  }

  /// A new person; nil when all numbers are taken.
  /// - Parameter now: awake nanoseconds.
  mutating func newcomer(at now: UInt64) -> PersonRecord? {
    giveBackExpired(at: now)
    makeRoom()
    guard let number = numbers.take(beyond: now < othersCountUntil) else { return nil }
    return PersonRecord(
      identity: Self.person(number), token: makeToken(for: number), takeOvers: takeOvers)
  }

  /// Whether there are few numbers left for newcomers.
  var needsNumbers: Bool { numbers.needsMore }

  /// From now on newcomers get a block's numbers.
  mutating func add(_ block: NumberBlock) { numbers.add(block) }

  /// From now on nobody new gets a block's numbers.
  mutating func remove(_ block: NumberBlock) { numbers.remove(block) }

  /// Whoever left with a number of a block can't come back as the same person.
  mutating func lose(_ block: NumberBlock) {
    for person in absent.removeAll(in: block) { numbers.giveBack(person.id) }
  }

  private mutating func giveBackExpired(at now: UInt64) {
    while let expired = absent.popExpired(at: now) { numbers.giveBack(expired.id) }
    if !void.isEmpty, now >= othersCountUntil { void = [] }
  }

  private mutating func makeRoom() {
    guard numbers.areGone, let dismissed = absent.popLongestOfLargest() else { return }
    numbers.giveBack(dismissed.id)
  }

  /// Somebody who was here before the server was started may come back until `expires`, in awake
  /// nanoseconds. They must come in the order in which their times are over.
  mutating func expect(_ person: LoggedPerson, until expires: UInt64) {
    // With another key the token is worth nothing.
    guard mint.content(of: person.token)?.number == person.number, numbers.take(person.number)
    else { return }
    absent.insert(
      PersonRecord(
        identity: Self.person(person.number), token: person.token, commands: person.commands,
        takeOvers: takeOvers, isFromBefore: true),
      of: .unknown, expires: expires)
  }

  /// Whether somebody who left would be back with this token.
  func mayReturn(_ token: SessionToken, at now: UInt64) -> Bool {
    if absent.contains(token) { return true }
    guard now < othersCountUntil, let content = mint.content(of: token) else { return false }
    return content.made <= began && !void.contains(token) && !numbers.isTaken(content.number)
  }

  private mutating func makeToken(for number: UInt16) -> SessionToken {
    let made = max(wallClock(), began &+ 1, lastMade[number].map { $0 &+ 1 } ?? 0)
    lastMade[number] = made
    return mint.token(.init(number: number, made: made))
  }

  /// The connection of somebody of an address ended: the place is kept until `expires`, in awake
  /// nanoseconds, unless so many leave that there are no numbers for newcomers. Then an address
  /// with most people away loses the one who left first.
  mutating func left(_ person: PersonRecord, from address: AddressPrefix, expires: UInt64) {
    absent.insert(person, of: address, expires: expires)
  }

  /// The connection of somebody whom the host removed ended. The token is void, for good. The
  /// number is kept as it is for anybody who left, under a token that nobody is told: whoever comes
  /// next, perhaps the same human being, is not taken for the one who was removed.
  /// - Returns: the person with that token.
  mutating func removed(
    _ person: PersonRecord, from address: AddressPrefix, expires: UInt64
  ) -> PersonRecord {
    if othersCountUntil > 0 { void.insert(person.token) }
    var person = person
    person.token = makeToken(for: person.id)
    absent.insert(person, of: address, expires: expires)
    return person
  }

  /// Entries of people who left, void ones too.
  var absentEntries: Int { absent.entryCount }
}

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
