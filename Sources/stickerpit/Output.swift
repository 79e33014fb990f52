import Foundation

/// Where text goes: results to standard output, everything else to standard error.
enum Output {
  static func error(_ text: String) {
    progress("stickerpit: \(text)")
  }

  static func progress(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }

  static func result(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }
}
