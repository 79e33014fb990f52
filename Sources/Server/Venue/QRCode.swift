import CQREncode

/// A QR code (ISO/IEC 18004) to be read by a phone's camera, from a terminal or a page.
public struct QRCode: Equatable, Sendable {
  /// Modules on a side, 21 to 177.
  let side: Int
  /// Row by row: whether a module is dark.
  private let modules: [Bool]

  /// Light modules that readers want around a code.
  static let margin = 4

  /// - Parameter text: what it says; nil if it is too long for any code.
  public init?(_ text: String) {
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
  public var terminalLines: [String] {
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

  /// A picture of any size: black on white, a module is 1 × 1, and the margin belongs to it.
  var svg: String {
    let size = side + 2 * Self.margin
    // A rectangle for each run of dark modules in a row.
    var path = ""
    for row in 0..<side {
      var column = 0
      while column < side {
        let end = (column..<side).first { !isDark(row: row, column: $0) } ?? side
        if end > column {
          let (x, y) = (column + Self.margin, row + Self.margin)
          path += "M\(x) \(y)h\(end - column)v1h-\(end - column)z"
        }
        column = end + 1
      }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" \
      width="\(size)" height="\(size)" shape-rendering="crispEdges">\
      <path fill="#fff" d="M0 0h\(size)v\(size)h-\(size)z"/><path d="\(path)"/></svg>

      """
  }
}
