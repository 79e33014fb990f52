import Logging
import NATSLink
import Server
import Simulation
import TickLog
import Transport

/// The value of a setting, in the few forms that all sources share.
enum SettingValue: Equatable, Sendable {
  case text(String)
  case list([String])
  case number(UInt64)
  case toggle(Bool)
  /// Nothing was said, and there is no default either.
  case none
}

/// Why a value is refused, in words that follow the setting's name.
struct RefusedValue: Error, Equatable {
  let words: String

  init(_ words: String) { self.words = words }

  init(_ setting: Setting, not given: String) {
    words = " must be \(setting.expectation), not \(given)"
  }

  /// A value as an error quotes it: a number bare, everything else in quotes.
  static func quoted(_ text: String) -> String {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
    return isNumber ? text : "'\(text)'"
  }
}

extension Setting {
  /// The value that a configuration has.
  func value(in configuration: ServeConfiguration) -> SettingValue {
    switch place {
    case .text(let path): .text(configuration[keyPath: path])
    case .file(let path), .address(let path), .webAddress(let path), .form(let path, _):
      configuration[keyPath: path].map { .text($0) } ?? .none
    case .list(let path, _): .list(configuration[keyPath: path])
    case .number(let path, _): .number(UInt64(configuration[keyPath: path]))
    case .optionalNumber(let path, _):
      configuration[keyPath: path].map { .number(UInt64($0)) } ?? .none
    case .seed(let path): .number(configuration[keyPath: path])
    case .scene(let path): .text(configuration[keyPath: path].name)
    case .shape(let path): .text(configuration[keyPath: path].name)
    case .tilt(let path): .text(configuration[keyPath: path].rawValue)
    case .toggle(let path): .toggle(configuration[keyPath: path])
    case .logLevel(let path): .text(configuration[keyPath: path].rawValue)
    case .durability(let path): .text(configuration[keyPath: path].rawValue)
    case .limit(let path): .number(UInt64(configuration.limits[keyPath: path]))
    case .traffic(let path): .number(UInt64(configuration.traffic[keyPath: path]))
    }
  }

  /// Reads a text and puts what it says into its place. Every source comes through here.
  func set(_ text: String, in configuration: inout ServeConfiguration) throws(RefusedValue) {
    switch place {
    case .text(let path): configuration[keyPath: path] = try nonEmpty(text)
    case .file(let path): configuration[keyPath: path] = try nonEmpty(text)
    case .address(let path):
      guard AdminAddress(text) != nil else {
        throw RefusedValue(self, not: RefusedValue.quoted(text))
      }
      configuration[keyPath: path] = text
    case .webAddress(let path):
      guard let address = PageOrigin(text), address.isOfTheWeb else {
        throw RefusedValue(self, not: RefusedValue.quoted(text))
      }
      configuration[keyPath: path] = address.text
    case .form(let path, let form):
      guard Self.has(text, form) else { throw RefusedValue(self, not: RefusedValue.quoted(text)) }
      configuration[keyPath: path] = text
    case .list(let path, let content):
      configuration[keyPath: path] = try checked([text], content)
    case .number(let path, _): configuration[keyPath: path] = Int(try number(text))
    case .optionalNumber(let path, _): configuration[keyPath: path] = Int(try number(text))
    case .seed(let path): configuration[keyPath: path] = try number(text)
    case .scene(let path):
      guard let scene = Scene(name: text) else {
        throw RefusedValue(self, not: RefusedValue.quoted(text))
      }
      configuration[keyPath: path] = scene
    case .shape(let path):
      guard let shape = WorldShape(name: text) else {
        throw RefusedValue(self, not: RefusedValue.quoted(text))
      }
      configuration[keyPath: path] = shape
    case .tilt(let path):
      guard let choice = TiltChoice(rawValue: text) else {
        throw RefusedValue(self, not: RefusedValue.quoted(text))
      }
      configuration[keyPath: path] = choice
    case .toggle(let path): configuration[keyPath: path] = try toggle(text)
    case .logLevel(let path):
      guard let level = Logger.Level(rawValue: text) else {
        throw RefusedValue(self, not: RefusedValue.quoted(text))
      }
      configuration[keyPath: path] = level
    case .durability(let path):
      guard let durability = Durability(rawValue: text) else {
        throw RefusedValue(self, not: RefusedValue.quoted(text))
      }
      configuration[keyPath: path] = durability
    case .limit(let path): configuration.limits[keyPath: path] = Int(try number(text))
    case .traffic(let path): configuration.traffic[keyPath: path] = Int(try number(text))
    }
  }

  /// The same for a list; a setting that is none takes no list.
  func set(_ texts: [String], in configuration: inout ServeConfiguration) throws(RefusedValue) {
    guard case .list(let path, let content) = place else {
      throw RefusedValue(self, not: "a list")
    }
    configuration[keyPath: path] = try checked(texts, content)
  }

  private static func has(_ text: String, _ form: TextForm) -> Bool {
    switch form {
    case .worldName: JetStreamLink.Settings.isName(text)
    case .natsServers: JetStreamLink.Settings.areServers(text)
    }
  }

  private func nonEmpty(_ text: String) throws(RefusedValue) -> String {
    guard !text.isEmpty else { throw RefusedValue(self, not: "''") }
    return text
  }

  private func number(_ text: String) throws(RefusedValue) -> UInt64 {
    guard let range, let number = UInt64(text), range.contains(number) else {
      throw RefusedValue(self, not: RefusedValue.quoted(text))
    }
    return number
  }

  private func toggle(_ text: String) throws(RefusedValue) -> Bool {
    switch text.lowercased() {
    case "true", "yes", "1": true
    case "false", "no", "0": false
    default: throw RefusedValue(self, not: RefusedValue.quoted(text))
    }
  }

  private func checked(
    _ texts: [String], _ content: ListContent
  ) throws(RefusedValue) -> [String] {
    switch content {
    case .origins:
      return try texts.map { (text) throws(RefusedValue) in
        guard let origin = PageOrigin(text) else { throw RefusedValue(self, not: "'\(text)'") }
        return origin.text
      }
    case .hostNames:
      if let name = texts.first(where: { !ListenerConfiguration.isAllowedHost($0) }) {
        throw RefusedValue(self, not: "'\(name)'")
      }
    case .proxies:
      if let text = texts.first(where: { !ListenerConfiguration.isTrustedProxy($0) }) {
        throw RefusedValue(self, not: "'\(text)'")
      }
    case .keywords:
      do throws(KeywordError) { _ = try KeywordList(lines: texts) } catch {
        throw RefusedValue(": \(error)")
      }
    }
    return texts
  }
}
