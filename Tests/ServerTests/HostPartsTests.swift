import Foundation
import Testing
import Transport
import Wire

@testable import Server

/// The host's parts, each by itself.
@Suite struct HostPartsTests {
  private static let second: UInt64 = 1_000_000_000

  // MARK: The token

  /// Where a test's token files lie; goes with the test.
  private final class Folder {
    let path = NSTemporaryDirectory() + "token-\(UUID().uuidString)"

    init() {
      try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private let folder = Folder()

  private func file(_ text: String, mode: Int = 0o600) throws -> String {
    let path = folder.path + "/\(UUID().uuidString)"
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  @Test func theFirstLineIsTheToken() throws {
    for text in ["0123456789abcdef", "0123456789abcdef\n", "0123456789abcdef\r\nmore of it"] {
      let token = try HostToken(file: file(text))
      #expect(token.isShown(by: "Bearer 0123456789abcdef") && !token.isReadableByAll)
      #expect(
        token.isShown(by: token.authorization) && token.isShown(by: "bearer 0123456789abcdef"))
      for wrong in [
        "", "Bearer", "Bearer 0123456789abcde", "Bearer 0123456789abcdefg", "0123456789abcdef",
        "Basic 0123456789abcdef", "Bearer 0123456789abcdef more", "Bearer 0123456789ABCDEF",
      ] { #expect(!token.isShown(by: wrong), "\(wrong)") }
    }
    #expect(try HostToken(file: file("0123456789abcdef", mode: 0o644)).isReadableByAll)
    let longest = String(repeating: "x", count: 256)
    #expect(try HostToken(file: file(longest + "\n")).isShown(by: "Bearer " + longest))
  }

  @Test func whatIsNoTokenIsRefused() throws {
    func error(_ path: String) -> HostTokenError? {
      do throws(HostTokenError) { _ = try HostToken(file: path) } catch { return error }
      return nil
    }
    let (short, blank, long) = (
      try file("0123456789abcde\nrest"), try file("0123456789 abcdef"),
      try file(String(repeating: "x", count: 257))
    )
    #expect(error(short) == .tooShort(short, 15))
    #expect(error(blank) == .unprintable(blank))
    #expect(error(long) == .tooLong(long))
    let foreign = try file("0123456789abcdéf")
    #expect(error(foreign) == .unprintable(foreign))
    #expect(error("/") == .unreadable("/", reason: "it is a folder"))
    #expect(
      error("/nonexistent") == .unreadable("/nonexistent", reason: "No such file or directory"))
  }

  @Test func fiveWrongTokensAMinuteAreCounted() {
    var wrong = WrongTokens()
    func count(_ address: String, at second: UInt64) -> Int? {
      wrong.count(from: AddressPrefix(address), at: second * Self.second)
    }
    for index in 0..<5 { #expect(count("192.0.2.1", at: UInt64(index) * 2) == nil) }
    #expect(count("192.0.2.1", at: 10) == 50)
    #expect(count("2001:db8::1", at: 10) == nil)
    #expect(count("192.0.2.1", at: 60) == nil, "the first is a minute old")
    #expect(count("192.0.2.1", at: 60) == 2, "the second in two seconds")
  }

  // MARK: Bans

  @Test func bansEndByThemselvesAndHaveABound() {
    var bans = Bans()
    func add(_ address: String, minutes: Int, at second: UInt64 = 0) -> Bool {
      bans.add(AddressPrefix(address), address, minutes: minutes, at: second * Self.second)
    }
    func lift(_ address: String) -> Bool { bans.lift(AddressPrefix(address), at: 0) }
    let prefix = AddressPrefix("2001:db8::1")
    #expect(add("2001:db8::1", minutes: 2))
    #expect(bans.secondsLeft(of: AddressPrefix("2001:db8::ffff"), at: 1) == 120, "the whole /64")
    #expect(bans.secondsLeft(of: AddressPrefix("2001:db8:0:1::1"), at: 1) == nil)
    #expect(bans.secondsLeft(of: prefix, at: 119 * Self.second) == 1)
    #expect(bans.secondsLeft(of: prefix, at: 120 * Self.second) == nil)
    #expect(bans.all(at: 120 * Self.second).isEmpty)
    #expect(add("2001:db8::1", minutes: 1), "shorter now")
    #expect(bans.secondsLeft(of: prefix, at: 0) == 60)
    #expect(lift("2001:db8::1") && !lift("2001:db8::1"))
    for index in 0..<Bans.most {
      #expect(add("10.0.\(index / 256).\(index % 256)", minutes: 1 + index % 2))
    }
    #expect(!add("2001:db8::1", minutes: 1))
    #expect(add("10.0.0.0", minutes: 9), "there already")
    #expect(bans.all(at: 0).map(\.seconds) == bans.all(at: 0).map(\.seconds).sorted())
    #expect(add("2001:db8::1", minutes: 1, at: 60), "room again")
  }

  // MARK: The audit

  private func entry(_ act: String) -> HostAudit.Entry {
    HostAudit.Entry(time: 1_795_500_000_999, address: "::1", act: act, details: "", outcome: "")
  }

  @Test func triesPushNoActsOut() {
    var audit = HostAudit()
    for index in 0..<HostAudit.mostActs { audit.addAct(entry("\(index)")) }
    for _ in 0..<1000 { audit.addTry(entry("refused")) }
    #expect(audit.newest.count == HostAudit.mostActs + HostAudit.mostTries)
    #expect(audit.newest.count == 200)
    #expect(audit.newest.last?.act == "0")
    audit.addAct(entry("last"))
    #expect(audit.newest.first?.act == "last" && audit.newest.last?.act == "1")
    #expect(entry("").timeText == "2026-11-24T06:00:00Z")
  }

  @Test func whatIsShownBreaksNoLine() {
    #expect(HostAudit.shown("a\nb\u{202E}c\u{7}") == "a\u{FFFD}b\u{FFFD}c\u{FFFD}")
    #expect(HostAudit.shown(String(repeating: "x", count: 500)).count == HostAudit.mostDetails)
    #expect(HostText.json("a\"b\\c\n\u{1}é") == "\"a\\\"b\\\\c\\u000a\\u0001é\"")
  }

  // MARK: Parameters

  private func refusal(_ query: String, _ names: [String]) -> HostRefusal? {
    do throws(HostRefusal) { _ = try HostParameters(query, allowing: names) } catch {
      return error
    }
    return nil
  }

  @Test func queriesAreReadStrictly() throws {
    let read = try HostParameters(
      "person=5&name=A%20b+%C3%A9%2B&text", allowing: ["person", "name", "text"])
    #expect(read["person"] == "5" && read["name"] == "A b é+" && read["text"] == "")
    #expect(read["minutes"] == nil && read.details == "person=5 name=A b é+ text=")
    #expect(refusal("", []) == nil && refusal("&&", []) == nil)
    #expect(refusal("a=1&a=2", ["a"])?.text == "a is there twice")
    #expect(refusal("b=1", ["a"])?.text == "no parameter is called b: there are a")
    #expect(refusal("b=1", [])?.text == "no parameter is called b: there are none")
    for query in ["a=%", "a=%4", "a=%zz", "a=%ff", "a=%+1", "%C3=1"] {
      #expect(refusal(query, ["a"])?.text == "the query is not encoded properly", "\(query)")
    }
    #expect(refusal(String(repeating: "a&", count: 20), ["a"])?.status == 400)
  }

  @Test(arguments: ["", "-1", "+1", "301", "1.5", " 1", "99999999999999999999", "0x1"])
  func numbersMustBeInTheirRange(_ text: String) throws {
    let query = "percent=" + text.replacing("+", with: "%2B").replacing(" ", with: "%20")
    let read = try HostParameters(query, allowing: ["percent"])
    #expect(throws: HostRefusal(400, "percent must be 0 to 300, not '\(text)'")) {
      try read.neededNumber("percent", 0...300)
    }
    #expect(throws: HostRefusal(400, "minutes is missing")) {
      try read.neededNumber("minutes", 1...2)
    }
  }

