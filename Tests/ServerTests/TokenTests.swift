import Foundation
import Testing
import Transport
import Wire

@testable import Server

/// Tokens that are known by their bytes alone.
@Suite struct TokenTests {
  private static let key = TokenKey(bytes: Array("a key that both servers have".utf8), isKept: true)
  private static let minute: UInt64 = 60_000_000_000
  private let mint = TokenMint(TokenTests.key)

  private func people(at milliseconds: UInt64, capacity: Int = 8, _ key: TokenKey = key) -> People {
    People(
      capacity: capacity, takeOvers: TokenBucket(perSecond: 1, burst: 4), mint: TokenMint(key),
      wallClock: { milliseconds }, othersCountUntil: key.isKept ? Self.minute : 0)
  }

  private func admit(
    _ people: inout People, _ token: SessionToken? = nil, at now: UInt64 = 0
  ) throws -> PersonRecord {
    let admitted = people.admit(token: token, at: now)
    return try #require(admitted)
  }

  @Test func aTokenSaysWhoseItIsAndNoOtherBytesDo() {
    let content = TokenMint.Content(number: 0x1234, made: 0x4567_89AB_CDEF)
    let token = mint.token(content)
    #expect(mint.content(of: token) == content)
    #expect((0..<8).map { token.byte(at: $0) } == [0x34, 0x12, 0xEF, 0xCD, 0xAB, 0x89, 0x67, 0x45])
    for bit in 0..<128 {
      let (low, high): (UInt64, UInt64) =
        bit < 64 ? (1 << UInt64(bit), 0) : (0, 1 << UInt64(bit - 64))
      let other = SessionToken(low: token.low ^ low, high: token.high ^ high)
      #expect(mint.content(of: other) == nil, "bit \(bit)")
    }
    #expect(TokenMint(TokenKey()).content(of: token) == nil)
  }

  /// RFC 4231's first two cases.
  @Test func theSumIsThatOfTheStandard() {
    func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
    let first = KeyedHash(key: [UInt8](repeating: 0x0B, count: 20)).sum(Array("Hi There".utf8))
    #expect(hex(first) == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    let second = KeyedHash(key: Array("Jefe".utf8)).sum(Array("what do ya want for nothing?".utf8))
    #expect(hex(second) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(KeyedHash.areEqual(first, first) && !KeyedHash.areEqual(first, second))
    #expect(!KeyedHash.areEqual(first, Array(first.prefix(10))))
  }

  @Test func everybodyComesBackToTheNextServer() throws {
    var before = people(at: 1000)
    let crowd = try (0..<8).map { _ in try admit(&before) }
    var after = people(at: 1001)
    for one in crowd.reversed() {
      let back = try admit(&after, one.token, at: Self.minute - 1)
      #expect(back.identity == one.identity && back.token == one.token && back.isFromBefore)
    }
    // Whoever has the same token finds its person there.
    let second = after.admit(token: crowd[0].token, at: Self.minute - 1)
    #expect(second?.identity != crowd[0].identity)
  }

  @Test func notForeverAndNotWithoutTheKey() throws {
    var before = people(at: 1000)
    let somebody = try admit(&before)
    var after = people(at: 1001)
    #expect(try admit(&after, somebody.token, at: Self.minute).token != somebody.token)
    var other = people(at: 1001, TokenKey())
    #expect(try admit(&other, somebody.token).token != somebody.token)
    // Nor does a server forget that a place was kept long enough.
    var same = people(at: 1000)
    let first = try admit(&same)
    same.left(first, from: AddressPrefix("192.0.2.1"), expires: 10)
    #expect(try admit(&same, first.token, at: 20).token != first.token)
  }

  /// A server doesn't know who may come back: its first newcomers get numbers that the one before
  /// can't have given, also if that was a new one itself.
  @Test(arguments: [300, 2000] as [UInt64]) func newcomersTakeNobodysNumber(pause: UInt64) throws {
    var given: [PersonRecord] = []
    for start in UInt64(0)..<5 {
      var server = people(at: 1000 + start * pause, capacity: 100)
      let newcomers = try (0..<15).map { _ in try admit(&server) }
      #expect(newcomers.allSatisfy { $0.id > 200 })
      for one in given.shuffled() {
        #expect(try admit(&server, one.token).identity == one.identity)
      }
      given += newcomers
    }
    #expect(Set(given.map(\.id)).count == 75)
    var settled = people(at: 2000, capacity: 100)
    let later = try (0..<100).map { _ in try admit(&settled, at: Self.minute) }
    #expect(Set(later.map(\.id)) == Set(1...100))
  }

