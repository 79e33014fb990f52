import Foundation

@testable import stickerpit

/// Sources of a configuration, as short as tests like them.
enum Given {
  static func flags(_ texts: [String: String] = [:], limits: [String] = []) throws -> GivenFlags {
    var flags = GivenFlags()
    for (key, text) in texts { try flags.add(key, text) }
    for limit in limits { try flags.add(limit: limit) }
    return flags
  }

  static func file(_ text: String) throws -> ConfigurationFile {
    try ConfigurationFile(Array(text.utf8), path: "config.json")
  }

  static func resolved(
    flags: GivenFlags = GivenFlags(), environment: [String: String] = [:], file: String? = nil
  ) throws -> ResolvedConfiguration {
    let content = try file.map { ("config.json", try Self.file($0)) }
    return try ResolvedConfiguration.resolve(
      flags: flags, environment: environment, file: content.map { (path: $0.0, content: $0.1) })
  }

  /// What the sources are refused with; nil if they are taken.
  static func error(
    _ make: () throws -> Void
  ) -> ConfigurationError? {
    do { try make() } catch { return error as? ConfigurationError }
    return nil
  }
}