  @Test func textsForOthersHaveSomethingToReadAndNoControls() {
    func problem(_ text: String) -> String? {
      do throws(HostRefusal) {
        try HostParameters.check(text, called: "name", bytes: 1...32)
      } catch { return error.text }
      return nil
    }
    #expect(problem("Anna 👩‍👩‍👧") == nil && problem(String(repeating: "é", count: 16)) == nil)
    #expect(problem("")?.contains("1 to 32 bytes") == true)
    #expect(problem(String(repeating: "é", count: 17))?.contains("not 34") == true)
    for bad in ["a\nb", "a\u{0}", "a\u{202E}b", "a\u{2028}b", "a\u{9b}b", "a\u{2066}"] {
      #expect(problem(bad) == "name must have no control characters")
    }
    #expect(problem("  \u{3000}") == "name must have something to read")
  }

  // MARK: People

  @Test func aRemovedPersonsTokenIsVoidAlsoWhereTokensFromBeforeCount() throws {
    let key = TokenKey(bytes: Array("a key that is kept".utf8), isKept: true)
    func people(_ wallClock: UInt64, _ until: UInt64) -> People {
      People(
        capacity: 8, takeOvers: TokenBucket(perSecond: 1, burst: 4), mint: TokenMint(key),
        wallClock: { wallClock }, othersCountUntil: until)
    }
    var before = people(1000, 0)
    let newcomer = before.newcomer(at: 0)
    let first = try #require(newcomer)
    var after = people(2000, 1000)
    #expect(after.mayReturn(first.token, at: 0))
    let returned = after.comeBack(first.token, at: 0)
    let back = try #require(returned)
    #expect(back.id == first.id)
    let voided = after.removed(back, from: AddressPrefix("192.0.2.1"), expires: 10)
    #expect(voided.token != back.token && voided.id == back.id)
    for now in [UInt64(1), 9, 11, 999, 1001] {
      #expect(!after.mayReturn(first.token, at: now))
      let again = after.comeBack(first.token, at: now)
      #expect(again == nil, "at \(now)")
    }
  }

  @Test func aRemovedPersonsNumberIsNotGivenAtOnce() throws {
    var people = People(
      capacity: 8, takeOvers: TokenBucket(perSecond: 1, burst: 4), mint: TokenMint(TokenKey()),
      wallClock: { 1000 })
    func newcomer(at now: UInt64) -> UInt16? { people.newcomer(at: now)?.id }
    let admitted = people.newcomer(at: 0)
    let first = try #require(admitted)
    _ = people.removed(first, from: AddressPrefix("192.0.2.1"), expires: 10)
    let again = people.comeBack(first.token, at: 1)
    #expect(again == nil)
    #expect(newcomer(at: 1) == first.id + 1)
    #expect(newcomer(at: 11) == first.id, "a minute later it is free")
  }
}
