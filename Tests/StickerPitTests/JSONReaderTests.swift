import SeededChance
import Testing

@testable import stickerpit

/// JSON with comments: what is taken, and where what is not goes wrong.
@Suite struct JSONReaderTests {
  private func read(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)) }

  @Test func everyKindOfValueIsRead() throws {
    let text = """
      // a pit
      { "a" : [ true,false, null, -0.5, 8e3, 18446744073709551615, ],
        /* and
           more */
        "b": {}, "": "\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00é", // the end
      }

      """
    let list: [JSONValue] = [
      .toggle(true), .toggle(false), .null, .number("-0.5"), .number("8000"),
      .number("18446744073709551615"),
    ]
    #expect(
      try read(text)
        == .object([
          "a": .array(list), "b": .object([:]),
          "": .text("\"\\/\u{8}\u{c}\n\r\té😀é"),
        ]))
  }

  @Test(arguments: [
    ("", 1, "the file ends too early"), ("{\n\"a\":", 2, "the file ends too early"),
    ("{\"a\":1\n\"b\":2}", 2, "a comma or } is missing after 'a'"),
    ("{\"a\":1,\n\"a\":2}", 2, "'a' is there twice"), ("{a:1}", 1, "a name in quotes is missing"),
    ("{\"a\" 1}", 1, "a colon is missing after 'a'"), ("[1 2]", 1, "a comma or ] is missing"),
    ("{\"a\":b}", 1, "'b' is no value"), ("{\"a\":}", 1, "a value is missing"),
    ("[inf]", 1, "'inf' is no value"), ("[nan]", 1, "'nan' is no value"),
    ("[0x10]", 1, "'0x10' is no value"), ("[+1]", 1, "'+1' is no value"),
    ("{} x", 1, "there is more after the end"), ("/* x", 1, "a comment has no end"),
    ("\"a\nb\"", 1, "a text has no closing quote"), ("\"a", 1, "a text has no closing quote"),
    ("\"\\x\"", 1, "an escape is broken"), ("\"\\ud83d\"", 1, "an escape is broken"),
    ("\"\\u12", 1, "an escape is broken"), ("\"\\", 1, "an escape is broken"),
    (String(repeating: "[", count: 1000), 1, "too many objects"),
  ])
  func theLineOfAMistakeIsTold(_ text: String, _ line: Int, _ words: String) throws {
    let problem = #expect(throws: JSONReader.Problem.self) { try read(text) }
    #expect(problem?.line == line)
    #expect(problem?.words.hasPrefix(words) == true, "\(problem?.words ?? "")")
  }

  @Test func whatIsNoTextIsRefused() {
    #expect(throws: JSONReader.Problem.self) { try JSONReader.read([0x22, 0xFF, 0x22]) }
  }

  /// Whatever bytes there are: a value or a problem, and no trap.
  @Test func anyBytesAreAnswered() {
    var random = Chance(seed: 15)
    let letters = Array("{}[]\",:\\u0d8 \n/*-.1etrufalsn".utf8)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? 0
      }
      _ = try? JSONReader.read(bytes)
    }
  }
}
