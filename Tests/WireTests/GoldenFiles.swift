import Foundation

/// The golden files: bytes beside what they mean, for whoever writes a client.
enum GoldenFiles {
  static let folder = Repository.root.appendingPathComponent("Tests/WireTests/Golden")

  /// Whether the files are written anew instead of compared, after a change of the protocol.
  static let areWritten =
    ProcessInfo.processInfo.environment["STICKERPIT_WRITE_GOLDEN"] != nil

  static func bytes(_ path: String) throws -> [UInt8] {
    try prepare()
    return try [UInt8](Data(contentsOf: folder.appendingPathComponent(path)))
  }

  /// Writes all of them, once, before the first is read, if they are written anew.
  static func prepare() throws { try written.get() }

  private static let written = Result {
    guard areWritten else { return }
    try GoldenMeaningTests.write()
    try GoldenStreamTests.write()
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let url = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  /// Names of the files with an ending, without it.
  static func names(in path: String, ending: String) throws -> Set<String> {
    try prepare()
    let all = try FileManager.default.contentsOfDirectory(
      atPath: folder.appendingPathComponent(path).path)
    return Set(all.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) })
  }
}

extension [UInt8] {
  /// The bytes that `hex` wrote.
  init(hex: String) {
    self = hex.split(separator: " ").map { UInt8($0, radix: 16)! }
  }
}
