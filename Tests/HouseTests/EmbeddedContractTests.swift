import Foundation
import Testing

/// What the deterministic core may not use (the determinism contract in ARCHITECTURE.md): it would
/// not link into the page's module, or not give the same bits on every machine.
@Suite struct EmbeddedContractTests {
  static let modules = [
    "Determinism", "Physics", "PhysicsScenes", "Dynamics", "DynamicsScenes", "Wire", "Simulation",
    "PageModule", "BenchModule",
  ]

  /// A word the core may not contain, and why.
  static var forbidden: [(pattern: Regex<Substring>, why: String)] {
    [
      (/\bweak\b/, "weak references need the full runtime"),
      (/\bCodable\b|\bEncodable\b|\bDecodable\b/, "Codable needs reflection"),
      (/\bDictionary\b|\[\w+\s*:\s*\w+\]\s*(?:=|\(|\{)/, "dictionaries have no fixed order"),
      (/\bSet\s*</, "sets have no fixed order"),
      (/\bthrows\b(?!\s*\()/, "untyped throws allocates an existential"),
      (/\bany\s+(?!AnyObject\b)[A-Z]/, "existentials of values need the full runtime"),
      (/\\\.\w+/, "key paths need the full runtime"),
      (/\b(?:sin|cos|tan|atan|atan2|exp|exp2|log|log2|pow|fmod|hypot)\s*\(/, "libm differs"),
      (/\.addingProduct\(|\.addProduct\(|\bfma\(/, "fused products round differently"),
      (/\b(?:sinh|cosh|cbrt|remainder|truncatingRemainder)\s*\(/, "library arithmetic differs"),
      (/\.(?:random|shuffled?)\s*\(/, "the seeded generator is the only source of chance"),
      (/\b(?:clock_gettime|gettimeofday|ContinuousClock|SuspendingClock|Date)\b/, "no clock"),
      (/\bObjectIdentifier\b/, "addresses differ from run to run"),
      (/\bString\(describing|\bprint\s*\(/, "no text in the core"),
    ]
  }

  /// Simple word boundaries: Unicode's take `a.b` for one word.
  private func finds(_ pattern: Regex<Substring>, in line: String) -> Bool {
    line.firstMatch(of: pattern.wordBoundaryKind(.simple)) != nil
  }

  @Test(arguments: modules) func keepsToTheContract(_ module: String) throws {
    let files = try SourceTree().files(below: "Sources/\(module)", extensions: ["swift"])
    #expect(!files.isEmpty)
    for file in files {
      for (number, line) in Self.compiledCode(file.code).enumerated() {
        for rule in Self.forbidden where finds(rule.pattern, in: line) {
          Issue.record("\(file.path):\(number + 1): \(rule.why): \(line)")
        }
      }
    }
  }

  /// The lines, empty where they stand in an `#if !hasFeature(Embedded)` without `#else`: the
  /// page's module has none of them.
  private static func compiledCode(_ code: [String]) -> [String] {
    var depth = 0
    var skipsFrom: Int?
    return code.map { line in
      let text = line.trimmingCharacters(in: .whitespaces)
      if text.hasPrefix("#if") {
        depth += 1
        if text == "#if !hasFeature(Embedded)", skipsFrom == nil { skipsFrom = depth }
      }
      let isSkipped = skipsFrom != nil
      if text.hasPrefix("#endif") {
        if skipsFrom == depth { skipsFrom = nil }
        depth -= 1
      }
      return isSkipped ? "" : line
    }
  }

  @Test func theRulesKnowWhatTheModuleLeavesOut() {
    let code = ["#if !hasFeature(Embedded)", "weak var a: A?", "#endif", "weak var b: B?"]
    #expect(Self.compiledCode(code) == ["", "", "", "weak var b: B?"])
  }

  @Test func theRulesCatchWhatTheyName() {
    let offences = [
      "weak var parent: Node?", "struct A: Codable {}", "var a: [Int: Float] = [:]",
      "let s: Set<Int>",
      "func f() throws {", "let x: any Shape", "map(\\.x)", "let y = sin (x)",
      "a.addingProduct(b, c)",
      "let q = x.truncatingRemainder(dividingBy: 2)", "Int.random(in: 0..<3)", "let now = Date()",
      "ObjectIdentifier(self)", "print (x)",
    ]
    for offence in offences {
      #expect(Self.forbidden.contains { finds($0.pattern, in: offence) }, "\(offence)")
    }
    let innocent = [
      "func f() throws(WireError) {", "let any = 3", "let sine = DeterministicMath.sine(x)",
      "weakest = 1", "case .known(let x):", "precondition(x > 0)",
    ]
    for line in innocent {
      for rule in Self.forbidden {
        #expect(!finds(rule.pattern, in: line), "\(line): \(rule.why)")
      }
    }
  }
}
