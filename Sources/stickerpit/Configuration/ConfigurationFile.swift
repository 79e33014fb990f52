import Configuration

/// The configuration file as it was read: JSON, in which comments are allowed. It is a snapshot for
/// swift-configuration's `FileProvider`, whose own reader of JSON keeps to itself which keys it
/// found; a mistyped key would be left out in silence.
struct ConfigurationFile: FileConfigSnapshot {
  /// The file's name as errors call it.
  struct ParsingOptions: FileParsingOptions {
    var path: String

    static var `default`: ParsingOptions { ParsingOptions(path: "the configuration file") }
  }

  let providerName: String
  let path: String
  /// What the file says, by keys with dots.
  private var values: [String: ConfigContent] = [:]

  init(data: RawSpan, providerName: String, parsingOptions: ParsingOptions) throws {
    let bytes = data.withUnsafeBytes { Array($0) }
    try self.init(bytes, path: parsingOptions.path, providerName: providerName)
  }

  init(_ bytes: [UInt8], path: String, providerName: String = "file") throws(ConfigurationError) {
    self.providerName = providerName
    self.path = path
    try take(try Self.object(bytes, path: path), below: "")
  }

  /// Reads a file. What is wrong with it is a `ConfigurationError` that names it.
  /// - Parameter source: the flag or variable that named the file.
  static func read(
    _ path: String, namedBy source: String
  ) async throws(ConfigurationError) -> any ConfigSnapshot {
    do {
      return try await FileProvider<ConfigurationFile>(
        parsingOptions: ParsingOptions(path: path), filePath: .init(path)
      ).snapshot()
    } catch let error as ConfigurationError {
      throw error
    } catch {
      throw ConfigurationError("\(path) can't be read: name a file of JSON with \(source)")
    }
  }

  func value(forKey key: AbsoluteConfigKey, type: ConfigType) -> LookupResult {
    let name = key.components.joined(separator: ".")
    return LookupResult(
      encodedKey: name, value: values[name].map { ConfigValue($0, isSecret: false) })
  }

  var description: String { "\(path)[\(values.count) values]" }
  var debugDescription: String { description }

  private static func object(
    _ bytes: [UInt8], path: String
  ) throws(ConfigurationError) -> [String: JSONValue] {
    let value: JSONValue
    do throws(JSONReader.Problem) { value = try JSONReader.read(bytes) } catch {
      throw ConfigurationError("\(path), line \(error.line): \(error.words)")
    }
    guard case .object(let object) = value else {
      throw ConfigurationError("\(path): the file must be a JSON object, as in {\"port\": 8080}")
    }
    return object
  }

  /// Takes over an object's values, and those of the objects within.
  private mutating func take(
    _ object: [String: JSONValue], below prefix: String
  ) throws(ConfigurationError) {
    for (name, value) in object.sorted(by: { $0.key < $1.key }) {
      let key = prefix + name
      if let setting = Setting.named(key) {
        guard values[key] == nil else {
          throw ConfigurationError("\(path): \(key) is there twice, nested and with dots")
        }
        do throws(RefusedValue) { values[key] = try value.content(for: setting) } catch {
          throw ConfigurationError(error, of: setting, from: .file(path: path))
        }
      } else if Setting.sections.contains(key) {
        guard case .object(let inner) = value else {
          throw ConfigurationError("\(path): \(key) must be an object, not \(value.words)")
        }
        try take(inner, below: key + ".")
      } else {
        throw ConfigurationError("\(path): \(UnknownName.key(key))")
      }
    }
  }
}
