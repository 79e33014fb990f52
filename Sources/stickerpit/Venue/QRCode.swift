import CQREncode

/// A QR code (ISO/IEC 18004) to be read from a terminal by a phone's camera.
struct QRCode: Equatable {
  /// Modules on a side, 21 to 177.
  let side: Int
  /// Row by row: whether a module is dark.
  private let modules: [Bool]

  /// Light modules that readers want around a code.
  static let margin = 4

  /// - Parameter text: what it says; nil if it is too long for any code.
  init?(_ text: String) {
    // The least error correction gives the fewest modules, so that a camera sees them from afar; on
    // a screen nothing is scratched or covered. Case matters in addresses.
    guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else { return nil }
    defer { QRcode_free(code) }
    let side = Int(code.pointee.width)
    self.side = side
    modules = (0..<side * side).map { code.pointee.data[$0] & 1 == 1 }
  }

  /// Whether a module is dark; those of the margin are not.
  func isDark(row: Int, column: Int) -> Bool {
    guard (0..<side).contains(row), (0..<side).contains(column) else { return false }
    return modules[row * side + column]
  }

  /// Lines for a terminal, two rows of modules in each. Colours are set, black on white, because
  /// cameras do not read codes that are light on dark as terminals would show them.
  var terminalLines: [String] {
    stride(from: -Self.margin, to: side + Self.margin, by: 2).map { row in
      let blocks = (-Self.margin..<side + Self.margin).map { column in
        switch (isDark(row: row, column: column), isDark(row: row + 1, column: column)) {
        case (false, false): " "
        case (true, false): "▀"
        case (false, true): "▄"
        case (true, true): "█"
        }
      }
      return "\u{1B}[30;107m" + blocks.joined() + "\u{1B}[0m"
    }
  }
}
