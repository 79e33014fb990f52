/// What is said about a name that is none of ours, with the one that was probably meant.
enum UnknownName {
  static func key(_ typed: String) -> String {
    "there is no key '\(typed)'" + meant(Setting.all.map(\.key) + Setting.sections, typed)
  }

  static func variable(_ typed: String) -> String {
    "\(typed) is no variable of this program" + meant(variables, typed)
  }

  static func limit(_ typed: String) -> String {
    "--limit: there is no limit '\(typed)'" + meant(Setting.all.compactMap(\.limitName), typed)
  }

  static func verb(_ typed: String) -> String {
    "admin: there is no '\(typed)'" + meant(AdminVerb.allCases.map(\.rawValue), typed)
  }

  /// The variable that names the configuration file; no key, because a file can't name itself.
  static let fileVariable = Setting.variablePrefix + "CONFIG"

  static let variables = Setting.all.map(\.variable) + [fileVariable]

  private static func meant(_ names: [String], _ typed: String) -> String {
    NearestName.among(names, to: typed).map { "; the nearest is \($0)" } ?? ""
  }
}

/// Finds what somebody meant who mistyped a name.
enum NearestName {
  /// The name that the fewest changes lead to; the first of several.
  static func among(_ names: [String], to typed: String) -> String? {
    let typed = Array(typed.lowercased().utf8)
    return names.map { (name: $0, changes: changes(typed, Array($0.lowercased().utf8))) }
      .min { $0.changes < $1.changes }?.name
  }

  /// How many letters must be put in, left out, replaced or swapped with their neighbour to make
  /// one name of the other: the distance of Damerau and Levenshtein, where a letter that was
  /// swapped is not changed again.
  static func changes(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var before: [Int] = []
    var last = Array(0...other.count)
    for (row, letter) in one.enumerated() {
      var now = [row + 1]
      for (column, wanted) in other.enumerated() {
        var least = min(
          now[column] + 1, last[column + 1] + 1, last[column] + (letter == wanted ? 0 : 1))
        if row > 0, column > 0, letter == other[column - 1], one[row - 1] == wanted {
          least = min(least, before[column - 1] + 1)
        }
        now.append(least)
      }
      (before, last) = (last, now)
    }
    return last[other.count]
  }
}
