import Glibc
import Server
import Simulation
import Transport

/// What a person reads when the server is up: where to point a browser, and where a phone.
struct Greeting {
  let configuration: ServerConfiguration
  let port: UInt16
  let adminPort: UInt16?
  let scene: Scene
  /// The most stickers that the world was made for.
  let capacity: Int
  /// From where the world goes on; nil for a new one.
  let resumedTick: UInt64?
  let joinCode: JoinCode
  /// The one that the server has made for itself, if it has.
  let certificate: SelfSignedCertificate?

  var text: String {
    let scheme = configuration.tls == nil ? "http" : "https"
    var lines = ["Sticker Pit is open:", "  here            \(scheme)://localhost:\(port)"]
    if MachineNames.areCalled(by: configuration.host) {
      for address in MachineNames.addresses() {
        lines.append("  on the network  \(scheme)://\(address):\(port)")
      }
      if configuration.tls == nil {
        lines.append(
          "  Phones have motion sensors only over https: --tls-self-signed makes a certificate.")
      }
    }
    if let venue { lines += venue.lines(isTerminal: VenueAddress.isOnTerminal) }
    if let certificate { lines.append(Self.explanation(of: certificate)) }
    if let admin = configuration.admin, let adminPort {
      let host = admin.host.contains(":") ? "[\(admin.host)]" : admin.host
      lines.append("  for monitoring  http://\(host):\(adminPort)/metrics")
    }
    if scene == .pit {
      lines.append("  Room for \(capacity) stickers; a new one then takes the oldest one's place.")
    } else {
      lines.append("  The scene is \(scene.name).")
    }
    if let cluster = configuration.cluster {
      let part = cluster.role == .edge ? "run by another server" : "shared"
      lines.append("  The world '\(cluster.world)' is \(part).")
    }
    if let journal = configuration.journal {
      let state = resumedTick.map { "goes on after tick \($0)" } ?? "is new"
      lines.append("  The world is kept in \(journal.folder) and \(state).")
    }
    return lines.joined(separator: "\n")
  }

  /// Where others find the page; nil if only this machine does.
  private var venue: VenueAddress? {
    if let url = configuration.publicURL { return VenueAddress(url: url, code: joinCode) }
    guard let address = configuration.networkAddress() else { return nil }
    let scheme = configuration.tls == nil ? "http" : "https"
    return VenueAddress(url: "\(scheme)://\(address):\(port)", code: joinCode)
  }

  /// What phones will say, and what to do about it.
  private static func explanation(of certificate: SelfSignedCertificate) -> String {
    let age = certificate.isNew ? "made just now" : "kept from before"
    return """
        The certificate is this machine's own, \(age): each phone warns once that the
        connection is not private. Go on by 'Advanced' and 'Proceed' (Android), or by
        'Show Details' and 'visit this website' (iPhone). It is in
        \(certificate.files.certificate).
      """
  }
}

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
