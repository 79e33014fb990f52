import Foundation

/// Where text goes: results to standard output, everything else to standard error.
enum Output {
  static func error(_ text: String) {
    progress("stickerpit: \(text)")
  }

  static func progress(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }

  /// A report as JSON, on one line unless it is for a person.
  static func json(_ report: some Encodable, isPretty: Bool = false) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = isPretty ? [.sortedKeys, .prettyPrinted] : [.sortedKeys]
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }

  static func result(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }
}
