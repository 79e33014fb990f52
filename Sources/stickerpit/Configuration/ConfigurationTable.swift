/// The tables of CONFIGURATION.md. `STICKERPIT_WRITE_GOLDEN=1 swift test --filter
/// ConfigurationTable` writes them into it.
enum ConfigurationTable {
  static var general: String {
    rows(
      head: ["Key", "May be", "Default", "What it is"],
      Setting.general.map { ["`\($0.key)`", may($0), standard($0), escaped($0.meaning)] })
  }

  static var limits: String { limits(Setting.limits) }
  static var traffic: String { limits(Setting.traffic) }

  private static func limits(_ settings: [Setting]) -> String {
    rows(
      head: ["Key", "Default", "From", "To", "Unit", "What it counts, and why"],
      settings.map { setting in
        [
          "`\(setting.key)`", standard(setting), "\(setting.range?.lowerBound ?? 0)",
          "\(setting.range?.upperBound ?? 0)", setting.unit, escaped(setting.meaning),
        ]
      })
  }

  private static func rows(head: [String], _ rows: [[String]]) -> String {
    let lines = [head, head.map { _ in "---" }] + rows
    return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  private static func may(_ setting: Setting) -> String {
    setting.range == nil ? setting.unit : "\(setting.expectation), \(setting.unit)"
  }

  /// A default as the file would say it.
  private static func standard(_ setting: Setting) -> String {
    switch setting.value(in: ServeConfiguration()) {
    case .none: ""
    case .text(let text): "`\(text)`"
    case .number(let number): "\(number)"
    case .toggle(let toggle): "\(toggle)"
    case .list(let texts): texts.isEmpty ? "none" : texts.joined(separator: ", ")
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("'*'", with: "`*`")
  }
}
