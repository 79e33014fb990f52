import Transport
import Wire

/// Somebody in the pit. Names and colours are the server's, so nobody types one.
struct Participant {
  let person: Person
  /// What a returning page shows to be the same person again.
  let token: SessionToken
  /// Commands received so far; it stamps the next one and goes on after a reconnect.
  var commands: UInt32 = 0
  /// How often others may show the token while its person is here.
  var takeOvers: TokenBucket

  var id: UInt16 { person.id }
}

/// Who may come back, and which numbers are free. Each call costs the same however many there are,
/// unless all numbers are taken.
///
/// A token is 128 bits from the system's generator of secrets. It is looked up in a dictionary,
/// which hashes it by SipHash with a key that changes with each start: what a lookup compares and
/// how long it takes tell nothing about how near a guess was.
struct People: Sendable {
  private var absent = AbsentPeople()
  /// Numbers that nobody has, the next one last.
  private var free: [UInt16]
  private let takeOvers: TokenBucket
  private let makeToken: @Sendable () -> SessionToken

  /// Most that there may be: each of them, and as many who may return, needs a number of 16 bits.
  static let mostPeople = 32_000

  /// - Parameters:
  ///   - capacity: how many may be here at a time, 1…`mostPeople`.
  ///   - takeOvers: what a person's token may be used for while the person is here.
  ///   - makeToken: gives a secret that nobody can guess.
  init(
    capacity: Int, takeOvers: TokenBucket,
    makeToken: @escaping @Sendable () -> SessionToken = { People.secretToken() }
  ) {
    precondition((1...Self.mostPeople).contains(capacity))
    // Absent people hold numbers too, as many as there may be connections. Number 0 is nobody.
    free = (1...UInt16(2 * capacity)).reversed()
    self.takeOvers = takeOvers
    self.makeToken = makeToken
  }

  /// A new person, or the one who left with this token; nil when all numbers are taken.
  /// - Parameter now: awake nanoseconds.
  mutating func admit(token: SessionToken?, at now: UInt64) -> Participant? {
    while let expired = absent.popExpired(at: now) { free.append(expired.id) }
    if let token, let returned = absent.remove(token) { return returned }
    if free.isEmpty, let dismissed = absent.popLongestOfLargest() { free.append(dismissed.id) }
    guard let id = free.popLast() else { return nil }
    return Participant(person: Self.person(id), token: makeToken(), takeOvers: takeOvers)
  }

  /// The connection of somebody of an address ended: the place is kept until `expires`, in awake
  /// nanoseconds, unless so many leave that there are no numbers for newcomers. Then an address
  /// with most people away loses the one who left first.
  mutating func left(_ participant: Participant, from address: AddressPrefix, expires: UInt64) {
    absent.insert(participant, of: address, expires: expires)
  }

  /// Departures that are remembered.
  var departureCount: Int { absent.departureCount }

  static func secretToken() -> SessionToken {
    var random = SystemRandomNumberGenerator()
    return SessionToken(low: random.next(), high: random.next())
  }
}
