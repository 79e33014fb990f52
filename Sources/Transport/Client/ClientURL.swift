/// The parts of a `ws://` or `wss://` address, or of a `http://` or `https://` one.
struct ClientURL: Equatable {
  let isSecure: Bool
  /// Name or numeric address, IPv6 without brackets.
  let host: String
  let port: UInt16
  /// Path with query, beginning with `/`.
  let path: String

  /// What the `Host` header says.
  var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }

  /// Reads the address of a WebSocket.
  init(_ text: String) throws(TransportError) {
    guard let parts = Self.parse(text, schemes: ("ws://", "wss://")) else {
      throw .invalidURL(text)
    }
    self = parts
  }

  /// Reads the address of a server of HTTP.
  init(http text: String) throws(TransportError) {
    guard let parts = Self.parse(text, schemes: ("http://", "https://")) else {
      throw .invalidHTTPURL(text)
    }
    self = parts
  }

  private init(isSecure: Bool, host: String, port: UInt16, path: String) {
    (self.isSecure, self.host, self.port, self.path) = (isSecure, host, port, path)
  }

  private static func parse(
    _ text: String, schemes: (plain: String, secure: String)
  ) -> ClientURL? {
    let isSecure = text.hasPrefix(schemes.secure)
    guard isSecure || text.hasPrefix(schemes.plain) else { return nil }
    let rest = text.dropFirst((isSecure ? schemes.secure : schemes.plain).count)
    let authority = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(authority.count)
    guard !authority.contains("@"), !text.utf8.contains(where: { $0 <= 32 || $0 == 127 }),
      let (host, port) = split(authority, defaultPort: isSecure ? 443 : 80)
    else { return nil }
    return ClientURL(
      isSecure: isSecure, host: host, port: port, path: path.isEmpty ? "/" : String(path))
  }

  private static func split(_ authority: Substring, defaultPort: UInt16) -> (String, UInt16)? {
    var host = authority
    var port = defaultPort
    if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
      guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0 else {
        return nil
      }
      port = number
      host = authority[..<colon]
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    return host.isEmpty ? nil : (String(host), port)
  }
}
