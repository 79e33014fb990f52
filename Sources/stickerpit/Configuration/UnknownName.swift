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