  /// Should both begin with the same number, nobody else loses theirs by it.
  @Test(arguments: [1, 40]) func lostNumbersCostNobodyElseTheirs(newcomers: Int) throws {
    var before = people(at: 1000, capacity: 4096)
    let crowd = try (0..<400).map { _ in try admit(&before) }
    var after = people(at: 1010, capacity: 4096)
    let new = try (0..<newcomers).map { _ in try admit(&after) }
    #expect(new[0].identity == crowd[0].identity, "or this test shows nothing")
    let back = try crowd.map { try admit(&after, $0.token) }
    let lost = zip(crowd, back).filter { $0.identity != $1.identity }
    #expect(lost.count == newcomers)
    #expect(Set((back + new).map(\.id)).count == 400 + newcomers)
  }

  @Test(arguments: [1, 4096, 10_000, 32_000])
  func serversThatAreStartedSoonAfterEachOtherBeginApart(connections: Int) {
    let span = 65_535 - 2 * connections
    for first in stride(from: UInt64(1_760_000_000_000), to: 1_760_000_090_000, by: 300) {
      let place = Numbers.start(in: span, began: first)
      #expect((0..<span).contains(place))
      for later in stride(from: first + 50, to: first + 60_000, by: 50) {
        let gap = abs(place - Numbers.start(in: span, began: later))
        let least = later <= first + 1000 ? span / 30 : span / 2300
        #expect(min(gap, span - gap) >= least - 1, "\(first), \(later)")
      }
    }
  }

  @Test func aNumberIsOnePersonsWhateverTheOrder() throws {
    var server = people(at: 1000, capacity: 2)
    let old = TokenMint.Content(number: 2, made: 900)
    let back = try admit(&server, mint.token(old))
    #expect(back.id == 2)
    // Another token of that number, perhaps of somebody who had it before.
    let other = try admit(&server, mint.token(.init(number: 2, made: 800)))
    #expect(other.id != 2)
    server.left(back, from: AddressPrefix("192.0.2.1"), expires: 50)
    let settled = try (0..<3).map { _ in try admit(&server, at: Self.minute) }
    #expect(Set(settled.map(\.id)).isSubset(of: 1...4) && Set(settled.map(\.id)).count == 3)
    #expect(server.admit(token: nil, at: Self.minute) == nil)
  }

  @Test func tokensOfANumberDiffer() throws {
    var server = people(at: 1000, capacity: 1)
    var tokens: Set<SessionToken> = []
    for round in UInt64(0)..<20 {
      let one = try admit(&server, at: round)
      tokens.insert(one.token)
      server.left(one, from: AddressPrefix("192.0.2.1"), expires: round)
    }
    #expect(tokens.count == 20)
  }

  // MARK: The file

  private func file(_ bytes: Int, mode: Int) throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    FileManager.default.createFile(
      atPath: path, contents: Data(repeating: 7, count: bytes),
      attributes: [.posixPermissions: mode])
    return path
  }

  @Test func aFileOfTheRightSizeIsAKey() throws {
    for (bytes, mode) in [(32, 0o600), (4096, 0o644)] {
      let path = try file(bytes, mode: mode)
      defer { try? FileManager.default.removeItem(atPath: path) }
      let key = try TokenKey(file: path)
      #expect(key.bytes.count == bytes && key.isKept)
      #expect(key.isReadableByAll == (mode == 0o644))
    }
    for (bytes, problem) in [(0, "needs 32"), (31, "needs 32"), (4097, "more than 4096")] {
      let path = try file(bytes, mode: 0o600)
      defer { try? FileManager.default.removeItem(atPath: path) }
      let error = #expect(throws: TokenKeyError.self) { try TokenKey(file: path) }
      #expect(error?.description.contains(problem) == true)
    }
    for path in ["/nowhere/token.key", "/tmp"] {
      let error = #expect(throws: TokenKeyError.self) { try TokenKey(file: path) }
      #expect(error?.description.contains("can't be read") == true)
    }
  }
}
