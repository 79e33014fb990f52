import Foundation

/// Where text goes: results to standard output, everything else to standard error.
enum Output {
  static func error(_ text: String) {
    progress("stickerpit: \(text)")
  }

  static func progress(_ text: String) {
    // There is nowhere left to say that this failed.
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
  }

  /// A report as JSON, on one line unless it is for a person.
  static func json(_ report: some Encodable, isPretty: Bool = false) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = isPretty ? [.sortedKeys, .prettyPrinted] : [.sortedKeys]
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }

  /// Ends the process with code 1 when nobody can get the result: the reader of a pipe has gone, or
  /// the disk that it is written to is full.
  static func result(_ text: String) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    } catch {
      Self.error("standard output can't be written")
      exit(1)
    }
  }
}
