import Foundation
import NATSLink

/// Writes a configuration down: as the file that gives the same, and where each value comes from. A
/// password in the address of NATS is left out: it is not for logs, nor for whoever helps.
struct ConfigurationPrinter {
  let configuration: ResolvedConfiguration

  /// A file that gives this configuration wherever it is read. null stands for what nobody gave and
  /// what has no default.
  var file: String {
    object(Setting.all[...], below: "", indent: "")
  }

  /// A line for each key: its source and its name.
  var sources: String {
    let rows = Setting.all.map { setting in
      (setting.key, configuration.source(of: setting.key).label(of: setting))
    }
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { key, source in
      key.padding(toLength: width + 2, withPad: " ", startingAt: 0) + source
    }.joined(separator: "\n")
  }

  /// The settings whose keys begin with the prefix, as a JSON object. Settings of one object stand
  /// together in the table.
  private func object(
    _ settings: ArraySlice<Setting>, below prefix: String, indent: String
  ) -> String {
    let inner = indent + "  "
    var rest = settings
    var members: [String] = []
    while let setting = rest.first {
      let name = setting.key.dropFirst(prefix.count)
      guard let dot = name.firstIndex(of: ".") else {
        members.append("\(inner)\(Self.quoted(String(name))): \(text(of: setting))")
        rest.removeFirst()
        continue
      }
      let path = prefix + name[...dot]
      let nested = rest.prefix { $0.key.hasPrefix(path) }
      members.append(
        "\(inner)\(Self.quoted(String(name[..<dot]))): "
          + object(nested, below: path, indent: inner))
      rest.removeFirst(nested.count)
    }
    return "{\n" + members.joined(separator: ",\n") + "\n\(indent)}"
  }

  private func text(of setting: Setting) -> String {
    switch setting.value(in: configuration.values) {
    case .none: "null"
    case .text(let text) where setting.key == "nats":
      Self.quoted(JetStreamLink.Settings.withoutPasswords(text))
    case .text(let text): Self.quoted(text)
    case .number(let number): "\(number)"
    case .toggle(let toggle): "\(toggle)"
    case .list(let texts): "[" + texts.map(Self.quoted).joined(separator: ", ") + "]"
    }
  }

  /// A text as JSON writes it.
  static func quoted(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    guard let bytes = try? encoder.encode(text) else { return "\"\"" }
    return String(decoding: bytes, as: UTF8.self)
  }
}

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
