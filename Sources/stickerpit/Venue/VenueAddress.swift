import Glibc
import Server

/// What an event shows its visitors: the address of the page, the QR code that says it, and the
/// letters for those who type.
struct VenueAddress {
  /// Scheme, host and port.
  let url: String
  let code: JoinCode

  /// Below the greeting; the QR code only where somebody looks at a terminal.
  func lines(isTerminal: Bool) -> [String] {
    var lines: [String] = []
    if isTerminal, let qr = QRCode(url + "/") {
      lines += [""] + qr.terminalLines.map { "  " + $0 } + [""]
    }
    lines.append("  to join         \(url)\(JoinCode.path)\(code.text)")
    return lines
  }

  /// Whether what is said on standard error is read on a terminal.
  static var isOnTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
