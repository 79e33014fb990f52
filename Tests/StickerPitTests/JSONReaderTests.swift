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

  /// Whatever bytes there are, they are a value or have a problem in one of their lines. A value
  /// that is written down is read as the same one, and what stands behind it is found.
  @Test func anyBytesAreAnswered() {
    var random = Chance(seed: 15)
    let letters = Array("{}[]\",:\\u0d8 \n/*-.1etrufalsn".utf8)
    let sound = Array("{\"a\": [1, -0.5, 8e3, null],\n \"\": {\"t\": \"\\u00e9\\n\"}} // x".utf8)
    var (values, problems) = (0, 0)
    for round in 0..<20_000 {
      var bytes = sound
      if round % 2 == 0 {
        bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
          letters.randomElement(using: &random) ?? 0
        }
      } else {
        for _ in 0..<Int.random(in: 0...2, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          bytes[place] = letters.randomElement(using: &random) ?? 0
        }
      }
      let lines = 1 + bytes.count { $0 == UInt8(ascii: "\n") }
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(JSONReader.Problem) {
        let value = try JSONReader.read(bytes)
        let again = try? JSONReader.read(Array(Self.written(value).utf8))
        #expect(again == value, "\(text)")
        let more = #expect(throws: JSONReader.Problem.self) { try read(text + "\nx") }
        #expect(
          more == JSONReader.Problem(line: lines + 1, words: "there is more after the end"),
          "\(text)")
        values += 1
      } catch {
        #expect((1...lines).contains(error.line) && !error.words.isEmpty, "\(text)")
        problems += 1
      }
    }
    // A third of the sound texts is as it was, and letters by chance are hardly ever a value.
    #expect(values > 3000 && problems > 8000, "\(values) values, \(problems) problems")
  }

  /// A value as JSON without comments.
  private static func written(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .toggle(let toggle): "\(toggle)"
    case .number(let number): number
    case .text(let text): quoted(text)
    case .array(let items): "[" + items.map(written).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { quoted($0.key) + ":" + written($0.value) }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    let letters = text.unicodeScalars.map { (scalar) -> String in
      let isPlain = scalar.value >= 0x20 && scalar != "\"" && scalar != "\\"
      guard !isPlain else { return String(Character(scalar)) }
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\"" + letters.joined() + "\""
  }
}
