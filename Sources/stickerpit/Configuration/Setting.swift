import Logging
import Server
import Simulation
import TickLog
import Transport

/// A key of the configuration. All that is known about one stands here: what it is called in each
/// source, what it may be, where its value is kept, and what it is for.
struct Setting: Sendable {
  /// Its name in the file; dots part the objects that it is nested in.
  let key: String
  let place: Place
  /// What it counts, or what kind of text it is.
  let unit: String
  /// What it is for and, of a limit, why it is what it is.
  let meaning: String

  init(_ key: String, _ place: Place, _ unit: String, _ meaning: String) {
    self.key = key
    self.place = place
    self.unit = unit
    self.meaning = meaning
  }

  /// A field of `ServeConfiguration`, which decides what the value may be.
  enum Place: Sendable {
    typealias Field<Value> = WritableKeyPath<ServeConfiguration, Value> & Sendable
    /// A text that must be there.
    case text(Field<String>)
    /// A file that need not be there.
    case file(Field<String?>)
    /// Where to listen, if anywhere.
    case address(Field<String?>)
    /// Where others find it, if it is known: scheme, host and port.
    case webAddress(Field<String?>)
    /// A text of a certain form that need not be there.
    case form(Field<String?>, TextForm)
    case list(Field<[String]>, of: ListContent)
    case number(Field<Int>, ClosedRange<Int>)
    case optionalNumber(Field<Int?>, ClosedRange<Int>)
    case seed(Field<UInt64>)
    case scene(Field<Scene>)
    case shape(Field<WorldShape>)
    case tilt(Field<TiltChoice>)
    case logLevel(Field<Logger.Level>)
    case durability(Field<Durability>)
    case toggle(Field<Bool>)
    case limit(WritableKeyPath<Limits, Int> & Sendable)
    case traffic(WritableKeyPath<TrafficLimits, Int> & Sendable)
  }

  /// What a text may be.
  enum TextForm: Sendable {
    case natsServers, worldName
  }

  /// What the texts of a list may be.
  enum ListContent: Sendable {
    case origins, hostNames, proxies, keywords
  }
}

extension Setting {
  static let limitPrefix = "limits."

  /// A limit's name without the object that holds all limits, as `--limit` takes it.
  var limitName: String? {
    key.hasPrefix(Self.limitPrefix) ? String(key.dropFirst(Self.limitPrefix.count)) : nil
  }

  /// The flag that gives it: one of its own, or `--limit` with its name.
  var flag: String {
    if let limitName { return "--limit \(limitName)" }
    return "--\(key)"
  }

  static let variablePrefix = "STICKERPIT_"

  /// The environment's variable.
  var variable: String {
    let name = key.uppercased().map { $0 == "." || $0 == "-" ? "_" : $0 }
    return Self.variablePrefix + String(name)
  }

  /// Whether it takes several texts.
  var isList: Bool {
    if case .list = place { return true }
    return false
  }

  /// The numbers that it may be; nil where it is no number.
  var range: ClosedRange<UInt64>? {
    switch place {
    case .number(_, let range), .optionalNumber(_, let range): Self.wide(range)
    case .limit(let path): Limits.range(of: path).map(Self.wide)
    case .traffic(let path): Self.wide(TrafficLimits.range(of: path))
    case .seed: 0...UInt64.max
    case .text, .file, .address, .webAddress, .form, .list, .scene, .shape, .tilt,
      .logLevel, .durability, .toggle:
      nil
    }
  }

  private static func wide(_ range: ClosedRange<Int>) -> ClosedRange<UInt64> {
    UInt64(range.lowerBound)...UInt64(range.upperBound)
  }

  /// What it must be, in words that follow "must be".
  var expectation: String {
    if let range { return "\(range.lowerBound) to \(range.upperBound)" }
    return switch place {
    case .scene: "one of \(Scene.names)"
    case .shape: "one of \(WorldShape.names)"
    case .tilt: "one of \(TiltChoice.allCases.map(\.rawValue).joined(separator: ", "))"
    case .logLevel: "one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))"
    case .durability: "one of \(Durability.allCases.map(\.rawValue).joined(separator: ", "))"
    case .toggle: "true or false"
    case .address: "HOST:PORT, such as 127.0.0.1:9090 or [::1]:9090"
    case .webAddress: "an address such as https://pit.example, without a path"
    case .form(_, .natsServers):
      "addresses of NATS such as nats://127.0.0.1:4222, parted by commas"
    case .form(_, .worldName): "1 to 32 letters, digits, '-' and '_'"
    case .list(_, of: .origins):
      "a list of origins such as https://example.org or http://10.0.0.7:8080, without a path"
    case .list(_, of: .hostNames): "a list of hosts' names without scheme and port, or *"
    case .list(_, of: .proxies): "a list of addresses, or prefixes such as 10.0.0.0/8"
    case .list(_, of: .keywords): "a list of texts"
    default: "a text that is not empty"
    }
  }
}
