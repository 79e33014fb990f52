import Testing

@testable import Server

/// The letters by which people join.
@Suite struct JoinCodeTests {
  @Test func itFollowsFromTheKey() {
    let key = TokenKey(bytes: Array(0..<32), isKept: true)
    #expect(JoinCode(key) == JoinCode(key))
    let codes = Set((0..<50).map { _ in JoinCode(TokenKey()).text })
    // Twenty letters in four places: two of fifty are the same once in 130 times.
    #expect(codes.count >= 48)
    #expect(codes.allSatisfy { $0.count == 4 && $0.allSatisfy(JoinCode.letters.contains) })
  }

  @Test func onlyItsOwnLettersLeadToThePage() {
    let code = JoinCode(TokenKey(bytes: Array(0..<32), isKept: true))
    #expect(code.answer(to: "/j/\(code.text.lowercased())")?.status == 302)
    #expect(code.answer(to: "/j/")?.status == 404)
    #expect(code.answer(to: "/j/\(code.text)/")?.status == 404)
    #expect(code.answer(to: "/jam") == nil && code.answer(to: "/") == nil)
    // In both languages of the page, which has not been asked for yet.
    let words = String(decoding: code.answer(to: "/j/")?.body ?? [], as: UTF8.self)
    #expect(words.contains("This pit has another code") && words.contains("贴纸池的代码不是这个"))
    #expect(words.hasSuffix("。\n"))
  }
}
