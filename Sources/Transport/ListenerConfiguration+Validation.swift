import CLibWebSockets
import Glibc

extension ListenerConfiguration {
  /// Refuses values that would make a listener misbehave later.
  func validate() throws(TransportError) {
    guard maximumMessageBytes > 0, maximumMessageBytes <= 1 << 24 else {
      throw .badConfiguration("the largest message must be 1 to 16777216 bytes")
    }
    guard maximumConnections > 0, maximumConnections <= 65_536 else {
      throw .badConfiguration("the number of connections must be 1 to 65536")
    }
    guard maximumConnectionsPerAddress > 0, maximumConnectionsPerAddress <= maximumConnections
    else {
      throw .badConfiguration(
        "the connections of one address must be 1 to those of all, \(maximumConnections), "
          + "not \(maximumConnectionsPerAddress)")
    }
    try traffic.validate()
    for name in allowedHosts where !Self.isAllowedHost(name) {
      throw .badConfiguration("\(name) is not a host's name: give it without scheme and port")
    }
    for proxy in trustedProxies where !Self.isTrustedProxy(proxy) {
      throw .badConfiguration("\(proxy) is no address and no prefix such as 10.0.0.0/8")
    }
    guard pingSeconds >= 0, silenceSeconds <= 65_535,
      pingSeconds == 0 || silenceSeconds > pingSeconds
    else {
      throw .badConfiguration("the end of a silence must come later than its ping")
    }
    guard socketPath.hasPrefix("/") else {
      throw .badConfiguration("the socket's path must begin with /")
    }
    guard !subprotocol.isEmpty, subprotocol.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != 44 })
    else {
      throw .badConfiguration("the subprotocol must be one word")
    }
  }
}

extension ListenerConfiguration {
  /// Whether `allowedHosts` may hold this: a name without scheme and port, or `*`.
  public static func isAllowedHost(_ name: String) -> Bool {
    name == "*" || (HTTPHead.isHost(name) && !name.contains(":"))
  }

  /// Whether `trustedProxies` may hold this: a numeric address, or one with a prefix's length.
  public static func isTrustedProxy(_ text: String) -> Bool { AddressRange(text) != nil }
}

extension ListenerConfiguration.TLSFiles {
  /// Looks at both files, so that the usual mistakes get a plain answer instead of a library's.
  func validate() throws(TransportError) {
    let (certificateText, certificateProblem) = Self.read(certificate)
    if let problem = certificateProblem {
      throw .certificateUnreadable(path: certificate, reason: problem)
    }
    guard certificateText.contains("-----BEGIN CERTIFICATE-----") else {
      throw .certificateUnreadable(path: certificate, reason: "it holds no PEM certificate")
    }
    let (keyText, keyProblem) = Self.read(key)
    if let problem = keyProblem { throw .privateKeyUnreadable(path: key, reason: problem) }
    guard keyText.contains("PRIVATE KEY-----") else {
      throw .privateKeyUnreadable(path: key, reason: "it holds no PEM private key")
    }
    guard !keyText.contains("ENCRYPTED") else {
      throw .privateKeyUnreadable(path: key, reason: "it is encrypted")
    }
  }

  /// Gives the files to the context.
  ///
  /// - Returns: strings that must live as long as the context, then be freed.
  func configure(_ info: inout lws_context_creation_info) -> [UnsafeMutablePointer<CChar>] {
    let texts: [String] = [certificate, key, "http/1.1"]
    let strings = texts.map { (text: String) in strdup(text)! }
    info.ssl_cert_filepath = UnsafePointer(strings[0])
    info.ssl_private_key_filepath = UnsafePointer(strings[1])
    // HTTP/2 would carry WebSockets inside its own frames.
    info.alpn = UnsafePointer(strings[2])
    // A visitor who types the address without https:// is let in as far as a redirect.
    info.options |= stickerpit_lws_tls_options()
    return strings
  }

  /// What went wrong with these files, by what libwebsockets wrote about it.
  func failure(from lines: [String]) -> TransportError? {
    for line in lines {
      if line.contains("mismatch") || line.contains("doesn't match") {
        return .keyMismatch(certificate: certificate, key: key)
      }
      if line.contains("getting cert"), line.contains(certificate) {
        return .certificateUnreadable(path: certificate, reason: "it is damaged")
      }
      if line.contains("getting key"), line.contains(key) {
        return .privateKeyUnreadable(path: key, reason: "it is damaged")
      }
    }
    return nil
  }

  private static func read(_ path: String) -> (text: String, problem: String?) {
    guard let file = fopen(path, "re") else { return ("", String(cString: strerror(errno))) }
    defer { fclose(file) }
    // Far above a chain of certificates; a device file must not be read for ever.
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    let count = fread(&buffer, 1, buffer.count, file)
    if ferror(file) != 0 { return ("", String(cString: strerror(errno))) }
    return (String(decoding: buffer[..<count], as: UTF8.self), nil)
  }
}
