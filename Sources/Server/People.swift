import Wire

/// Somebody in the pit. Names and colours are the server's, so nobody types one.
struct Participant {
  let person: Person
  /// What a returning page shows to be the same person again.
  let token: SessionToken
  /// Commands received so far; it stamps the next one and goes on after a reconnect.
  var commands: UInt32 = 0

  var id: UInt16 { person.id }
}

/// Who is here, and who may come back.
struct People {
  private struct Absent {
    let participant: Participant
    let expires: UInt32
  }

  private var absent: [Absent] = []
  /// Which numbers are taken, by somebody here or by somebody who may return.
  private var taken: [Bool]
  private var makeToken: () -> SessionToken

  /// - Parameter makeToken: gives a secret that nobody can guess.
  init(capacity: Int, makeToken: @escaping () -> SessionToken = People.secretToken) {
    precondition(capacity > 0 && capacity < Int(UInt16.max))
    // Absent people hold numbers too, as many as there may be connections.
    taken = Array(repeating: false, count: min(2 * capacity, Int(UInt16.max)) + 1)
    taken[0] = true  // number 0 is nobody
    self.makeToken = makeToken
  }

  /// A new person, or the one who left with this token.
  mutating func admit(token: SessionToken?, tick: UInt32) -> Participant? {
    expire(at: tick)
    if let token, let index = absent.firstIndex(where: { $0.participant.token == token }) {
      return absent.remove(at: index).participant
    }
    guard let number = taken.firstIndex(of: false) ?? makeRoom() else { return nil }
    taken[number] = true
    let id = UInt16(number)
    return Participant(person: Self.person(id), token: makeToken())
  }

  /// Somebody's connection ended: the place is kept until the tick `expires`.
  mutating func left(_ participant: Participant, expires: UInt32) {
    absent.append(Absent(participant: participant, expires: expires))
  }

  private mutating func expire(at tick: UInt32) {
    // In the order of leaving, so the expired ones stand first.
    let gone = absent.prefix { Int32(bitPattern: tick &- $0.expires) >= 0 }
    for entry in gone { taken[Int(entry.participant.id)] = false }
    absent.removeFirst(gone.count)
  }

  /// Everybody's number is taken: the one who has been away longest gives way.
  private mutating func makeRoom() -> Int? {
    absent.isEmpty ? nil : Int(absent.removeFirst().participant.id)
  }

  static func secretToken() -> SessionToken {
    var random = SystemRandomNumberGenerator()
    return SessionToken(low: random.next(), high: random.next())
  }
}
