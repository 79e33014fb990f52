import Simulation
import Testing

@testable import Server

/// Which words bring what.
@Suite struct KeywordListTests {
  @Test(arguments: [
    ("生日快乐", Sticker.cake), ("祝你生日快乐！", Sticker.cake), ("happy birthday", Sticker.cake),
    ("HAPPY BIRTHDAY, Anna", Sticker.cake), ("Happy\tbirthday", Sticker.cake),
    ("ｈａｐｐｙ　ｂｉｒｔｈｄａｙ", Sticker.cake), ("天冷了", Sticker.snow),
    ("今天冷了，多穿点", Sticker.snow), ("It is So Cold!", Sticker.snow), ("so cold", Sticker.snow),
  ])
  func theUsualPhrasesAreFoundInSentences(_ words: String, _ kind: UInt8) {
    #expect(KeywordList.standard.sticker(in: words) == kind)
  }

  @Test(arguments: [
    "", "birthday", "生日", "also cold", "so colder", "happy birth day", "天冷", "unhappy birthday",
  ])
  func otherWordsMeanNothing(_ words: String) {
    #expect(KeywordList.standard.sticker(in: words) == nil)
  }

  @Test func aListTakesThePlaceOfTheUsualOne() throws {
    let list = try KeywordList(lines: [
      "# for the party", "", "Guten Appetit = pizza", "a=b = CAT", "萌=cat",
    ])
    #expect(list.sticker(in: "na dann, guten appetit") == 3)
    #expect(list.sticker(in: "if a=b then") == 6)
    #expect(list.sticker(in: "好萌啊") == 6)
    #expect(list.sticker(in: "so cold") == nil)
  }

  @Test func theFirstPhraseOfTheListDecides() throws {
    let list = try KeywordList(lines: ["ice cream=donut", "ice=snow"])
    #expect(list.sticker(in: "ice cream") == 4)
    #expect(list.sticker(in: "nice ice") == Sticker.snow)
  }

  @Test func phrasesAreToldAsTheyWereWritten() throws {
    #expect(KeywordList.standard.phrases == ["happy birthday", "so cold", "生日快乐", "天冷了"])
    let list = try KeywordList(lines: ["Guten  Appetit = pizza", "# no", "ＭＯＩＮ=cat"])
    #expect(list.phrases == ["Guten  Appetit", "ＭＯＩＮ"])
    #expect(list.kinds == [3, 6])
    #expect(list.sticker(in: "moin moin") == 6)
  }

  @Test func badListsAreRefusedWithTheLine() {
    #expect(throws: KeywordError.noSticker(line: 2)) {
      try KeywordList(lines: ["a=cat", "merry christmas"])
    }
    #expect(throws: KeywordError.noPhrase(line: 1)) { try KeywordList(lines: [" = cat"]) }
    #expect(throws: KeywordError.unknownSticker("dragon", line: 1)) {
      try KeywordList(lines: ["fire=dragon"])
    }
    #expect(throws: KeywordError.longPhrase(line: 1)) {
      try KeywordList(lines: [String(repeating: "x", count: 65) + "=cat"])
    }
    #expect(throws: KeywordError.tooMany(257)) {
      try KeywordList(lines: (0..<257).map { "word\($0)=cat" })
    }
    let message = KeywordError.unknownSticker("dragon", line: 1).description
    #expect(message.contains("dragon") && message.contains("cake") && message.contains("snow"))
  }

  /// Nothing that anybody says takes long: at most as many comparisons as its bytes times the
  /// longest phrase's, twice; and next to none for words that have nothing to do with the list.
  @Test func lookingCostsLittleWhateverIsSaid() throws {
    let many = 0..<KeywordList.mostPhrases
    let shared = try KeywordList(
      lines: many.map {
        String(repeating: "天", count: 20) + String(0xA000 + $0, radix: 16) + "=cat"
      })
    let nested = try KeywordList(
      lines: many.map { String(repeating: "1", count: 64 - $0 % 64) + "=cat" })
    let ordinary = try KeywordList(lines: many.map { "phrase number \($0)=cat" })
    let sayings = [
      String(repeating: "天", count: 21), String(repeating: "1", count: 64),
      String(repeating: "p ", count: 32), String(repeating: "phrase n", count: 8),
    ]
    let most = 2 * 64 * KeywordList.longestPhrase
    for list in [shared, nested, ordinary] {
      for saying in sayings { #expect(list.search(saying).comparisons < most) }
      #expect(list.search("Hello everybody, what a fine evening it is!").comparisons < 200)
    }
    #expect(shared.sticker(in: sayings[0] + "a0ff") == 6)
    #expect(nested.search(sayings[1]).place == 0)
  }

  @Test func accentsBelongToTheirLetters() throws {
    let list = try KeywordList(lines: ["cafe=donut", "x=cat"])
    #expect(list.sticker(in: "Café") == nil)
    #expect(list.sticker(in: "cafe\u{301}") == nil)
    #expect(list.sticker(in: "x\u{302}") == nil)
    #expect(list.sticker(in: "ax") == nil)
    #expect(list.sticker(in: "2x!") == 6)
  }

  @Test func everyStickerOfTheListCanFall() {
    for (kind, name) in KeywordList.stickers.enumerated() where name != nil {
      #expect(Sticker.falls(kind: UInt8(kind)))
    }
  }
}
