/// Counts of each case of an enumeration. The cases' raw values are what monitoring calls them.
struct Tally<Case>: Sendable
where Case: CaseIterable & Hashable & RawRepresentable & Sendable, Case.RawValue == String {
  private var counts: [Case: Int] = [:]

  /// How often a case was counted.
  subscript(_ one: Case) -> Int { counts[one] ?? 0 }

  /// Counts a case once more, or several times.
  mutating func count(_ one: Case, _ more: Int = 1) { counts[one, default: 0].count(more) }

  /// What was counted of all cases together.
  var total: Int {
    counts.values.reduce(into: 0) { $0.count($1) }
  }

  /// All cases by name, in their order, also those that were never counted.
  var all: [(name: String, count: Int)] { Case.allCases.map { ($0.rawValue, self[$0]) } }

  /// The same for a JSON object.
  var byName: [String: Int] { Dictionary(uniqueKeysWithValues: all) }

  static func + (one: Tally, other: Tally) -> Tally {
    var sum = one
    for (key, count) in other.counts { sum.count(key, count) }
    return sum
  }
}

extension Int {
  /// Counts on, and stays at the largest number when there is none above it.
  mutating func count(_ more: Int = 1) {
    assert(more >= 0)
    let (sum, isTooLarge) = addingReportingOverflow(more)
    self = isTooLarge ? .max : sum
  }
}
