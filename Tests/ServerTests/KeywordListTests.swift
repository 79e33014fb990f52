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

  @Test func everyStickerOfTheListCanFall() {
    for (kind, name) in KeywordList.stickers.enumerated() where name != nil {
      #expect(Sticker.falls(kind: UInt8(kind)))
    }
  }
}
