import DequeModule
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

/// Who may come back, and which numbers are free. Each call costs the same however many there are.
///
/// A token is 128 bits from the system's generator of secrets. It is looked up in a dictionary,
/// which hashes it by SipHash with a key that changes with each start: what a lookup compares and
/// how long it takes tell nothing about how near a guess was.
struct People {
  private struct Absent {
    let participant: Participant
    let expires: UInt64
  }

  private var absent: [SessionToken: Absent] = [:]
  /// Who left, in that order. Who came back since is no longer in `absent`, or with a later expiry.
  private var departures: Deque<(token: SessionToken, expires: UInt64)> = []
  /// Numbers that nobody has, the next one last.
  private var free: [UInt16]
  private let takeOvers: TokenBucket
  private let makeToken: () -> SessionToken

  /// Most that there may be: each of them, and as many who may return, needs a number of 16 bits.
  static let mostPeople = 32_000

  /// - Parameters:
  ///   - capacity: how many may be here at a time, 1…`mostPeople`.
  ///   - takeOvers: what a person's token may be used for while the person is here.
  ///   - makeToken: gives a secret that nobody can guess.
  init(
    capacity: Int, takeOvers: TokenBucket,
    makeToken: @escaping () -> SessionToken = People.secretToken
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
    expire(at: now)
    if let token, let returned = absent.removeValue(forKey: token) { return returned.participant }
    if free.isEmpty { dismissLongestAbsent() }
    guard let id = free.popLast() else { return nil }
    return Participant(person: Self.person(id), token: makeToken(), takeOvers: takeOvers)
  }

  /// Somebody's connection ended: the place is kept until `expires`, in awake nanoseconds.
  mutating func left(_ participant: Participant, expires: UInt64) {
    absent[participant.token] = Absent(participant: participant, expires: expires)
    departures.append((participant.token, expires))
    // Who comes and goes all the time leaves departures behind that nobody needs any more.
    if departures.count > 2 * absent.count + 64 {
      departures.removeAll { absent[$0.token]?.expires != $0.expires }
    }
  }

  private mutating func expire(at now: UInt64) {
    while let first = departures.first, first.expires <= now { dismissFirst() }
  }

  /// Everybody's number is taken: the one who has been away longest gives way.
  private mutating func dismissLongestAbsent() {
    while free.isEmpty, !departures.isEmpty { dismissFirst() }
  }

  /// Forgets the first departure, and its person unless that one is back or left anew since.
  private mutating func dismissFirst() {
    let first = departures.removeFirst()
    guard let entry = absent[first.token], entry.expires == first.expires else { return }
    absent[first.token] = nil
    free.append(entry.participant.id)
  }

  /// Departures that are remembered.
  var departureCount: Int { departures.count }

  static func secretToken() -> SessionToken {
    var random = SystemRandomNumberGenerator()
    return SessionToken(low: random.next(), high: random.next())
  }
}
