/// Somebody in the pit. Names and colours are the server's, so nobody types one.
struct Person {
  let id: UInt16
  let name: String
  /// 0xRRGGBB.
  let colour: UInt32
  /// What a returning page shows to be the same person again.
  let token: [UInt8]
  /// Commands received so far; it stamps the next one and goes on after a reconnect.
  var commands: UInt32 = 0
}

/// Who is here, and who may come back.
struct People {
  private struct Absent {
    let person: Person
    let expires: UInt32
  }

  private var absent: [Absent] = []
  /// Which numbers are taken, by somebody here or by somebody who may return.
  private var taken: [Bool]
  private var makeToken: () -> [UInt8]

  /// - Parameter makeToken: gives 16 bytes that nobody can guess.
  init(capacity: Int, makeToken: @escaping () -> [UInt8] = People.secretToken) {
    precondition(capacity > 0 && capacity < Int(UInt16.max))
    // Absent people hold numbers too, as many as there may be connections.
    taken = Array(repeating: false, count: min(2 * capacity, Int(UInt16.max)) + 1)
    taken[0] = true  // number 0 is nobody
    self.makeToken = makeToken
  }

  /// A new person, or the one who left with this token.
  mutating func admit(token: [UInt8], tick: UInt32) -> Person? {
    expire(at: tick)
    if let index = absent.firstIndex(where: { $0.person.token == token }) {
      return absent.remove(at: index).person
    }
    guard let number = taken.firstIndex(of: false) ?? makeRoom() else { return nil }
    taken[number] = true
    let id = UInt16(number)
    return Person(id: id, name: Self.name(of: id), colour: Self.colour(of: id), token: makeToken())
  }

  /// Somebody's connection ended: the place is kept until the tick `expires`.
  mutating func left(_ person: Person, expires: UInt32) {
    absent.append(Absent(person: person, expires: expires))
  }

  private mutating func expire(at tick: UInt32) {
    // In the order of leaving, so the expired ones stand first.
    let gone = absent.prefix { Int32(bitPattern: tick &- $0.expires) >= 0 }
    for entry in gone { taken[Int(entry.person.id)] = false }
    absent.removeFirst(gone.count)
  }

  /// Everybody's number is taken: the one who has been away longest gives way.
  private mutating func makeRoom() -> Int? {
    absent.isEmpty ? nil : Int(absent.removeFirst().person.id)
  }

  static func secretToken() -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<2).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
  }
}
